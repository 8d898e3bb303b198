"""What is fetched first: pure functions (canonical URL, depth) -> number, smaller first."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from ttcrawl import config

Priority: TypeAlias = Callable[[str, int], int]

#: Of a URL in which the pattern finds no number, and the largest there is (the column is a 64-bit integer).
LAST = 1 << 62


def priority(settings: config.Frontier) -> Priority:
    """The order that [frontier] priority names; URLs of equal priority go in the order in which they were met."""
    if settings.priority == "depth":
        return lambda url, depth: depth
    if settings.priority == "first":
        return lambda url, depth: 0
    search = re.compile(settings.number_pattern).search
    return lambda url, depth: _number(search(url))


def _number(match: re.Match[str] | None) -> int:
    if match is None:
        return LAST
    digits = match[1] or ""
    # ASCII digits only, and not so many that int() is slow
    return min(int(digits[:40]), LAST) if digits.isascii() and digits.isdigit() else LAST
