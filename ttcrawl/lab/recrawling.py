"""Policies for visits on a crawl with several answers: what each would have seen of the recorded changes.

The rates, the prices and the intervals are those of `ttcrawl.recrawl`. A page is at each moment as its latest answer up
to then: a change that lies between two recorded answers happens here when the second one was recorded, and what changed
and changed back between them is unknown to every policy.
"""

from __future__ import annotations

import heapq
import random
from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct

from ttcrawl.errors import UsageError
from ttcrawl.lab.copies import Copies, CopyPoint
from ttcrawl.lab.histories import WEIGHTS, History, histories, recorded_budget, span
from ttcrawl.recrawl.budget import Bounds, Demand, price
from ttcrawl.recrawl.interval import POLICIES
from ttcrawl.recrawl.prior import DAY, fit
from ttcrawl.recrawl.rate import NOTHING, Evidence, changed, estimate, unchanged
from ttcrawl.snapshot.snapshot import View

#: How often the price is found again during the time of the record, and how often the prior with it.
PRICES, PRIORS = 100, 10


class Recrawled(Struct, frozen=True, kw_only=True):
    """What a policy has seen. Shares and means are over all pages and the time of the record."""

    policy: str
    trial: int
    visits: int
    seen: int  # changes that a visit found; several between two visits are one
    changes: int  # that the record has
    fresh: float  # mean share of time in which the copy was as the page, 0 to 1
    weighted_fresh: float  # the same, each page by its weight
    age: float  # mean seconds since the first change that the copy lacks; 0 while it is fresh
    points: Sequence[CopyPoint] = ()  # the same over the time of the record


class _Page(Struct):
    """A page during a trial. `due` is its next visit; infinity: none is worth it."""

    history: History
    visited: float
    rate: float
    due: float = 0.0
    evidence: Evidence = NOTHING

    @property
    def missed(self) -> float | None:
        """The moment of the first change since the last visit; None: the record has none."""
        after = bisect_right(self.history.moments, self.visited)
        return self.history.moments[after] if after < len(self.history.moments) else None


class RecrawlTrial:
    """One policy over the time of the record. `budget`: visits in 24 hours. Deterministic: the first visits are
    scattered by `seed`."""

    def __init__(self, pages: Sequence[History], name: str, budget: float, bounds: Bounds, seed: int = 0) -> None:
        self._name, self._policy = name, POLICIES[name]
        self._seed = seed
        self._budget, self._bounds = budget / DAY, bounds
        self._chance = random.Random(seed)
        self._begin, self._seconds = span(pages)
        self._prior = fit([])
        rate = estimate(NOTHING, self._prior)
        self._pages = [_Page(each, each.moments[0], rate) for each in pages]
        self._copies, self._price = Copies(self._begin, self._begin + self._seconds), 1.0

    def run(self) -> Recrawled:
        """Visit until the record ends."""
        end, copies = self._begin + self._seconds, self._copies
        for number in range(PRICES):
            if number % (PRICES // PRIORS) == 0:
                self._prior = fit([page.evidence for page in self._pages])
            self._plan(first=number == 0)
            self._visit_until(self._begin + self._seconds * (number + 1) / PRICES)
        for page in self._pages:
            copies.keep(page.visited, page.missed, end, page.history.weight)
        return Recrawled(
            policy=self._name,
            trial=self._seed,
            visits=copies.visits,
            seen=copies.seen,
            changes=sum(len(page.history.moments) - 1 for page in self._pages),
            fresh=copies.fresh / copies.watched if copies.watched else 1.0,
            weighted_fresh=copies.weighted_fresh / copies.weighted if copies.weighted else 1.0,
            age=copies.age / copies.watched if copies.watched else 0.0,
            points=copies.points(),
        )

    def _plan(self, *, first: bool) -> None:
        """Find the price, and the next visit of each page by it."""
        demand = Demand()
        for page in self._pages:
            page.rate = estimate(page.evidence, self._prior)
            demand.add(page.rate, page.history.weight)
        self._price = price(self._policy, demand, self._budget, self._bounds, self._price)
        for page in self._pages:
            page.due = page.visited + self._interval(page) * (self._chance.random() if first else 1.0)

    def _interval(self, page: _Page) -> float:
        return self._bounds.within(self._policy(page.rate, page.history.weight, self._price))

    def _visit_until(self, end: float) -> None:
        begin = end - self._seconds / PRICES
        queue = [(max(page.due, begin), number) for number, page in enumerate(self._pages) if page.due < end]
        heapq.heapify(queue)
        while queue:
            now, number = heapq.heappop(queue)
            page = self._pages[number]
            self._visit(page, now)
            if page.due < end:
                heapq.heappush(queue, (page.due, number))

    def _visit(self, page: _Page, now: float) -> None:
        missed, waited = page.missed, now - page.visited
        seen = missed is not None and missed <= now
        self._copies.keep(page.visited, missed, now, page.history.weight)
        self._copies.visit(now, seen=seen)
        page.evidence = changed(page.evidence, waited) if seen else unchanged(page.evidence, waited)
        page.visited = now
        page.rate = estimate(page.evidence, self._prior)
        page.due = now + self._interval(page)


def recrawls(
    view: View, names: Sequence[str], budget: float | None = None, *, weights: str = WEIGHTS[0], trials: int = 1
) -> list[Recrawled]:
    """Try policies for visits, each with the same budget: visits in 24 hours, None: as many as the record made.
    `weights`: one of WEIGHTS. `trials`: of each policy, whose first visits are scattered in other ways.

    Raises UsageError.
    """
    if unknown := [name for name in names if name not in POLICIES]:
        raise UsageError(f"there is no policy for visits {unknown[0]!r}: {', '.join(POLICIES)}")
    pages, settings = histories(view, weights), view.config_or_defaults.revisit
    bounds = Bounds(settings.shortest, settings.longest)
    chosen = recorded_budget(pages) if budget is None else budget
    return [
        RecrawlTrial(pages, name, chosen, bounds, seed).run() for name in names or POLICIES for seed in range(trials)
    ]
