"""SVG 2: width, height and viewBox of the root element, lengths in CSS pixels (CSS Values 4 section 6.2)."""

from __future__ import annotations

import contextlib
import re
from xml.parsers import expat

from ttcrawl.web.late import late

#: The beginning of an SVG file, as far as it differs from other XML (in UTF-16 it does not).
BEGIN = late(
    rb"(\xef\xbb\xbf)?[ \t\r\n]*+<((\w++:)?svg[ \t\r\n/>]|(\?xml|!doctype|!--)(?=.{0,16384}<(\w++:)?svg[ \t\r\n/>]))"
    rb"|\xff\xfe<\0|\xfe\xff\0<",
    re.DOTALL | re.IGNORECASE,
)

#: Bytes in which the start tag of the root must be complete.
HEAD = 1 << 16

#: A length with its unit, in pixels; relative lengths (em, %) depend on the context, and do not match.
LENGTH = late(r"\s*+\+?(\d{0,9}+(?:\.\d++)?(?:e[+-]?\d)?)\s*+(px|in|cm|mm|q|pt|pc|)\s*+", re.IGNORECASE)
PIXELS = {"": 1.0, "px": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "q": 2.4 / 2.54, "pt": 4 / 3, "pc": 16.0}


class _Root(Exception):
    """The start tag of the root element was read."""


def size(body: bytes) -> tuple[int, int]:
    """(width, height) in pixels. If one or both are missing, the ratio of viewBox gives them."""
    parser = expat.ParserCreate()
    values: dict[str, str] = {}

    def root(name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(":")[2] != "svg":
            raise ValueError("not svg")
        values.update(attributes)
        raise _Root

    parser.StartElementHandler = root
    with contextlib.suppress(_Root):
        parser.Parse(body[:HEAD], len(body) <= HEAD)
    width, height = _pixels(values.get("width", "")), _pixels(values.get("height", ""))
    if width is not None and height is not None:
        return round(width), round(height)
    wide, high = _box(values.get("viewBox", ""))
    if width is not None:
        return round(width), round(width * high / wide)
    if height is not None:
        return round(height * wide / high), round(height)
    return round(wide), round(high)


def _pixels(text: str) -> float | None:
    match = LENGTH.fullmatch(text)
    return float(match[1]) * PIXELS[match[2].lower()] if match and match[1] else None


def _box(text: str) -> tuple[float, float]:
    """Width and height of "min-x min-y width height". Raises ValueError."""
    _, _, width, height = map(float, text.replace(",", " ").split())
    return width, height
