"""Policies of visiting pages again, on a web whose pages change at known rates: a year on a virtual clock.

python -m benchmarks.recrawl [--pages N] [--days N] [--requests N] [--processes N] [--save]

Intervals, estimates and prices are as in a crawl (ttcrawl.engine.recrawl.pace, ttcrawl.recrawl). `--save` writes the
result into docs/recrawl.md.
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
import statistics
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace

from benchmarks import manual
from benchmarks.crawlers import ROOT
from benchmarks.recrawl_web import Page, Seen, Web, make
from ttcrawl.config import Revisit
from ttcrawl.engine.recrawl.pace import Pace
from ttcrawl.recrawl import rate
from ttcrawl.recrawl.budget import Bounds, price
from ttcrawl.recrawl.interval import POLICIES, Policy, fresh_share, mean_age
from ttcrawl.recrawl.json_text import text_of
from ttcrawl.recrawl.prior import DAY
from ttcrawl.recrawl.rate import NOTHING
from ttcrawl.store.recrawls import Sampled

MANUAL = ROOT / "docs" / "recrawl.md"
BEGIN, END = "<!-- measured -->\n", "<!-- end -->\n"

#: Sites of the web, and the days in which all its pages are fetched for the first time.
SITES, FETCHED_IN = 200, 1.0

#: The shortest and the longest interval.
BOUNDS = Bounds(600, 60 * DAY)


class Table:
    """The evidence of all pages, as in table `revisit`."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self.texts, self._pages = [""] * len(pages), pages

    def sample(self, count: int, seed: int) -> tuple[list[Sampled], int]:
        numbers = random.Random(seed).sample(range(len(self.texts)), min(count, len(self.texts)))
        rows = [(self.texts[number], self._pages[number]) for number in numbers]
        return [Sampled(text, page.depth, page.site, listing=False) for text, page in rows], len(self.texts)

    def samples(self, sites: int, pages: int) -> dict[int, list[str]]:
        samples: dict[int, list[str]] = {}
        for text, page in zip(self.texts, self._pages, strict=True):
            sample = samples.setdefault(page.site, [])
            if text and len(sample) < pages:
                sample.append(text)
        return dict(list(samples.items())[:sites])


