"""Re-crawl policies on a crawl with several answers: what a budget of visits would have seen of the recorded changes.

The rates, the prices and the intervals are those of `ttcrawl.recrawl`. A page is at each moment as its latest answer up
to then: a change that lies between two recorded answers happens here when the second one was recorded, and what changed
and changed back between them is unknown to every policy. Freshness and age are those of Cho and Garcia-Molina
(Effective page refresh policies for web crawlers, ACM Transactions on Database Systems 28, 2003).
"""

from __future__ import annotations

import heapq
import random
from bisect import bisect_right
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from msgspec import Struct

from ttcrawl.errors import UsageError
from ttcrawl.recrawl.budget import Bounds, Demand, price
from ttcrawl.recrawl.interval import POLICIES
from ttcrawl.recrawl.prior import DAY, fit
from ttcrawl.recrawl.rate import NOTHING, Evidence, changed, estimate, unchanged
from ttcrawl.snapshot.snapshot import View

#: How often the price is found again during the time of the record, and how often the prior with it.
PRICES, PRIORS = 100, 10

_ANSWERS = """
    SELECT answer.url, time, digest FROM answer JOIN url ON url.id = answer.url
    WHERE state = 'fetched' AND digest IS NOT NULL ORDER BY answer.url, time"""


class History(Struct, frozen=True):
    """The moments at which a page became another one, the first answer included, and the number of its answers."""

    moments: Sequence[float]
    answers: int
    last: float


class Recrawled(Struct, frozen=True, kw_only=True):
    """What a policy has seen. Shares and means are over all pages and the time of the record."""

    policy: str
    visits: int
    seen: int  # changes that a visit found; several between two visits are one
    changes: int  # that the record has
    fresh: float  # mean share of time in which the copy was as the page, 0 to 1
    age: float  # mean seconds since the first change that the copy lacks; 0 while it is fresh


def histories(view: View) -> list[History]:
    """Return the histories of all pages. Raises UsageError if no page has several answers."""
    found = []
    for _, of_url in groupby(view.execute(_ANSWERS), key=itemgetter(0)):
        answers = [(time, digest) for _, time, digest in of_url]
        moments = [
            time for number, (time, digest) in enumerate(answers) if not number or digest != answers[number - 1][1]
        ]
        found.append(History(moments, len(answers), answers[-1][0]))
    if not any(each.answers > 1 for each in found):
        raise UsageError(
            f"{view.directory} has one answer of each page: policies for visits are tried on a crawl that was crawled"
            " again (ttcrawl recrawl)"
        )
    return found


def recorded_budget(pages: Sequence[History]) -> float:
    """Return the visits in 24 hours that the record made, besides the first one of each page."""
    return sum(each.answers - 1 for each in pages) / _span(pages)[1] * DAY


def _span(pages: Sequence[History]) -> tuple[float, float]:
    """Return the begin and the length of the record, seconds."""
    begin = min(each.moments[0] for each in pages)
    return begin, max(1.0, max(each.last for each in pages) - begin)


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


class _Totals(Struct):
    visits: int = 0
    seen: int = 0
    fresh: float = 0.0  # seconds, of all pages
    age: float = 0.0  # seconds times seconds
    watched: float = 0.0  # seconds

    def until(self, page: _Page, now: float) -> None:
        """Count the time since the last visit to a page."""
        missed, begun = page.missed, page.visited
        stale = now if missed is None or missed > now else missed
        self.fresh += stale - begun
        self.age += (now - stale) ** 2 / 2
        self.watched += now - begun


class RecrawlTrial:
    """One policy over the time of the record. `budget`: visits in 24 hours. Deterministic: the first visits are
    scattered by `seed`."""

    def __init__(self, pages: Sequence[History], name: str, budget: float, bounds: Bounds, seed: int = 0) -> None:
        self._name, self._policy = name, POLICIES[name]
        self._budget, self._bounds = budget / DAY, bounds
        self._chance = random.Random(seed)
        self._begin, self._seconds = _span(pages)
        self._prior = fit([])
        rate = estimate(NOTHING, self._prior)
        self._pages = [_Page(each, each.moments[0], rate) for each in pages]
        self._totals, self._price = _Totals(), 1.0

    def run(self) -> Recrawled:
        """Visit until the record ends."""
        end, totals = self._begin + self._seconds, self._totals
        for number in range(PRICES):
            if number % (PRICES // PRIORS) == 0:
                self._prior = fit([page.evidence for page in self._pages])
            self._plan(first=number == 0)
            self._visit_until(self._begin + self._seconds * (number + 1) / PRICES)
        for page in self._pages:
            totals.until(page, end)
        return Recrawled(
            policy=self._name,
            visits=totals.visits,
            seen=totals.seen,
            changes=sum(len(page.history.moments) - 1 for page in self._pages),
            fresh=totals.fresh / totals.watched if totals.watched else 1.0,
            age=totals.age / totals.watched if totals.watched else 0.0,
        )

    def _plan(self, *, first: bool) -> None:
        """Find the price, and the next visit of each page by it."""
        demand = Demand()
        for page in self._pages:
            page.rate = estimate(page.evidence, self._prior)
            demand.add(page.rate, 1.0)
        self._price = price(self._policy, demand, self._budget, self._bounds, self._price)
        for page in self._pages:
            page.due = page.visited + self._interval(page) * (self._chance.random() if first else 1.0)

    def _interval(self, page: _Page) -> float:
        return self._bounds.within(self._policy(page.rate, 1.0, self._price))

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
        self._totals.until(page, now)
        self._totals.visits += 1
        missed, waited = page.missed, now - page.visited
        if missed is not None and missed <= now:
            self._totals.seen += 1
            page.evidence = changed(page.evidence, waited)
        else:
            page.evidence = unchanged(page.evidence, waited)
        page.visited = now
        page.rate = estimate(page.evidence, self._prior)
        page.due = now + self._interval(page)


def recrawls(view: View, names: Sequence[str], budget: float | None = None) -> list[Recrawled]:
    """Try policies for visits, each with the same budget: visits in 24 hours, None: as many as the record made.

    Raises UsageError.
    """
    if unknown := [name for name in names if name not in POLICIES]:
        raise UsageError(f"there is no policy for visits {unknown[0]!r}: {', '.join(POLICIES)}")
    pages, settings = histories(view), view.config_or_defaults.revisit
    bounds = Bounds(settings.shortest, settings.longest)
    chosen = recorded_budget(pages) if budget is None else budget
    return [RecrawlTrial(pages, name, chosen, bounds).run() for name in names or POLICIES]


def recrawl_rows(done: Sequence[Recrawled]) -> list[dict[str, str]]:
    """Return a row for each policy: the columns by their headings."""
    return [
        {
            "policy": each.policy,
            "visits": f"{each.visits:,}",
            "changes seen": f"{each.seen:,}",
            "of": f"{each.changes:,}",
            "fresh %": f"{100 * each.fresh:.1f}",
            "mean age s": f"{each.age:,.0f}",
        }
        for each in done
    ]
