"""TIFF 6.0 and BigTIFF: ImageWidth and ImageLength of the first directory."""

from __future__ import annotations

import struct

WIDTH, LENGTH = 256, 257

#: Field types of one value that stands in the entry itself: BYTE, SHORT, LONG, LONG8.
TYPES = {1: "B", 3: "H", 4: "I", 16: "Q"}

#: TIFF counts the entries of a directory in 16 bits; BigTIFF could say more, nobody does.
ENTRIES = 0xFFFF


def size(body: bytes) -> tuple[int, int]:
    order = "<" if body[:2] == b"II" else ">"
    big = body[2:4] in (b"+\0", b"\0+")
    (at,) = struct.unpack_from(order + ("Q" if big else "I"), body, 8 if big else 4)
    (count,) = struct.unpack_from(order + ("Q" if big else "H"), body, at)
    first, step, value = (at + 8, 20, 12) if big else (at + 2, 12, 8)
    found: dict[int, int] = {}
    for entry in range(first, first + step * min(count, ENTRIES), step):
        tag, kind = struct.unpack_from(order + "HH", body, entry)
        if tag in (WIDTH, LENGTH) and kind in TYPES:
            found[tag] = struct.unpack_from(order + TYPES[kind], body, entry + value)[0]
        if tag >= LENGTH:  # entries are in ascending order
            break
    if len(found) < 2:
        raise ValueError("no width or no length")
    return found[WIDTH], found[LENGTH]
