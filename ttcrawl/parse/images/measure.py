"""The format of an image from its first bytes, and its width and height from its header.

Every reader takes the complete file and returns (width, height) in pixels as stored: neither EXIF orientation nor the
transformations of HEIF are applied. Truncated or invalid data raises struct.error, LookupError or ValueError in a
reader, and becomes None in the result. Time is linear in the bytes and short: no reader decodes pixels. Our own readers
cover what imagesize does not: icons, most of SVG, GIF beyond 32,767 pixels and OS/2 bitmaps.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Callable
from xml.parsers.expat import ExpatError

from msgspec import Struct

from ttcrawl.parse.images import svg

Size = tuple[int, int]

#: Maximum width and height: only SVG can state more, and no program displays it.
MOST = (1 << 31) - 1


def by_library(body: bytes) -> Size:
    """(-1, -1) if unknown: imagesize catches all errors."""
    import imagesize  # with a tree of XML: few crawls measure images

    width, height = imagesize.get(io.BytesIO(body), exif_rotation=False)
    return width, height


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


#: (media type, first bytes of such a file, its reader).
FORMATS: tuple[tuple[str, re.Pattern[bytes], Callable[[bytes], Size]], ...] = (
    ("image/png", re.compile(rb"\x89PNG\r\n\x1a\n"), by_library),
    ("image/jpeg", re.compile(rb"\xff\xd8\xff"), by_library),
    ("image/gif", re.compile(rb"GIF8[79]a"), gif),
    ("image/webp", re.compile(rb"RIFF....WEBP", re.DOTALL), by_library),
    ("image/bmp", re.compile(rb"BM"), bmp),
    ("image/tiff", re.compile(rb"II[*+]\0|MM\0[*+]"), by_library),
    ("image/x-icon", re.compile(rb"\0\0[\1\2]\0"), ico),
    ("image/avif", re.compile(rb"....ftypavi[fs]", re.DOTALL), by_library),
    ("image/heic", re.compile(rb"....ftyp(hei[cmsx]|hev[cmx]|mi[af]1|msf1)", re.DOTALL), by_library),
    ("image/svg+xml", svg.BEGIN, svg.size),
)

#: Other names of these media types.
ALIASES = {
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "image/x-png": "image/png",
    "image/apng": "image/png",
    "image/x-ms-bmp": "image/bmp",
    "image/x-bmp": "image/bmp",
    "image/vnd.microsoft.icon": "image/x-icon",
    "image/ico": "image/x-icon",
    "image/heif": "image/heic",
    "image/svg": "image/svg+xml",
}
MEDIA_TYPES = frozenset(media_type for media_type, _, _ in FORMATS)


class Measured(Struct, frozen=True, kw_only=True):
    """The type and size in the bytes; `media_type` is "" for unknown formats, sizes are None if unknown."""

    media_type: str
    width: int | None = None
    height: int | None = None


def measure(body: bytes) -> Measured:
    """Format and size of an image. Never raises."""
    for media_type, begin, size in FORMATS:
        if not begin.match(body):
            continue
        try:
            width, height = size(body)
        except (struct.error, LookupError, ValueError, ExpatError, ArithmeticError):
            return Measured(media_type=media_type)
        if 0 < width <= MOST and 0 < height <= MOST:
            return Measured(media_type=media_type, width=width, height=height)
        return Measured(media_type=media_type)
    return Measured(media_type="")


def flaw(content_type: str, measured: Measured) -> str:
    """What is wrong with an image of a declared media type; "" if no flaw is known.

    >>> flaw("image/png", Measured(media_type="image/jpeg", width=1, height=1))
    'is image/jpeg'
    """
    media_type = ALIASES.get(content_type, content_type)
    if not measured.media_type:
        return f"is not {media_type}" if media_type in MEDIA_TYPES else ""
    # HEIF is a container: a file that starts with a brand of the family may be either
    if media_type != measured.media_type and {media_type, measured.media_type} != {"image/avif", "image/heic"}:
        return f"is {measured.media_type}"
    return "" if measured.width else "no width and height"
