"""The titles of a site without the end that most of them have, such as " - Example documentation"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

#: What stands between a title and the name of the site.
_SEPARATOR = re.compile(r"\s+(?:[-|·•:»\u2013\u2014]|::)\s+")

#: Pages that a host has at least, and the share of them that have an end, for it to be left out.
FEWEST, SHARE = 3, 0.5

#: Ends of one title: the name of a part, then that of the site.
MOST = 3


def common_ends(titles: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """Host -> the ends that more than half of its titles have, of (host, title).

    >>> common_ends(("a", f"{page} - Docs") for page in ("One", "Two", "Three"))
    {'a': frozenset({' - Docs'})}
    """
    pages, ends = Counter[str](), Counter[tuple[str, str]]()
    for host, title in titles:
        pages[host] += 1
        ends.update({(host, end) for end in _ends(title)})
    found: dict[str, set[str]] = {}
    for (host, end), count in ends.items():
        if pages[host] >= FEWEST and count > SHARE * pages[host]:
            found.setdefault(host, set()).add(end)
    return {host: frozenset(each) for host, each in found.items()}


def without_end(host: str, title: str, ends: Mapping[str, frozenset[str]]) -> str:
    """A title without the longest end that is common, unless nothing is left.

    >>> without_end("a", "One - Docs", {"a": frozenset({" - Docs"})})
    'One'
    """
    of_host = ends.get(host, frozenset())
    longest = max((end for end in _ends(title) if end in of_host), key=len, default="")
    return title.removesuffix(longest).strip() or title


def _ends(title: str) -> list[str]:
    """The ends of a title, each with the separator before it."""
    starts = [match.start() for match in _SEPARATOR.finditer(title)][-MOST:]
    return [title[start:] for start in starts if title[:start].strip()]
