"""The most frequent of many values, in bounded memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

#: Distinct values in memory, some 150 bytes each.
MOST = 250_000


class Frequent:
    """Counts of values. They are exact until `most` distinct values came; then the rarer half is forgotten, as in lossy
    counting (Manku and Motwani 2002), which leaves the frequent ones and may miss some of their first occurrences."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._counts: Counter[str] = Counter()

    def add(self, value: str) -> None:
        self._counts[value] += 1
        if len(self._counts) > self._most:  # half of them, so that this is rare, whatever the counts are
            self._counts = Counter(dict(self._counts.most_common()[: self._most // 2]))

    def top(self, number: int, least: int = 1) -> Mapping[str, int]:
        """The most frequent values that occur `least` times or more, with their counts; equal counts by value."""
        often = ((value, count) for value, count in self._counts.items() if count >= least)
        return dict(sorted(often, key=lambda each: (-each[1], each[0]))[:number])
