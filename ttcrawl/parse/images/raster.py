"""Formats with the size at a fixed offset in the header, and icons, which have several sizes."""

from __future__ import annotations

import struct

Size = tuple[int, int]


def gif(body: bytes) -> Size:
    """GIF89a section 18: the logical screen, which contains each image."""
    width, height = struct.unpack_from("<HH", body, 6)
    return width, height


def bmp(body: bytes) -> Size:
    """BITMAPCOREHEADER has 12 bytes and 16-bit sizes, all later headers 32-bit sizes; a top-down bitmap has a height <
    0."""
    (header,) = struct.unpack_from("<I", body, 14)
    width, height = struct.unpack_from("<HH" if header == 12 else "<ii", body, 18)
    return width, abs(height)


def ico(body: bytes) -> Size:
    """The largest of the icons; 0 means 256."""
    (count,) = struct.unpack_from("<H", body, 4)
    entries = body[6 : 6 + 16 * count]
    if not entries or len(entries) < 16 * count:
        raise ValueError("no whole directory")
    sizes = zip(entries[::16], entries[1::16], strict=True)
    return max(((width or 256, height or 256) for width, height in sizes), key=lambda size: size[0] * size[1])
