"""How long until the next visit of a page: always the same, or by how often it changes and a budget of visits.

The priors of hosts and the price of a visit are found once a day, the price from a few thousand pages that stand for
all: each day others, so that their chance evens out.
"""

from __future__ import annotations

from ttcrawl import config
from ttcrawl.engine.recrawl.priors import Priors, Table
from ttcrawl.recrawl.budget import Bounds, Demand, price
from ttcrawl.recrawl.interval import POLICIES, Policy
from ttcrawl.recrawl.json_text import evidence_of
from ttcrawl.recrawl.prior import DAY
from ttcrawl.recrawl.rate import NOTHING, Evidence, Gamma, estimate, watched

#: The share of the budget that is left for the policy at least, whatever sitemaps and feeds announce.
LEAST = 0.1

#: Pages that stand for all.
SAMPLE = 5_000

#: No page waits longer than this multiple of the seconds in which it was watched: the first prices and estimates are
#: wrong, and a page that is given up because of them shows nothing else.
LONGER = 2.0


class Pace:
    def __init__(self, settings: config.Revisit, table: Table) -> None:
        self._settings, self._table = settings, table
        self._bounds = Bounds(settings.shortest, settings.longest)
        self._policy = POLICIES.get(settings.policy)
        self.priors = Priors()
        self._price, self._planned = 1.0, float("-inf")
        self._first = dict[tuple[Gamma, float], float]()  # prior, weight -> interval of a page that was never visited
        self._signals = 0  # announced pages that were visited since the last plan

    def interval(self, evidence: Evidence, depth: int | None, site: int | None) -> float:
        """Return the seconds from a visit to the next. `site`: id of the host; None: unknown."""
        if self._policy is None:
            return self._settings.interval
        if self._planned < 0:
            return self._bounds.longest
        prior, importance = self.priors.of(site), weight(depth)
        first = self._first.get((prior, importance))
        if first is None:
            first = self._first[prior, importance] = self._seconds(self._policy, NOTHING, prior, importance)
        since = watched(evidence) + evidence.dated * first
        return min(self._seconds(self._policy, evidence, prior, importance), max(first, LONGER * since))

    def interval_of(self, evidence: str, depth: int | None, site: int) -> float:
        """Return the same for what is remembered of a page, as text."""
        return self.interval(evidence_of(evidence), depth, site)

    def _seconds(self, policy: Policy, evidence: Evidence, prior: Gamma, importance: float) -> float:
        return self._bounds.within(policy(estimate(evidence, prior), importance, self._price))

    @property
    def first(self) -> float:
        """The seconds from the first answer of a page to its first visit."""
        return self.interval(NOTHING, None, None)

    def plan(self, now: float) -> bool:
        """Find priors and price anew, if the last time is a day ago. Return whether they are new."""
        if self._policy is None or self._planned <= now < self._planned + DAY:
            return False
        rows, total = self._table.sample(SAMPLE, round(now / DAY) * SAMPLE)
        if not rows:
            return False
        before, self._planned = self._planned, now
        seen = [evidence_of(row.evidence) for row in rows]
        self.priors.learn(self._table, [each for each in seen if each != NOTHING])
        demand, listings = Demand(), 0
        for row, each in zip(rows, seen, strict=True):
            if row.refused:  # it spends nothing
                continue
            if row.listing and self._settings.signals:
                listings += 1
            else:
                demand.add(estimate(each, self.priors.of(row.site)), weight(row.depth))
        share = len(rows) / total
        self._price = price(
            self._policy, demand, self._left(listings / share, now - before) * share, self._bounds, self._price
        )
        self._first.clear()
        return True

    def _left(self, listings: float, seconds: float) -> float:
        """The visits a second that sitemaps, feeds and what they announce leave for the policy."""
        budget = self._settings.budget / DAY
        announced, self._signals = self._signals / max(seconds, DAY), 0
        return max(budget - listings / self._settings.interval - announced, LEAST * budget)

    def announced(self) -> None:
        """Count a visit that a sitemap or feed has asked for."""
        self._signals += 1


def weight(depth: int | None) -> float:
    """Return the importance of a page by the links from the seeds to it; None: unknown, or none is followed.

    >>> weight(0), weight(3), weight(None)
    (1.0, 0.25, 0.25)
    """
    return 1 / (1 + (3 if depth is None else depth))
