"""Content-Encoding undone (RFC 9110 section 8.4), with a bound on what comes out."""

from __future__ import annotations

import zlib

#: Codings that we do not offer and cannot undo.
UNASKED = frozenset({"br", "zstd", "compress", "x-compress", "dcb", "dcz"})


class CodingError(Exception):
    """The body is not what its Content-Encoding says, or becomes too large; the message says which."""


def decode(body: bytes, coding: str, limit: int) -> bytes:
    """The body without its content codings, at most `limit` bytes of it. Raises CodingError.

    >>> import gzip
    >>> decode(gzip.compress(b"page"), "gzip", 100)
    b'page'
    """
    for name in reversed([part.strip().lower() for part in coding.split(",")]):
        if name in ("gzip", "x-gzip", "deflate"):
            body = _inflate(body, name, limit)
        elif name in UNASKED:
            raise CodingError(f"content coding {name} was not asked for")
        # anything else (identity, utf-8, none ...) is no coding: the body is what it is
    return body


def _inflate(body: bytes, name: str, limit: int) -> bytes:
    if name != "deflate" and not body.startswith(b"\x1f\x8b"):
        return body  # servers that say gzip and send the plain body are not rare
    # "deflate" is zlib's format by the standard and the bare stream by some servers
    bare = name == "deflate" and not (len(body) > 1 and body[0] & 15 == 8 and int.from_bytes(body[:2]) % 31 == 0)
    text = b""
    while True:
        inflate = zlib.decompressobj(-zlib.MAX_WBITS if bare else zlib.MAX_WBITS | 32)
        try:
            text += inflate.decompress(body, limit - len(text) + 1)
        except zlib.error as error:
            raise CodingError(f"broken {name}: {error}") from error
        if len(text) > limit:
            raise CodingError(f"more than {limit} bytes when decoded")
        if not inflate.eof:
            raise CodingError(f"broken {name}: it ends too early")
        body = inflate.unused_data
        if not body.startswith(b"\x1f\x8b"):  # gzip may have several members (RFC 1952 section 2.2)
            return text
