"""The robots directives of a page: <meta name=robots> and X-Robots-Tag.

No standard defines them; https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag documents both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

#: Directives that forbid following the links of the page.
NOFOLLOW = frozenset({"nofollow", "none"})

#: Directives with a value after a colon; any other word before a colon is a robot's name.
VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})

LENGTH = 500  # maximum characters stored

_NAMED = re.compile(r"([a-z_][a-z0-9_./-]*)\s*:\s*(.*)", re.DOTALL)


def directives(metas: Iterable[tuple[str, str]], headers: Iterable[tuple[str, str]], agent: str) -> frozenset[str]:
    """The directives for all robots and for `agent`, in lower case; directives from all sources are combined.

    `metas` are (name, content) of meta elements, `headers` (name, value) of the response.

    >>> sorted(directives([("robots", "NoIndex")], [("X-Robots-Tag", "ttcrawl: nofollow, other: none")], "ttcrawl"))
    ['nofollow', 'noindex']
    """
    found: set[str] = set()
    us = agent.lower()
    for name, content in metas:
        if name.strip().lower() in ("robots", us):
            found.update(_parts(content))
    for name, value in headers:
        if name.lower() == "x-robots-tag":
            found.update(_meant(_parts(value), us))
    return frozenset(found)


def recorded(found: frozenset[str]) -> str:
    """Sorted, comma-separated, at most LENGTH characters."""
    return ", ".join(sorted(found))[:LENGTH]


def _parts(text: str) -> list[str]:
    """Split at commas; words without a colon also at white space."""
    parts: list[str] = []
    for part in text.lower().split(","):
        words = part.split()
        if words and parts and words[0][0].isdigit():  # part of a date: "unavailable_after: Sunday, 01 Feb 2026 ..."
            parts[-1] += f" {' '.join(words)}"
        elif ":" in part:
            parts.append(" ".join(words))
        else:
            parts += words
    return parts


def _meant(parts: list[str], us: str) -> list[str]:
    """In a header, a robot's name applies to everything after it, up to the next name."""
    ours: list[str] = []
    listening = True
    for part in parts:
        named = _NAMED.fullmatch(part)
        if named and named[1] not in VALUED:
            listening, part = named[1] in ("robots", us), named[2]
        if listening and part:
            ours += [part] if ":" in part else part.split()
    return ours
