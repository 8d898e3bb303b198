"""Content-Encoding undone (RFC 9110 section 8.4), with a bound on what comes out."""

from __future__ import annotations

import zlib


class CodingError(Exception):
    """The body is not what its Content-Encoding says, or becomes too large; the message says which."""


def decode(body: bytes, coding: str, limit: int) -> bytes:
    """The body without its content codings, at most `limit` bytes of it. Raises CodingError.

    >>> import gzip
    >>> decode(gzip.compress(b"page"), "gzip", 100)
    b'page'
    """
    for name in reversed([part.strip().lower() for part in coding.split(",")]):
        if name in ("", "identity"):
            continue
        if name not in ("gzip", "x-gzip", "deflate"):
            raise CodingError(f"content coding {name} was not asked for")
        body = _inflate(body, name, limit)
    return body


def _inflate(body: bytes, name: str, limit: int) -> bytes:
    # "deflate" is zlib's format by the standard and the bare stream by some servers
    bare = name == "deflate" and not (len(body) > 1 and body[0] & 15 == 8 and int.from_bytes(body[:2]) % 31 == 0)
    inflate = zlib.decompressobj(-zlib.MAX_WBITS if bare else zlib.MAX_WBITS | 32)
    try:
        text = inflate.decompress(body, limit)
    except zlib.error as error:
        raise CodingError(f"broken {name}: {error}") from error
    if inflate.unconsumed_tail:
        raise CodingError(f"more than {limit} bytes when decoded")
    if not inflate.eof:
        raise CodingError(f"broken {name}: it ends too early")
    return text
