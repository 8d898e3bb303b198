"""Decode Content-Encoding (RFC 9110 section 8.4) piece by piece, so that a bomb is detected before it takes memory."""

from __future__ import annotations

import io
import sys
import zlib
from collections.abc import Callable, Iterator
from itertools import chain

from ttcrawl.web.coding.inflate import BROKEN, Brotli, Inflate, Member, Zstd
from ttcrawl.web.mime.kind import GZIP

#: Codings that we do not accept and cannot decode.
UNASKED = frozenset({"compress", "x-compress", "dcb", "dcz"})

#: Maximum number of nested codings; no honest server uses more.
MAX_CODINGS = 5

#: Maximum number of members (gzip) or frames (zstd): empty ones cost time and never reach the size limit.
MAX_MEMBERS = 100_000

#: Decoded size in bytes that is always allowed, however small the body on the wire.
ALWAYS = 1_000_000

PIECE = 1 << 15

_ZSTD = b"\x28\xb5\x2f\xfd"


class CodingError(Exception):
    """The body does not match its Content-Encoding; the message gives the cause."""


class BombError(CodingError):
    """The decoded body is too large, or too large compared with the body on the wire."""


def decode(body: bytes, coding: str, limit: int, ratio: int) -> bytes:
    """The body without its content codings. Raises BombError or another CodingError.

    A bomb decodes to more than `limit` bytes, or to more than 1 MB and more than `ratio` times the size on the wire. In
    a chain of codings this applies to the output of each coding. At most `limit` bytes are in memory.

    >>> import gzip
    >>> decode(gzip.compress(b"page"), "gzip", 100, 250)
    b'page'
    """
    if not coding:  # most bodies: no copy
        return body
    text = io.BytesIO()
    for piece in _pieces(body, coding, limit, ratio):
        text.write(piece)
    return text.getvalue()  # no copy, unlike joining the pieces


def decoded_size(body: bytes, coding: str, limit: int) -> int:
    """The bytes of a complete body without its content codings; they are not stored. Raises BombError for more than
    `limit` bytes, or another CodingError.

    >>> import gzip
    >>> decoded_size(gzip.compress(b"page"), "gzip", 100)
    4
    """
    return sum(map(len, _pieces(body, coding, limit, ratio=limit)))


def beginning(body: bytes, coding: str, size: int, limit: int, ratio: int, *, cut: bool, bombs: bool = True) -> bytes:
    """The first `size` bytes of the output of `decode`. Raises CodingError only for errors before that point.

    With `cut` the body is the beginning of a longer one: everything that can be decoded is returned; for a bomb too, if
    `bombs`.

    >>> import gzip
    >>> beginning(gzip.compress(b"a page")[:-5], "gzip", 100, 100, 250, cut=True)
    b'a page'
    """
    text, error = _until_error(body, coding, size, limit, ratio)
    if error is not None and (not (cut and text) or (isinstance(error, BombError) and not bombs)):
        raise error
    return text


def before_error(body: bytes, coding: str, size: int, limit: int, ratio: int) -> bytes:
    """The first `size` bytes of the output before the error in a broken body. Raises BombError.

    >>> import gzip
    >>> before_error(gzip.compress(b"a page")[:-8] + bytes(8), "gzip", 100, 100, 250)
    b'a page'
    """
    slices = _Slices(body)
    text, error = _until_error(body, coding, size, limit, ratio, slices)
    if not (slices.ended or isinstance(error, BombError)):
        # The libraries lose the output of the call that fails: the slice with the error is read again byte by byte.
        text, error = _until_error(body, coding, size, limit, ratio, _Slices(body, slices.start))
    if isinstance(error, BombError):
        raise error
    return text


def _until_error(
    body: bytes, coding: str, size: int, limit: int, ratio: int, slices: Iterator[bytes] | None = None
) -> tuple[bytes, CodingError | None]:
    """The first `size` bytes of the output, and the error before that point."""
    text, problem = bytearray(), None
    try:
        for piece in _pieces(body, coding, limit, ratio, slices):
            text += piece
            if len(text) >= size:
                break
    except CodingError as error:
        problem = error
    del text[size:]  # a slice would be one more copy
    return bytes(text), problem


