"""AVIF and HEIC: the boxes of ISO/IEC 14496-12 with the properties of ISO/IEC 23008-12.

The size is the largest that a property "ispe" gives: of the items of a file (tiles, thumbnail, alpha plane, and what
is put together of them) that is the image itself.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

#: More boxes than this side by side no encoder writes (a grid of tiles has some hundred properties).
BOXES = 4096

#: The way to the properties, and bytes of each box before its own boxes ("meta" has a version and flags).
WAY = ((b"meta", 4), (b"iprp", 0), (b"ipco", 0))


def size(body: bytes) -> tuple[int, int]:
    begin, end = 0, len(body)
    for name, skipped in WAY:
        inner = [(at + skipped, until) for kind, at, until in _boxes(body, begin, end) if kind == name]
        begin, end = inner[0]
    sizes = [struct.unpack_from(">II", body, at + 4) for kind, at, _ in _boxes(body, begin, end) if kind == b"ispe"]
    width, height = max(sizes, key=lambda each: each[0] * each[1])
    return width, height


def _boxes(body: bytes, begin: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """(type, where its contents begin, where they end) of each box."""
    for _ in range(BOXES):
        if begin + 8 > end:
            return
        length, kind = struct.unpack_from(">I4s", body, begin)
        head = 8
        if length == 1:
            (length,) = struct.unpack_from(">Q", body, begin + 8)
            head = 16
        until = begin + length if length else end
        if until < begin + head or until > end:
            raise ValueError("a box that is no box")
        yield kind, begin + head, until
        begin = until
