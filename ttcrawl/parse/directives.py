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

#: The header with directives, in lower case.
HEADER = "x-robots-tag"

LENGTH = 500  # maximum characters stored

_ROBOT = re.compile(r"([a-z_][a-z0-9_./-]*)\s*:\s*(.*)", re.DOTALL)


def directives(metas: Iterable[tuple[str, str]], headers: Iterable[tuple[str, str]], agent: str) -> frozenset[str]:
    """The directives for all robots and for `agent`, in lower case; directives from all sources are combined.

    `metas` are (name, content) of meta elements, `headers` (name, value) of the response.

    >>> sorted(directives([("robots", "NoIndex")], [("X-Robots-Tag", "ttcrawl: nofollow, other: none")], "ttcrawl"))
    ['nofollow', 'noindex']
    """
    collected: set[str] = set()
    us = agent.lower()
    for name, content in metas:
        if name.strip().lower() in ("robots", us):
            collected.update(_split(content))
    for name, value in headers:
        if name.lower() == HEADER:
            collected.update(_for_us(_split(value), us))
    return frozenset(collected)


def joined(collected: frozenset[str]) -> str:
    """Sorted, comma-separated, at most LENGTH characters."""
    return ", ".join(sorted(collected))[:LENGTH]


def _split(text: str) -> list[str]:
    """Split at commas; words without a colon also at white space."""
    items: list[list[str]] = []  # their words: texts that grow take quadratic time
    for item in text.lower().split(","):
        words = item.split()
        if words and items and words[0][0].isdigit():  # part of a date: "unavailable_after: Sunday, 01 Feb 2026 ..."
            items[-1] += words
        elif ":" in item:
            items.append(words)
        else:
            items += [[word] for word in words]
    return list(map(" ".join, items))


def _for_us(items: list[str], us: str) -> list[str]:
    """In a header, a robot's name applies to everything after it, up to the next name."""
    ours: list[str] = []
    listening = True
    for item in items:
        robot = _ROBOT.fullmatch(item)
        if robot and robot[1] not in VALUED:
            listening, item = robot[1] in ("robots", us), robot[2]
        if listening and item:
            ours += [item] if ":" in item else item.split()
    return ours
