"""Which of several identical pages is the original."""

from __future__ import annotations

from typing import TypeAlias

from ttcrawl.ring.messages import NOT_FOLLOWED

#: Smaller comes first. The URL replaces "first discovered", which depends on timing among pages of the same depth.
Order: TypeAlias = tuple[int, int, str]


def order(depth: int | None, rank: int, url: str) -> Order:
    """Return the order of a page. It depends neither on timing nor on the order of the queue."""
    return (NOT_FOLLOWED if depth is None else depth, rank, url)
