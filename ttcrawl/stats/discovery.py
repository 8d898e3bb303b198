"""How fast a crawl still finds new URLs, and how many another so many pages would bring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from ttcrawl.stats.shape import Shape, shape

if TYPE_CHECKING:
    from numpy.random import Generator

    from ttcrawl.stats.curves import Array

REPLICAS = 1000
LEVEL = 0.95
RECENT = 0.2  # of the pages: over which the rate of discovery counts as the present one


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
    """Another `pages` pages would bring about `expected` new URLs, with 95 % chance between `low` and `high`.

    `by` says from what: the law, the finite pool, or the recent rate. `by_rate` is what the recent rate alone would
    give, for comparison: while the law holds it is too high, for the rate falls.
    """

    pages: int
    expected: float
    low: float
    high: float
    by: Literal["law", "pool", "rate"]
    by_rate: float
    how: str


def windows(pages: Sequence[float], distinct: Sequence[float], count: int = 100) -> list[Window]:
    """The discovery over time: at most `count` windows of about as many pages each, from the first page to the last.

    pages[i] pages had shown distinct[i] URLs, both not falling. A window ends at a sample, so that nothing is
    interpolated; where samples are far apart windows are wider.
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
    """What another `more` pages would bring to the series (pages[i], distinct[i]), provided that there are as many.

    From the fitted curve where the series follows it to its end (Heaps' law, or the law in a finite pool), with the
    doubt about its parameters (bootstrap) and the scatter of what is to come; where the series has left the law at a
    break, from the rate since then, or over the last fifth of the pages when that is shorter (since the last new URL,
    when that is longer). None when no curve can be fitted.
    """
    import numpy as np

    found = shape(pages, distinct)
    if found is None:
        return None
    here = float(max(pages))
    left = found.left_at is not None
    since = max(here * (1 - RECENT), found.left_at or 0.0)
    new, over = _recent(pages, distinct, since)
    if not new:
        top = max(distinct)
        new, over = _recent(pages, distinct, min(n for n, v in zip(pages, distinct, strict=True) if v == top))
    expected = new / over * more
    if left:
        drawn = [_by_rate(new, over, more, max(1.0, found.noise.per_new), rng)]
    else:
        expected = float(found.at(here + more)[0] - found.at(here)[0])
        drawn = [_by_curve(each, here, more, rng) for each in (found, found.rival) if each is not None]
    ends = np.array([np.quantile(each, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]) for each in drawn])
    return Forecast(
        pages=more,
        expected=expected,
        low=float(ends[:, 0].min()),
        high=float(ends[:, 1].max()),
        by="rate" if left else "pool" if found.leaves == "pool" else "law",
        by_rate=new / over * more,
        how=_how(found, left, over, here, more),
    )


def _by_curve(found: Shape, here: float, more: int, rng: Generator) -> Array:
    """Futures: what each replica of the curve expects, its error turned round on a logarithmic scale, and chance."""
    import numpy as np

    rows = found.replicas(REPLICAS, rng)
    least = 1e-6
    expected = max(float(found.at(here + more)[0] - found.at(here)[0]), least)
    turned: Array = expected**2 / np.maximum(found.at(here + more, rows) - found.at(here, rows), least)
    lump = max(1.0, found.noise.per_new)
    return np.asarray(lump * rng.poisson(np.minimum(turned / lump, 1e15)), dtype=float)


def _by_rate(new: float, over: float, more: int, lump: float, rng: Generator) -> Array:
    """Futures: Poisson at a rate of which `new` in `over` pages is all that is known (Jeffreys' prior)."""
    import numpy as np

    rates = rng.gamma(new / lump + 0.5, lump / over, REPLICAS)
    return np.asarray(lump * rng.poisson(rates * more / lump), dtype=float)


def _recent(pages: Sequence[float], distinct: Sequence[float], since: float) -> tuple[float, float]:
    """New URLs, and the pages that brought them, from the last sample before `since` (at least one) to the end."""
    series = sorted(dict(zip(pages, distinct, strict=True)).items())
    first = max((each for each in series[:-1] if each[0] <= since), default=(0.0, 0.0))
    return series[-1][1] - first[1], series[-1][0] - first[0]


def _how(found: Shape, left: bool, over: float, here: float, more: int) -> str:
    if left:
        way = f"The crawl has left Heaps' law, so from the rate over the last {over:,.0f} pages, if it stays"
    elif found.leaves == "pool":
        way = "From Heaps' law in a finite pool, V = N (1 - exp(-K n^beta / N)), fitted to distinct URLs by pages"
    else:
        way = "From Heaps' law fitted to distinct URLs by pages"
        if found.rival is not None:
            way += "; the interval takes in a finite pool, which cannot be ruled out"
    far = " This is further than the crawl has come." if more > here else ""
    return f"{way}; {100 * LEVEL:.0f} % interval from {REPLICAS:,} simulated continuations.{far}"