class Crawler:
    """Visits each page of a web when its time has come."""

    def __init__(self, web: Web, settings: Revisit) -> None:
        self.web, self.evidence, self.visits = web, [NOTHING] * len(web.pages), 0
        self._table = Table(web.pages)
        self.pace = Pace(settings, self._table)
        chance = random.Random(3)
        self._places = [chance.random() for _ in web.pages]  # of first visits in an interval
        self._queue = [(0.0, number) for number in range(len(web.pages))]
        self._visited = [False] * len(web.pages)

    def _spread(self) -> None:
        """First visits are spread over the interval of an unknown page."""
        if all(self._visited):
            return
        queue = []
        for due, number in self._queue:
            first = self.web.pages[number].visited + self.pace.first * self._places[number]
            queue.append((due if self._visited[number] else first, number))
        heapq.heapify(queue)
        self._queue = queue

    def _learn(self, number: int, seen: Seen) -> None:
        before = self.evidence[number]
        after = rate.changed(before, seen.seconds, seen.ago) if seen.changed else rate.unchanged(before, seen.seconds)
        self.evidence[number], self._table.texts[number] = after, text_of(after)

    def run(self, days: int, since: float) -> float:
        """Return the visits a day from a moment to the end."""
        self.pace.plan(0.0)
        self._spread()
        now, next_day, counted = 0.0, DAY, 0
        while (now := max(now, self._queue[0][0])) < days * DAY:
            if now >= next_day:
                next_day = now + DAY
                if self.pace.plan(now):
                    self._spread()
                continue
            _, number = heapq.heappop(self._queue)
            page = self.web.pages[number]
            self._learn(number, self.web.visit(page, now))
            self._visited[number] = True
            counted += now >= since
            heapq.heappush(
                self._queue, (now + self.pace.interval(self.evidence[number], page.depth, page.site), number)
            )
        return counted / (days - since / DAY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Of the second half of the time; ages in days. `fresh_best` and `age_best`: the optima with as many visits and
    known rates. `errors`: logarithms of estimated by true rates at the end, rising."""

    name: str
    fresh: float
    age: float
    fresh_best: float
    age_best: float
    visits: float  # a day
    errors: tuple[float, ...]
    seconds: float  # CPU

    @property
    def bias(self) -> float:
        return math.expm1(statistics.median(self.errors))

    @property
    def wrong(self) -> float:
        """The error of an estimate in the median."""
        return math.expm1(statistics.median(map(abs, self.errors)))


def theory(pages: Sequence[Page], policy: Policy, requests: float) -> tuple[float, float]:
    """Return freshness and mean age in days of a policy that knows all rates, by formula."""
    paid = price(policy, [(page.rate, page.weight, 1) for page in pages], requests / DAY, BOUNDS)
    fresh = age = total = 0.0
    for page in pages:
        seconds = BOUNDS.within(policy(page.rate, page.weight, paid))
        fresh += page.weight * fresh_share(page.rate, seconds)
        age += page.weight * mean_age(page.rate, seconds) / DAY
        total += page.weight
    return fresh / total, age / total


def simulated(name: str, count: int, days: int, requests: float) -> Result:
    """Visit this many pages by a policy; "fixed": after the interval that spends the same budget."""
    begin, pages = time.process_time(), make(count, SITES, random.Random(1))
    since = days * DAY / 2
    web = Web([replace(page) for page in pages], random.Random(2), spread=FETCHED_IN * DAY, since=since)
    every = count / requests * DAY
    settings = Revisit(policy=name, interval=every, budget=requests, shortest=BOUNDS.shortest, longest=BOUNDS.longest)
    crawler = Crawler(web, settings)
    visits = crawler.run(days, since)
    fresh, age = web.means(days * DAY)
    prior_of = crawler.pace.priors.of
    logs = [
        math.log(rate.estimate(seen, prior_of(page.site)) / page.rate)
        for seen, page in zip(crawler.evidence, pages, strict=True)
    ]
    return Result(
        name=name,
        fresh=fresh,
        age=age / DAY,
        fresh_best=theory(pages, POLICIES["freshness"], visits)[0],
        age_best=theory(pages, POLICIES["age"], visits)[1],
        visits=visits,
        errors=tuple(sorted(logs)),
        seconds=time.process_time() - begin,
    )


def table(results: Sequence[Result]) -> str:
    lines = [
        "| policy | freshness | of the optimum | mean age, days | of the optimum | visits a day | rates wrong by |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for each in sorted(results, key=lambda each: -each.fresh):
        shares = each.fresh / each.fresh_best, each.age_best / each.age
        figures = (f"{each.fresh:.3f}", f"{shares[0]:.2f}", f"{each.age:.2f}", f"{shares[1]:.2f}")
        lines.append(f"| {each.name} | {' | '.join(figures)} | {each.visits:,.0f} | {each.wrong:.0%} |")
    return "\n".join(lines)


def formulas(pages: Sequence[Page], requests: float) -> str:
    """What each policy reaches that knows all rates, and makes its visits at even intervals."""
    lines = ["| policy, all rates known | freshness | mean age, days |", "|---|--:|--:|"]
    for name, policy in POLICIES.items():
        fresh, age = theory(pages, policy, requests)
        lines.append(f"| {name} | {fresh:.3f} | {age:.2f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--requests", type=int, default=2_000, help="a day")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", nargs="+", default=["fixed", *POLICIES], metavar="POLICY")
    parser.add_argument("--save", action="store_true", help="write the result into docs/")
    options = parser.parse_args()
    pages = make(options.pages, SITES, random.Random(1))
    fresh, age = (theory(pages, POLICIES[name], options.requests)[n] for n, name in enumerate(("freshness", "age")))
    arguments = [[each] * len(options.only) for each in (options.pages, options.days, options.requests)]
    with ProcessPoolExecutor(options.processes) as pool:
        results = []
        for each in pool.map(simulated, options.only, *arguments):
            print(f"{each.name}: {each.seconds:.0f} s of CPU, rates {each.bias:+.0%}", file=sys.stderr, flush=True)
            results.append(each)
    changes = sum(page.rate for page in pages) * DAY
    about = (
        f"{options.pages:,} pages, {changes:,.0f} changes and {options.requests:,} visits a day, {options.days} days."
        f" Optimum: freshness {fresh:.3f}, age {age:.2f} days."
    )
    text = f"{about}\n\n{formulas(pages, options.requests)}\n\n{table(results)}"
    print(text)
    if options.save:
        manual.write(MANUAL, BEGIN, END, text)


if __name__ == "__main__":
    main()
