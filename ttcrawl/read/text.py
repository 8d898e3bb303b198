"""Compress the text for the database."""

from __future__ import annotations

from isal import isal_zlib

from ttcrawl.ring.record import Text

#: The same as in the archive: level 2 of isal takes a tenth of zlib's time.
LEVEL = 2


def packed(text: str, main: str | None, limit: int) -> Text:
    """`main`: None if not requested. At most `limit` bytes of each text are stored."""
    data = cut(text, limit)
    if main is None or main == text:
        return Text(size=len(data), packed=_pack(data), main_size=len(data) if main is not None else 0, main=None)
    central = cut(main, limit)
    return Text(size=len(data), packed=_pack(data), main_size=len(central), main=_pack(central))


def cut(text: str, limit: int) -> bytes:
    """UTF-8, truncated at a character; lone surrogates are replaced.

    >>> cut("aé", 2)
    b'a'
    """
    data = text[:limit].encode("utf-8", "replace")
    return data if len(data) <= limit else data[:limit].decode("utf-8", "ignore").encode()


def _pack(data: bytes) -> bytes:
    compressed: bytes = isal_zlib.compress(data, LEVEL)
    return compressed
