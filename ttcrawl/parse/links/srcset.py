"""The attribute srcset: HTML standard 4.8.4.3.9, parsing a srcset attribute."""

from __future__ import annotations

import re
from collections.abc import Callable

from ttcrawl.web.late import late

_SPACE = "\t\n\f\r "
_BEFORE = late(rf"[{_SPACE},]*+")
_URL = late(rf"[^{_SPACE}]++")
# up to a comma outside parentheses; an unclosed parenthesis takes the rest
_DESCRIPTORS = late(r"(?:[^(,]++|\([^)]*+(?:\)|\Z))*+,?+")
_DESCRIPTOR = late(rf"(?:\([^)]*+\)?+|[^(){_SPACE}]++|\))++")
_INTEGER = late(r"[0-9]++")
_NUMBER = late(r"-?+(?:[0-9]++(?:\.[0-9]++)?|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?")


def candidates(srcset: str) -> list[str]:
    """The URLs of the image candidates; candidates with invalid descriptors are left out.

    >>> candidates("a.png, b,c.png 2x, d.png 3y, data:,x 100w")
    ['a.png', 'b,c.png', 'data:,x']
    """
    return [url for url, _ in _parsed(srcset)]


def with_urls(srcset: str, new: Callable[[str], str]) -> str:
    """The candidates with `new(url)` in place of their URLs; those for which it is "" are left out.

    >>> with_urls("a.png, b,c.png 2x", str.upper)
    'A.PNG, B,C.PNG 2x'
    """
    return ", ".join(
        f"{url} {rest}".rstrip() for url, rest in ((new(url), rest) for url, rest in _parsed(srcset)) if url
    )


def _parsed(srcset: str) -> list[tuple[str, str]]:
    """The URL and the descriptors of each candidate."""
    urls: list[tuple[str, str]] = []
    position, end = _after(_BEFORE, srcset, 0), len(srcset)
    while position < end:
        url = _URL.match(srcset, position)
        assert url is not None  # the position is neither white space nor the end
        href, position = url[0], url.end()
        bare = href.rstrip(",")
        if bare != href:
            urls.append((bare, ""))
        else:
            stop = _after(_DESCRIPTORS, srcset, position)
            descriptors = _DESCRIPTOR.findall(srcset, position, stop - srcset.startswith(",", stop - 1))
            if _are_descriptors(descriptors):
                urls.append((href, " ".join(descriptors)))
            position = stop
        position = _after(_BEFORE, srcset, position)
    return urls


def _after(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _are_descriptors(descriptors: list[str]) -> bool:
    width = density = height = False
    for each in descriptors:
        value, unit = each[:-1], each[-1]
        if unit == "w" and _INTEGER.fullmatch(value) and not (width or density):
            width = value.strip("0") != ""
            if not width:
                return False
        elif unit == "x" and _NUMBER.fullmatch(value) and not (width or density or height):
            if value.startswith("-") and value.strip("-0.eE+") != "":
                return False
            density = True
        elif unit == "h" and _INTEGER.fullmatch(value) and not (height or density):
            height = value.strip("0") != ""
            if not height:
                return False
        else:
            return False
    return width or not height
