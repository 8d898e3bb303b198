"""The order of fetching: pure functions (canonical URL, depth, rank) -> number, smaller first.

Sitemaps give a URL its rank: it decides among URLs of the same depth.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from ttcrawl import config

Priority: TypeAlias = Callable[[str, int, int], int]

#: Priority of a URL without a number that matches the pattern: the largest, except for URLs put last.
LAST = 1 << 61

#: Added to the priority of a URL that is put last: it is then behind all others of its host, and URLs put last keep
#: their order (the column is a signed 64-bit integer).
DEMOTED = 1 << 62

#: Distance between the priorities of two depths; ranks are from -RANKS / 2 to WORST.
RANKS = 1024

#: Rank of a URL that no followed link leads to: every followed link has a better one.
WORST = RANKS // 2 - 1


def priority(settings: config.Frontier) -> Priority:
    """Return the order that [frontier] priority names; URLs of equal priority keep the order of discovery."""
    if settings.priority == "depth":
        return lambda url, depth, rank: depth * RANKS + rank
    if settings.priority == "first":
        return lambda url, depth, rank: 0
    search = re.compile(settings.number_pattern).search
    return lambda url, depth, rank: _number(search(url))


def rank_of(priority: int) -> int:
    """Return the rank in a priority by depth.

    >>> rank_of(3 * RANKS - 400), rank_of(WORST)
    (-400, 511)
    """
    return (priority + RANKS // 2) % RANKS - RANKS // 2


def put_last(priority: int) -> int:
    """Return the same priority, behind all others.

    >>> undemoted(put_last(2048)) == undemoted(2048) == 2048 and put_last(put_last(2048)) == put_last(2048) > LAST
    True
    """
    return undemoted(priority) + DEMOTED


def demoted(priority: int) -> bool:
    """Whether this is the priority of a URL that was put last."""
    return priority > LAST


def undemoted(priority: int) -> int:
    """Return the priority from before the URL was put last."""
    return priority - DEMOTED if demoted(priority) else priority


def renewed(before: int, priority: int) -> int:
    """Return the priority of a rediscovered URL: one that was put last stays last."""
    return put_last(priority) if demoted(before) else priority


def _number(match: re.Match[str] | None) -> int:
    if match is None:
        return LAST
    digits = match[1] or ""
    # ASCII digits only, and at most 40, because int() is slow on long strings
    return min(int(digits[:40]), LAST) if digits.isascii() and digits.isdigit() else LAST
