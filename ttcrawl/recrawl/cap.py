"""A budget as a limit: no 24 hours have more visits than it allows, rounded up, whatever is due."""

from __future__ import annotations

import math

from ttcrawl.recrawl.prior import DAY

#: Visits are counted in this many parts of the time to which the limit applies, which is longer by one of them.
PARTS = 96


class Cap:
    """Visits that have ended, by the clock on the wall. `budget`: visits a day. If it is not a whole number,
    the limit is the next one, and applies to as much longer a time: 1.5 visits a day are 2 in 32 hours.

    >>> cap = Cap(2)
    >>> for moment in (0.0, 3600.0):
    ...     cap.ended(moment)
    >>> [cap.room(moment, 0) for moment in (7200.0, 25.0 * 3600)], cap.opens(7200.0) / 3600
    ([0, 1], 25.25)
    >>> cap, begun = Cap(1.5), []
    >>> for hour in range(330):
    ...     if cap.room(hour * 3600.0, 0):
    ...         cap.ended(hour * 3600.0)
    ...         begun.append(hour)
    >>> len(begun)
    20
    """

    def __init__(self, budget: float, text: str = "") -> None:
        """`text`: what an earlier one has returned as its text."""
        self._most = math.ceil(budget)
        self._part = DAY * self._most / budget / PARTS
        parts = (each.split(":") for each in text.split())
        self._counts = {int(part): int(count) for part, count in parts}

    def ended(self, now: float) -> None:
        """Count a visit."""
        part = math.floor(now / self._part)
        self._counts[part] = self._counts.get(part, 0) + 1

    def room(self, now: float, active: int) -> int:
        """Return the visits that may begin while others are active; they count as if they ended now."""
        latest = math.floor(now / self._part)
        # a part that is ahead was counted by a clock that was ahead
        self._counts = {part: count for part, count in self._counts.items() if latest - PARTS <= part <= latest}
        return max(0, self._most - active - sum(self._counts.values()))

    def opens(self, now: float) -> float:
        """Return when fewer visits count than now, if none begins."""
        return (min(self._counts, default=math.floor(now / self._part)) + PARTS + 1) * self._part

    @property
    def text(self) -> str:
        """The counts, for a table."""
        return " ".join(f"{part}:{count}" for part, count in self._counts.items())
