"""What a page asks of robots about itself: <meta name=robots> and X-Robots-Tag.

No standard: https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag is where both are written down.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

#: Directives that say: do not follow the links of this page.
NOFOLLOW = frozenset({"nofollow", "none"})

#: Directives with a value behind a colon; any other word before a colon is the name of a robot.
VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})

LENGTH = 500  # characters that are recorded

_NAMED = re.compile(r"([a-z_][a-z0-9_./-]*)\s*:\s*(.*)", re.DOTALL)


def directives(metas: Iterable[tuple[str, str]], headers: Iterable[tuple[str, str]], agent: str) -> frozenset[str]:
    """The directives for all robots and for `agent`, in lower case; those of all places hold together.

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
    """Sorted, with commas between, at most LENGTH characters."""
    return ", ".join(sorted(found))[:LENGTH]


def _parts(text: str) -> list[str]:
    """What stands between commas; words without a colon also where only white space stands between them."""
    parts: list[str] = []
    for part in text.lower().split(","):
        words = part.split()
        if words and parts and words[0][0].isdigit():  # of a date: "unavailable_after: Sunday, 01 Feb 2026 ..."
            parts[-1] += f" {' '.join(words)}"
        elif ":" in part:
            parts.append(" ".join(words))
        else:
            parts += words
    return parts


def _meant(parts: list[str], us: str) -> list[str]:
    """Of a header: a robot's name holds for all that comes behind it, up to the next name."""
    ours: list[str] = []
    listening = True
    for part in parts:
        named = _NAMED.fullmatch(part)
        if named and named[1] not in VALUED:
            listening, part = named[1] in ("robots", us), named[2]
        if listening and part:
            ours += [part] if ":" in part else part.split()
    return ours
