"""What is fetched first: pure functions (canonical URL, depth, rank) -> number, smaller first.

A rank is what sitemaps say of a URL: it decides among URLs of the same depth.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from ttcrawl import config

Priority: TypeAlias = Callable[[str, int, int], int]

#: Of a URL in which the pattern finds no number, and the largest there is but for those put last.
LAST = 1 << 61

#: What is added to the priority of a URL that is put last: with it every one is behind all others of its host, and in
#: the same order among themselves (the column is a signed 64-bit integer).
DEMOTED = 1 << 62

#: Between two depths; ranks are from -RANKS / 2 to WORST.
RANKS = 1024

#: Of a URL that nothing leads to which is followed: every way that is has a better one.
WORST = RANKS // 2 - 1


def priority(settings: config.Frontier) -> Priority:
    """The order that [frontier] priority names; URLs of equal priority go in the order in which they were met."""
    if settings.priority == "depth":
        return lambda url, depth, rank: depth * RANKS + rank
    if settings.priority == "first":
        return lambda url, depth, rank: 0
    search = re.compile(settings.number_pattern).search
    return lambda url, depth, rank: _number(search(url))


def rank_of(priority: int) -> int:
    """The rank in a priority by depth.

    >>> rank_of(3 * RANKS - 400), rank_of(WORST)
    (-400, 511)
    """
    return (priority + RANKS // 2) % RANKS - RANKS // 2


def put_last(priority: int) -> int:
    """The same priority, behind all others.

    >>> undemoted(put_last(2048)) == undemoted(2048) == 2048 and put_last(put_last(2048)) == put_last(2048) > LAST
    True
    """
    return undemoted(priority) + DEMOTED


def demoted(priority: int) -> bool:
    """It is that of a URL that was put last."""
    return priority > LAST


def undemoted(priority: int) -> int:
    """As it was before the URL was put last."""
    return priority - DEMOTED if demoted(priority) else priority


def renewed(before: int, priority: int) -> int:
    """The priority of a URL that is met on another way: one that was put last stays so."""
    return put_last(priority) if demoted(before) else priority


def _number(match: re.Match[str] | None) -> int:
    if match is None:
        return LAST
    digits = match[1] or ""
    # ASCII digits only, and not so many that int() is slow
    return min(int(digits[:40]), LAST) if digits.isascii() and digits.isdigit() else LAST
