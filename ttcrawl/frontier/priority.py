"""The order of fetching: pure functions of what is known of a URL.

Its rank comes from sitemaps and decides among URLs of the same depth. Its score comes from the URL. A demoted URL comes
behind all others of its host.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from ttcrawl import config

#: The order by the score that links and pages give a URL (ttcrawl.topic.best_first).
TOPIC = "topic"

#: A priority before all others.
FIRST = -(1 << 62)

#: Priority of a URL without a number that matches the pattern: the largest, except for demoted URLs.
LAST = 1 << 61

#: Added to the priority of a demoted URL: it is then behind all others of its host, and demoted URLs keep their order
#: (the column is a signed 64-bit integer).
DEMOTED = 1 << 62

#: Distance between the priorities of two depths; ranks are from -RANKS / 2 to WORST.
RANKS = 1024

#: Rank of a URL that no followed link leads to: every followed link has a better one.
WORST = RANKS // 2 - 1


class QueueOrder(Struct, frozen=True):
    """The order that [frontier] priority names; URLs of equal priority keep the order of discovery."""

    name: str  # depth, first, number, topic
    pattern: re.Pattern[str]  # its first group is the number in a URL
    #: Of a Host that is due, smaller is first; None: [frontier] decides.
    rank: Callable[[Any], int] | None = None

    @property
    def has_scores(self) -> bool:
        return self.name in ("number", TOPIC)

    def score(self, url: str, promised: int = 0) -> int:
        """Return the score of a canonical URL; larger is first. By number it is minus the number.

        `promised`: by a link to it (ttcrawl.topic.best_first).
        """
        if self.name == "number":
            return -_number(self.pattern.search(url))
        return promised if self.name == TOPIC else 0

    def priority(self, depth: int, rank: int, score: int, demoted: int = 0) -> int:
        """Return the position of a URL in the queue of its host; smaller is first."""
        priority = depth * RANKS + rank if self.name == "depth" else -score
        return priority + DEMOTED if demoted else priority

    def __str__(self) -> str:
        return f"number {self.pattern.pattern}" if self.name == "number" else self.name


def queue_order(settings: config.Frontier) -> QueueOrder:
    return QueueOrder(settings.priority, re.compile(settings.number_pattern))


def _number(match: re.Match[str] | None) -> int:
    if match is None:
        return LAST
    digits = match[1] or ""
    # ASCII digits only, and at most 40, because int() is slow on long strings
    return min(int(digits[:40]), LAST) if digits.isascii() and digits.isdigit() else LAST
