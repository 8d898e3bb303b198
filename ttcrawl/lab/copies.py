"""What the copies of pages are like while policies for visits keep them: their freshness and age, over time.

Freshness and age are those of Cho and Garcia-Molina (Effective page refresh policies for web crawlers, ACM Transactions
on Database Systems 28, 2003). The importance of a page weighs both.
"""

from __future__ import annotations

from itertools import accumulate
from math import ceil

from msgspec import Struct

#: Moments of a curve after its begin.
POINTS = 200


class CopyPoint(Struct, frozen=True, kw_only=True):
    """The copies at a moment, and totals up to it."""

    seconds: float  # since the record begins
    visits: int
    seen: int  # changes that a visit found; several between two visits are one
    fresh: float  # share of the copies that are as their pages, 0 to 1
    weighted_fresh: float  # the same, each copy by the weight of its page
    age: float  # mean seconds since the first change that a copy lacks; 0 while it is fresh


class Copies:
    """`begin`, `end`: of the record, seconds since the epoch."""

    def __init__(self, begin: float, end: float) -> None:
        self._begin, self._end = begin, end
        self._step = (end - begin) / POINTS
        self.visits = self.seen = 0
        self.fresh = self.weighted_fresh = self.age = 0.0  # seconds of all copies; age: seconds times seconds
        self.watched = self.weighted = 0.0  # seconds of all copies; the same by weight
        # of each moment: what begins there, less what ends there
        self._visits, self._seen = [0] * (POINTS + 2), [0] * (POINTS + 2)
        self._copies, self._fresh = [0.0] * (POINTS + 2), [0.0] * (POINTS + 2)
        self._weights, self._weighted_fresh = [0.0] * (POINTS + 2), [0.0] * (POINTS + 2)
        self._since = [0.0] * (POINTS + 2)  # when copies became stale, seconds since the begin

    def visit(self, now: float, *, seen: bool) -> None:
        """Count a visit, and whether it found a change."""
        self.visits, self.seen = self.visits + 1, self.seen + seen
        self._visits[self._moment(now)] += 1
        self._seen[self._moment(now)] += seen

    def keep(self, begun: float, missed: float | None, now: float, weight: float) -> None:
        """Count a copy from one visit to the next. `missed`: the first change after `begun`; None: there is none."""
        stale = now if missed is None or missed > now else missed
        self.fresh += stale - begun
        self.weighted_fresh += weight * (stale - begun)
        self.age += (now - stale) ** 2 / 2
        self.watched += now - begun
        self.weighted += weight * (now - begun)
        first, middle, last = self._moment(begun), self._moment(stale), self._moment(now)
        _between(self._copies, first, last, 1)
        _between(self._fresh, first, middle, 1)
        _between(self._weights, first, last, weight)
        _between(self._weighted_fresh, first, middle, weight)
        _between(self._since, middle, last, stale - self._begin)

    def points(self) -> list[CopyPoint]:
        """Return the curve."""
        sums = (accumulate(each) for each in (self._visits, self._seen, self._copies, self._fresh, self._since))
        weights = (accumulate(each) for each in (self._weights, self._weighted_fresh))
        points = []
        for number, row in enumerate(zip(*sums, *weights, strict=True)):
            visits, seen, copies, fresh, since, weight, weighted_fresh = row
            seconds = number * self._step
            points.append(
                CopyPoint(
                    seconds=seconds,
                    visits=visits,
                    seen=seen,
                    fresh=fresh / copies if copies else 1.0,
                    weighted_fresh=weighted_fresh / weight if weight else 1.0,
                    age=((copies - fresh) * seconds - since) / copies if copies else 0.0,
                )
            )
        return points[: POINTS + 1]

    def _moment(self, now: float) -> int:
        """Return the number of the first moment that is not before `now`; what lasts to the end has a last one more."""
        return POINTS + 1 if now >= self._end else ceil((now - self._begin) / self._step)


def _between(series: list[float], first: int, last: int, value: float) -> None:
    series[first] += value
    series[last] -= value
