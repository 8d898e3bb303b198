"""A web whose pages change at known rates, on a virtual clock. A visit costs a few microseconds, whatever lies
behind it."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from benchmarks.recrawl_clocks import FORMS, digest
from ttcrawl.engine.recrawl.pace import weight
from ttcrawl.recrawl.prior import DAY

#: The rate of a page: log-normal, heavy-tailed, around one change in ten days; half of the variance is between sites.
MEDIAN, SITE_SPREAD, PAGE_SPREAD = 1 / (10 * DAY), 1.3, 1.25
SLOWEST, FASTEST = 1 / (3 * 365 * DAY), 48 / DAY

#: Half of the sites change by day: the rate is 1 + RHYTHM sin(...) times its mean.
RHYTHM = 0.9

#: Of 111 pages, how many are 0, 1, 2 ... links from the seeds.
DEPTHS = (1, 5, 15, 30, 30, 20, 10)

#: Shares of pages that tell the time of their last change, and that show another date at each visit.
DATED, CLOCKS = 0.4, 0.05


@dataclass(slots=True)
class Page:
    """A page and its copy. `first`: when it changed for the first time after the copy was made; `clock`: in which form
    it shows another date at each visit, None: in none; `version` and `digest`: of the copy, if it shows one."""

    site: int
    rate: float
    depth: int
    phase: float | None  # of the daily rhythm; None: it has none
    dated: bool
    clock: int | None
    number: int
    visited: float = 0.0
    first: float = math.inf
    version: int = 0
    digest: bytes = b""

    @property
    def weight(self) -> float:
        return weight(self.depth)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a visit finds. `changed`: by what a reader sees; `ago`: seconds since the last change where the server says
    so."""

    changed: bool
    ago: float | None
    seconds: float


def make(count: int, sites: int, chance: random.Random) -> list[Page]:
    """Pages of sites of very different sizes."""
    means = [chance.gauss(math.log(MEDIAN), SITE_SPREAD) for _ in range(sites)]
    phases = [chance.random() * DAY if chance.random() < 0.5 else None for _ in range(sites)]
    sizes = [1 / (rank + 5) for rank in range(sites)]
    pages: list[Page] = []
    for site in chance.choices(range(sites), sizes, k=count):
        rate = min(max(math.exp(chance.gauss(means[site], PAGE_SPREAD)), SLOWEST), FASTEST)
        (depth,) = chance.choices(range(len(DEPTHS)), DEPTHS)
        dated, clock = chance.random() < DATED, len(pages) % len(FORMS) if chance.random() < CLOCKS else None
        pages.append(Page(site, rate, depth, phases[site], dated, clock, len(pages)))
    return pages


class Web:
    """The pages, and how fresh and how old their copies were from `since` on: sums of weights times seconds."""

    def __init__(self, pages: list[Page], chance: random.Random, *, spread: float, since: float) -> None:
        self.pages, self._chance, self._since = pages, chance, since
        self.fresh = self.age = 0.0
        for page in pages:
            page.visited = -spread * chance.random()
            page.first = self.next_change(page, page.visited)
            if page.clock is not None:
                page.digest = digest(page.clock, page.number, page.version, page.visited)

    def next_change(self, page: Page, now: float) -> float:
        return self._later(page, now, self._chance.expovariate(1.0))

    def _later(self, page: Page, now: float, changes: float) -> float:
        """When this many expected changes are over; negative: when they began."""
        if page.phase is None:
            return now + changes / page.rate
        days, rest = divmod(_passed(now - page.phase) + changes / page.rate, DAY)
        place = rest / DAY * MINUTES
        before = int(place)
        moment = _MOMENTS[before] + (place - before) * (_MOMENTS[before + 1] - _MOMENTS[before])
        moment += days * DAY + page.phase
        return max(moment, now) if changes > 0 else min(moment, now)

    def visit(self, page: Page, now: float) -> Seen:
        """The copy is as the page again."""
        self.measure(page, now)
        seconds, other, ago = now - page.visited, page.first <= now, None
        if other:
            last = max(page.first, self._later(page, now, -self._chance.expovariate(1.0)))
            ago = now - last if page.dated else None
            page.first = self.next_change(page, now)
        page.visited = now
        return Seen(other if page.clock is None else self._looks_changed(page, now, other), ago, seconds)

    def _looks_changed(self, page: Page, now: float, other: bool) -> bool:
        """Whether a page that shows a date has changed, as a crawl sees it."""
        assert page.clock is not None
        page.version += other
        before, page.digest = page.digest, digest(page.clock, page.number, page.version, now)
        return page.digest != before

    def measure(self, page: Page, now: float) -> None:
        """Add up the time since the last visit."""
        begin = max(page.visited, self._since)
        if now <= begin:
            return
        fresh = min(max(page.first, begin), now)
        self.fresh += page.weight * (fresh - begin)
        if fresh < now:
            self.age += page.weight * ((now - page.first) ** 2 - (fresh - page.first) ** 2) / 2

    def means(self, end: float) -> tuple[float, float]:
        """Share of time in which a copy was fresh, and its mean age in seconds."""
        for page in self.pages:
            self.measure(page, end)
        total = sum(page.weight for page in self.pages) * (end - self._since)
        return self.fresh / total, self.age / total


def _passed(moment: float) -> float:
    """Seconds that count, by the daily rhythm."""
    return moment - RHYTHM * DAY / math.tau * (math.cos(math.tau * moment / DAY) - 1)


def _moments() -> list[float]:
    """For each minute of a day that counts, the moment at which it is over: the inverse of `_passed`."""
    moments, moment = [], 0.0
    for minute in range(MINUTES + 1):
        for _ in range(20):
            moment -= (_passed(moment) - minute * 60) / (1 + RHYTHM * math.sin(math.tau * moment / DAY))
        moments.append(moment)
    return [*moments, DAY]


MINUTES = 24 * 60
_MOMENTS = _moments()
