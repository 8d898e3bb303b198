"""Policies of visiting pages again, on a web whose pages change at known rates: a year on a virtual clock.

python -m benchmarks.revisit [--pages N] [--days N] [--requests N]
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
import statistics
import time
from dataclasses import dataclass, replace

from benchmarks.revisit_web import Page, Seen, Web, make
from ttcrawl.revisit import rate
from ttcrawl.revisit.budget import Bounds, Demand, price
from ttcrawl.revisit.interval import POLICIES, Policy, fresh_share, mean_age
from ttcrawl.revisit.prior import BROAD, DAY, MOST, fit
from ttcrawl.revisit.rate import NOTHING, Evidence

#: Days at which the distribution of each site is fitted again.
FITTED = (2, 4, 8, 16, 32, 64, 128, 256)

#: A new price that differs by so much moves visits that are planned already.
MOVED = 0.1

#: So much smaller is the budget of the next day for each day that the queue is late; larger if it is early.
LATE = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """How a crawler decides. `known`: it knows the rates; `by_bytes`: other bytes are a change."""

    name: str
    policy: Policy
    known: bool = False
    by_bytes: bool = False
    pooled: bool = True  # the other pages of a site count


class Crawler:
    """Visits the pages of a web at most `requests` times a day."""

    def __init__(self, web: Web, case: Case, requests: float, bounds: Bounds) -> None:
        self.web, self.case, self.requests, self.bounds = web, case, requests, bounds
        self.evidence: list[Evidence] = [NOTHING] * len(web.pages)
        self.sites: list[list[int]] = [[] for _ in range(1 + max(page.site for page in web.pages))]
        for number, page in enumerate(web.pages):
            self.sites[page.site].append(number)
        self.priors = [BROAD] * len(self.sites)
        self.rates = [page.rate if case.known else BROAD.mean for page in web.pages]
        self.price = self.planned_at = 1.0
        self.demand = Demand()
        for page, known in zip(web.pages, self.rates, strict=True):
            self.demand.add(known, page.weight)
        self.queue: list[tuple[float, int]] = []
        self.visits = 0
        self.share = 1.0

    def plan(self, number: int) -> None:
        page = self.web.pages[number]
        seconds = self.bounds.within(self.case.policy(self.rates[number], page.weight, self.price))
        heapq.heappush(self.queue, (page.visited + seconds, number))

    def plan_all(self) -> None:
        self.planned_at, self.queue = self.price, []
        for number in range(len(self.web.pages)):
            self.plan(number)

    def estimated(self, number: int, value: float) -> None:
        weight = self.web.pages[number].weight
        self.demand.remove(self.rates[number], weight)
        self.demand.add(value, weight)
        self.rates[number] = value

    def day(self, now: float) -> None:
        """What is done once a day: the price follows the rates, and a little how late the queue is."""
        late = (now - self.queue[0][0]) / DAY if self.queue else 0.0
        self.share = min(1.5, max(0.5, self.share * math.exp(-LATE * late)))
        target = self.requests / DAY * self.share
        self.price = price(self.case.policy, self.demand, target, self.bounds, self.price)
        days = round(now / DAY)
        if days in FITTED and not self.case.known and self.case.pooled:
            self.fit()
        if not self.queue or days in FITTED or abs(math.log(self.price / self.planned_at)) > MOVED:
            self.plan_all()

    def fit(self) -> None:
        for site, numbers in enumerate(self.sites):
            self.priors[site] = fit([self.evidence[each] for each in numbers[:MOST]], BROAD)
            for number in numbers:
                self.estimated(number, rate.estimate(self.evidence[number], self.priors[site]))

    def learn(self, number: int, seen: Seen) -> None:
        if self.case.known:
            return
        evidence = self.evidence[number]
        if seen.other_bytes if self.case.by_bytes else seen.changed:
            evidence = rate.changed(evidence, seen.seconds, seen.ago if seen.changed else None)
        else:
            evidence = rate.unchanged(evidence, seen.seconds)
        self.evidence[number] = evidence
        self.estimated(number, rate.estimate(evidence, self.priors[self.web.pages[number].site]))

    def run(self, days: int) -> None:
        slot, next_day = DAY / self.requests, 0.0
        for index in range(round(days * self.requests)):
            now = index * slot
            if now >= next_day:
                self.day(now)
                next_day += DAY
            _, number = heapq.heappop(self.queue)
            self.learn(number, self.web.visit(self.web.pages[number], now))
            self.plan(number)
            self.visits += 1


def theory(pages: list[Page], policy: Policy, requests: float, bounds: Bounds) -> tuple[float, float]:
    cells = [(page.rate, page.weight, 1) for page in pages]
    paid = price(policy, cells, requests / DAY, bounds)
    fresh = age = total = 0.0
    for page in pages:
        seconds = bounds.within(policy(page.rate, page.weight, paid))
        fresh += page.weight * fresh_share(page.rate, seconds)
        age += page.weight * mean_age(page.rate, seconds)
        total += page.weight
    return fresh / total, age / total


def cases() -> list[Case]:
    freshness = POLICIES["freshness"]
    return [
        Case(name="freshness, rates known", policy=freshness, known=True),
        *(Case(name=name, policy=policy) for name, policy in POLICIES.items()),
        Case(name="freshness, each page alone", policy=freshness, pooled=False),
        Case(name="freshness, changes by bytes", policy=freshness, by_bytes=True),
    ]


def row(case: Case, pages: list[Page], days: int, requests: float, bounds: Bounds) -> str:
    """A row of the table: the second half of the time counts, the estimates are those at its end."""
    begin, copies = time.process_time(), [replace(page) for page in pages]
    web = Web(copies, random.Random(2), spread=len(pages) / requests * DAY, since=days * DAY / 2)
    crawler = Crawler(web, case, requests, bounds)
    crawler.run(days)
    fresh, age = web.means(days * DAY)
    best_fresh, best_age = theory(pages, case.policy, requests, bounds)
    logs = sorted(math.log(value / page.rate) for value, page in zip(crawler.rates, web.pages, strict=True))
    wrong = sorted(map(abs, logs))
    figures = [f"{best_fresh:.3f}", f"{fresh:.3f}", f"{best_age / DAY:.2f}", f"{age / DAY:.2f}"]
    errors = [f"{math.expm1(statistics.median(logs)):+.0%}", f"{math.expm1(statistics.median(wrong)):.0%}"]
    errors.append(f"{math.exp(wrong[int(0.95 * len(wrong))]):.1f}")
    seconds = time.process_time() - begin
    return f"| {case.name} | {' | '.join(figures + errors)} | {crawler.visits / days:,.0f} | {seconds:.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--requests", type=int, default=2_000)
    options = parser.parse_args()
    bounds, pages = Bounds(600, 60 * DAY), make(options.pages, 200, random.Random(1))
    fresh, _ = theory(pages, POLICIES["freshness"], options.requests, Bounds(1, 1e12))
    print(f"{options.pages:,} pages, {sum(page.rate for page in pages) * DAY:,.0f} changes a day", end="; ")
    print(f"freshness of the optimum without a longest interval: {fresh:.3f}\n")
    print("| policy | freshness by formula | simulated | mean age by formula, days | simulated", end=" | ")
    print("bias of rates | error, median | factor, 95 % | requests a day | CPU s |")
    print("|---|" + "--:|" * 9)
    for case in cases():
        print(row(case, pages, options.days, options.requests, bounds), flush=True)


if __name__ == "__main__":
    main()