class _Slices:
    """The slices of a body; `start` is the index of the last one. They have PIECE bytes, from index `single` on one."""

    def __init__(self, body: bytes, single: int = sys.maxsize) -> None:
        self._body, self._single = body, single
        self.start = self._next = 0
        self.ended = False

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self._next >= len(self._body):
            self.ended = True
            raise StopIteration
        self.start = self._next
        self._next += PIECE if self.start < self._single else 1
        return self._body[self.start : self._next]


def _pieces(body: bytes, coding: str, limit: int, ratio: int, slices: Iterator[bytes] | None = None) -> Iterator[bytes]:
    # any other name (identity, utf-8, none ...) is not a coding: the body is used as it is
    names = [name for field in coding.split(",") if (name := field.strip().lower()) in _CODINGS or name in UNASKED]
    if len(names) > MAX_CODINGS:
        raise CodingError(f"{len(names)} content codings")
    if not names or not body:
        return iter((body,))
    most = min(limit, max(ALWAYS, ratio * len(body)))
    pieces: Iterator[bytes] = slices or _Slices(body)
    for name in reversed(names):
        if name in UNASKED:
            raise CodingError(f"content coding {name} was not asked for")
        pieces = _counted(_undone(pieces, name), most, len(body))
    return pieces


def _counted(pieces: Iterator[bytes], most: int, received: int) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > most:
            raise BombError(f"more than {most} bytes when decoded, of {received}")
        yield piece


def _undone(pieces: Iterator[bytes], name: str) -> Iterator[bytes]:
    """The pieces without one coding; neither input nor output pieces are empty."""
    begin = _CODINGS[name]
    head = _prefix(b"", pieces)
    if not head:
        return
    member = begin(head)
    if member is None:  # servers often declare gzip and send a plain body
        yield head
        yield from pieces
        return
    for _ in range(MAX_MEMBERS):
        try:
            for data in chain((head,), pieces):
                yield from filter(None, member.pieces(data))
                if member.ended:
                    break
        except BROKEN as error:
            raise CodingError(f"broken {name}: {error}") from error
        if not member.ended:
            raise CodingError(f"broken {name}: it ends too early")
        head = _prefix(member.rest, pieces)
        following = begin(head) if _continues(name, head) else None
        if following is None:
            return
        member = following
    raise CodingError(f"broken {name}: more than {MAX_MEMBERS} members")


def _prefix(head: bytes, pieces: Iterator[bytes]) -> bytes:
    """Enough bytes to recognize the magic number, if there are that many."""
    while len(head) < len(_ZSTD) and (piece := next(pieces, b"")):
        head += piece
    return head


def _continues(name: str, head: bytes) -> bool:
    """gzip may have several members (RFC 1952 section 2.2), zstd several frames (RFC 8878 section 3)."""
    if name == "zstd":
        # or a skippable zstd frame (section 3.1.2)
        return head.startswith(_ZSTD) or (head[1:4] == b"\x2a\x4d\x18" and head[0] >> 4 == 5)
    return name != "deflate" and head.startswith(GZIP)


def _gzip(head: bytes) -> Member | None:
    return Inflate(zlib.MAX_WBITS | 16, PIECE) if head.startswith(GZIP) else None


def _deflate(head: bytes) -> Member:
    # "deflate" is the zlib format in the standard, but a raw stream from some servers
    standard = len(head) > 1 and head[0] & 15 == 8 and int.from_bytes(head[:2]) % 31 == 0
    return Inflate(zlib.MAX_WBITS if standard else -zlib.MAX_WBITS, PIECE)


_CODINGS: dict[str, Callable[[bytes], Member | None]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": lambda head: Brotli(PIECE),
    "zstd": lambda head: Zstd(PIECE),
}
