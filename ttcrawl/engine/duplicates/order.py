"""Which of several pages that are the same is the original."""

from __future__ import annotations

from typing import TypeAlias

from ttcrawl.frontier.priority import undemoted
from ttcrawl.ring.messages import NOT_FOLLOWED

#: Smaller comes first. The URL stands for "first met", which is a matter of timing among pages of the same depth.
Order: TypeAlias = tuple[int, int, str]


def order(depth: int | None, priority: int, url: str) -> Order:
    """A URL that was put last has the order that it would have had: when that is done is a matter of timing too."""
    return (NOT_FOLLOWED if depth is None else depth, undemoted(priority), url)
