"""How long until the next visit of a page: always the same, or by how often it changes and a budget of visits.

The priors of hosts and the price of a visit are found once a day by scans of table `revisit` (about 10 µs a page).
"""

from __future__ import annotations

from ttcrawl import config
from ttcrawl.engine.priors import Priors, Table
from ttcrawl.revisit.budget import Bounds, Demand, price
from ttcrawl.revisit.interval import POLICIES
from ttcrawl.revisit.memory import evidence_of
from ttcrawl.revisit.prior import DAY
from ttcrawl.revisit.rate import NOTHING, Evidence, estimate

#: The share of the budget that is left for the policy at least, whatever sitemaps and feeds announce.
LEAST = 0.1


class Pace:
    def __init__(self, settings: config.Revisit, table: Table) -> None:
        self._settings, self._table = settings, table
        self._bounds = Bounds(settings.shortest, settings.longest)
        self._policy = POLICIES.get(settings.policy)
        self.priors = Priors()
        self._price, self._planned = 1.0, float("-inf")
        self._signals = 0  # announced pages that were visited since the last plan

    def interval(self, evidence: Evidence, depth: int | None, site: int | None) -> float:
        """Return the seconds from a visit to the next. `site`: id of the host; None: unknown."""
        if self._policy is None:
            return self._settings.interval
        if self._planned < 0:
            return self._bounds.longest
        return self._bounds.within(self._policy(estimate(evidence, self.priors.of(site)), weight(depth), self._price))

    @property
    def first(self) -> float:
        """The seconds from the first answer of a page to its first visit."""
        return self.interval(NOTHING, None, None)

    def plan(self, now: float) -> bool:
        """Find priors and price anew, if the last time is a day ago. Return whether they are new."""
        if self._policy is None or self._planned <= now < self._planned + DAY:
            return False
        self.priors.learn(self._table)
        demand, listings, before = Demand(), 0, self._planned
        for text, depth, site, listing in self._table.all_evidence():
            if listing and self._settings.signals:
                listings += 1
            else:
                demand.add(estimate(evidence_of(text), self.priors.of(site)), weight(depth))
            self._planned = now  # not before there are pages
        budget, announced = self._settings.budget / DAY, self._signals / max(now - before, DAY)
        left = budget - listings / self._settings.interval - announced
        self._price = price(self._policy, demand, max(left, LEAST * budget), self._bounds, self._price)
        self._signals = 0
        return self._planned == now

    def announced(self) -> None:
        """Count a visit that a sitemap or feed has asked for."""
        self._signals += 1


def weight(depth: int | None) -> float:
    """Return the importance of a page by the links from the seeds to it; None: unknown, or none is followed.

    >>> weight(0), weight(3), weight(None)
    (1.0, 0.25, 0.25)
    """
    return 1 / (1 + (3 if depth is None else depth))
