"""Equivalent spellings of one URL, as people write them: all resolve to the same canonical URL."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from random import Random
from urllib.parse import unquote

ODD = 0.05  # the share of links with an unusual spelling


def spell(href: str, random: Random) -> str:
    """`href` (a root-relative or absolute canonical URL) as the value of an attribute in double quotes, escaped.

    Every page is at the root of the site, so a path relative to the page is relative to the root. All spellings give
    the same URL in a WHATWG parser: letter case of scheme and host, the default port, dot segments (even above the
    root), percent-encoding of spaces and of non-ASCII characters.
    """
    if random.random() < ODD:
        spellings = INSIDE if href.startswith("/") else OUTSIDE
        href = spellings[int(random.random() * len(spellings))](href)
    return escape(href) if "&" in href else href


def _host_in_capitals(href: str) -> str:
    scheme, _, host, path = href.split("/", 3)
    return f"{scheme}//{host.upper()}/{path}"


def _with_port(href: str) -> str:
    scheme, _, host, path = href.split("/", 3)
    return f"{scheme}//{host}:{443 if scheme == 'https:' else 80}/{path}"


INSIDE: tuple[Callable[[str], str], ...] = (
    lambda href: href[1:] or "./",
    lambda href: "." + href,
    lambda href: ".." + href,
    lambda href: "/study/.." + href,
    unquote,
)
OUTSIDE: tuple[Callable[[str], str], ...] = (
    _host_in_capitals,
    _with_port,
    lambda href: href[:4].upper() + href[4:],
)
