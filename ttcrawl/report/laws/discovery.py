"""The rate at which a crawl finds new URLs, and a forecast of the new URLs that further pages would bring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from ttcrawl.report.laws.shape import Shape, shape
from ttcrawl.report.laws.statement import named
from ttcrawl.report.laws.wilson import Z

if TYPE_CHECKING:
    from numpy.random import Generator

    from ttcrawl.report.laws.curves import Array

By = Literal["law", "pool", "rate"]
Series = Sequence[tuple[float, float]]

REPLICAS = 1000
LEVEL = 0.95
TESTS, LEAST_TESTS = 6, 3  # earlier forecasts that are compared with the actual numbers
FEWEST = 20  # samples of the series for a forecast
MOST = 1e15  # limit for the mean of a Poisson number: larger ones cannot be drawn
RECENT = 0.2  # share of the pages over which the recent rate is computed


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """`new` URLs found by the pages after `first` up to `last`."""

    first: float
    last: float
    new: float

    @property
    def rate(self) -> float:
        """New URLs per page."""
        return self.new / (self.last - self.first)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """Another `pages` pages would bring about `expected` new URLs, with 95 % probability between `low` and `high`.

    `by` is the basis: the law, the finite pool, or the recent rate. `by_rate` is the forecast of the recent rate alone,
    for comparison: while the law holds it is too high, because the rate falls.
    """

    pages: int
    expected: float
    low: float
    high: float
    by: By
    by_rate: float
    how: str


def windows(pages: Sequence[float], distinct: Sequence[float], count: int = 100) -> list[Window]:
    """The discovery over time: at most `count` windows of about equal numbers of pages.

    pages[i] pages had shown distinct[i] URLs; neither falls. A window ends at a sample, so that nothing is
    interpolated; windows are wider where samples are far apart.
    """
    series = sorted(dict(zip(pages, distinct, strict=True)).items())
    if len(series) < 2:
        return []
    step = (series[-1][0] - series[0][0]) / count
    ends = [series[0]]
    for n, v in series[1:]:
        if n - ends[-1][0] >= step * (1 - 1e-9) or n == series[-1][0]:
            ends.append((n, v))
    return [Window(first=n, last=m, new=w - v) for (n, v), (m, w) in pairwise(ends)]


def forecast(pages: Sequence[float], distinct: Sequence[float], more: int, rng: Generator) -> Forecast | None:
    """The new URLs that another `more` pages would add to the series (pages[i], distinct[i]), if that many exist.

    If the series follows the fitted curve to its end (Heaps' law, or the law in a finite pool), the forecast comes from
    this curve, with the uncertainty of its parameters (bootstrap) and the scatter of future discoveries. If the series
    has left the law at a break, the forecast comes from the rate since the break or over the last fifth of the pages,
    whichever is shorter. If it rises faster than the law can (beta > 1, which does not last), the forecast comes from
    the rate over the last fifth. Without a new URL in this period, the period starts at the last new URL.

    A curve is never exactly true of a crawl. Unless the series has a break, the same forecast is therefore made after
    fewer pages, equally far ahead in proportion (at most as far as the crawl had come), and compared with the actual
    numbers. The interval is widened by the factor by which those errors exceed their intervals (root mean square).
    Returns None if no curve can be fitted.
    """
    series = sorted(dict(zip(pages, distinct, strict=True)).items())
    now = _look(series, more, REPLICAS, rng)
    if now is None:
        return None
    widened, tests = (1.0, 0) if now.curve.break_at is not None else _widening(series, more, rng)
    return Forecast(
        pages=more,
        expected=now.expected,
        low=max(0.0, now.expected - widened * (now.expected - now.low)),
        high=now.expected + widened * (now.high - now.expected),
        by=now.by,
        by_rate=now.by_rate,
        how=_how(now, series[-1][0], more, widened, tests),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """A forecast from the curve alone."""

    curve: Shape
    expected: float
    low: float
    high: float
    by: By
    by_rate: float
    span: float  # pages over which the recent rate is computed


def _look(series: Series, more: int, replicas: int, rng: Generator) -> _Look | None:
    import numpy as np

    curve = shape(*zip(*series, strict=True)) if series else None
    if curve is None:
        return None
    pages = series[-1][0]
    new, span = _recent(series, max(pages * (1 - RECENT), curve.break_at or 0.0))
    if not new:
        new, span = _recent(series, next(n for n, v in series if v == series[-1][1]))
    by: By = "pool" if curve.leaves == "pool" else "law"
    if curve.break_at is not None or (by == "law" and curve.parameters[1] > 1):
        by, expected = "rate", float(new / span * more)
        samples = [_by_rate(new, span, more, max(1.0, curve.noise.per_new), replicas, rng)]
    else:
        expected = float(curve.at(pages + more)[0] - curve.at(pages)[0])
        samples = [_by_curve(each, pages, more, replicas, rng) for each in (curve, curve.rival) if each is not None]
    ends = np.array([np.quantile(each, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]) for each in samples])
    return _Look(
        curve=curve,
        expected=expected,
        low=min(expected, float(ends[:, 0].min())),
        high=max(expected, float(ends[:, 1].max())),
        by=by,
        by_rate=float(new / span * more),
        span=span,
    )


def _widening(series: Series, more: int, rng: Generator) -> tuple[float, int]:
    """The factor by which the intervals of earlier forecasts were too narrow (at least 1), and their number."""
    step = 1 + min(more / series[-1][0], 1.0)
    misses: list[float] = []
    after = series
    while len(misses) < TESTS:
        before = [(n, v) for n, v in after if n <= after[-1][0] / step]
        if len(before) < FEWEST:
            break
        actual = after[-1][1] - before[-1][1]
        look = _look(before, round(after[-1][0] - before[-1][0]), REPLICAS // 5, rng)
        if look is None:
            break
        side = look.high - look.expected if actual > look.expected else look.expected - look.low
        misses.append(((actual - look.expected) / max(side, 0.5)) ** 2)
        after = before
    if len(misses) < LEAST_TESTS:
        return 1.0, 0
    # the ends lie Z standard deviations away, so the mean of a correct interval is 1
    return max(1.0, Z * (sum(misses) / len(misses)) ** 0.5), len(misses)


def _by_curve(curve: Shape, pages: float, more: int, replicas: int, rng: Generator) -> Array:
    """Simulated futures: the expectation of each replica of the curve, with Poisson scatter.

    Replicas are not reflected: a replica that expects almost nothing would become an unlimited future.
    """
    import numpy as np

    rows = curve.replicas(replicas, rng)
    expected = np.maximum(curve.at(pages + more, rows) - curve.at(pages, rows), 0.0)
    lump = max(1.0, curve.noise.per_new)
    return np.asarray(lump * rng.poisson(np.minimum(expected / lump, MOST)), dtype=float)


def _by_rate(new: float, span: float, more: int, lump: float, replicas: int, rng: Generator) -> Array:
    """Simulated futures: Poisson, at a rate known only from `new` URLs in `span` pages (Jeffreys' prior)."""
    import numpy as np

    rates = rng.gamma(new / lump + 0.5, lump / span, replicas)
    return np.asarray(lump * rng.poisson(np.minimum(rates * more / lump, MOST)), dtype=float)


def _recent(series: Series, since: float) -> tuple[float, float]:
    """New URLs, and the pages that brought them, from the last sample before `since` (at least one) to the end."""
    first = max((each for each in series[:-1] if each[0] <= since), default=(0.0, 0.0))
    return max(0.0, series[-1][1] - first[1]), series[-1][0] - first[0]


def _how(now: _Look, pages: float, more: int, widened: float, tests: int) -> str:
    rate = f"from the rate over the last {now.span:,.0f} pages, if it stays"
    law = named(float(now.curve.parameters[1]))
    if now.curve.break_at is not None:
        method = f"The crawl has left {law}, so {rate}"
    elif now.by == "rate":
        method = f"Pages bring more and more new URLs (beta above 1), which does not last, so {rate}"
    elif now.by == "pool":
        method = f"From {law} in a finite pool, V = N (1 - exp(-K n^beta / N)), fitted to distinct URLs by pages"
    else:
        method = "From Heaps' law fitted to distinct URLs by pages"
        if now.curve.rival is not None:
            method += "; the interval includes a finite pool, which cannot be ruled out"
    wider = f", widened {widened:.1f} times, because {tests} earlier forecasts of this kind were so far off"
    caveat = " This is further than the crawl has come so far." if more > pages else ""
    interval = f"{100 * LEVEL:.0f} % interval from {REPLICAS:,} simulated continuations{wider if widened > 1 else ''}."
    return f"{method}; {interval}{caveat}"
