"""A lower bound of the number of URLs, from the number of pages that link to each of those seen.

Pages are drawn without replacement: a crawl fetches a page once. Chao's bound for draws with replacement is too high as
soon as a large share of the pages is fetched, because what few pages link to is then almost complete.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ttcrawl.report.laws.recapture import Size
from ttcrawl.report.laws.wilson import Z

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ttcrawl.snapshot.outlinks import Ints

STEPS = 200
#: Unseen URLs: the iteration ends when a step is smaller.
PRECISION = 1e-6
MOST_FEEDBACK = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """`pages` fetched pages link to `seen` URLs: to `once` of them a single page links, to `twice` of them two."""

    pages: int
    seen: int
    once: int
    twice: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """About `expected` things, with 95 % probability between `low` and `high`."""

    expected: float
    low: float
    high: float


def sample_of(pages: int, counts: Sequence[int] | Ints) -> Sample:
    """counts[i]: how many of the fetched pages link to URL i; 0: none."""
    import numpy as np

    linked = np.asarray(counts, dtype=np.int64)
    once, twice = int((linked == 1).sum()), int((linked == 2).sum())
    return Sample(pages=pages, seen=int((linked > 0).sum()), once=once, twice=twice)


def lower_bound(sample: Sample) -> Size:
    """The number of URLs is in expectation at least the size, if fetched pages are like the others.

    A. Chao and C.-W. Lin, Nonparametric lower bounds for species richness and shared species richness under sampling
    without replacement, Biometrics 68, 2012, with the bias-corrected form of Chao1 as its limit; the interval is
    log-normal (Chao, Biometrics 43, 1987). Its share of pages that are fetched needs the size itself: it is the fixed
    point. Ends are whole numbers, because the number of unseen URLs is one.
    """
    unseen = _unseen(sample)
    low, high = _interval(sample, unseen)
    return Size(
        size=sample.seen + unseen,
        low=math.floor(sample.seen + low),
        high=math.ceil(sample.seen + high),
        seen=sample.seen,
        how=(
            f"A lower bound (Chao and Lin, draws without replacement): {sample.pages:,} pages link to {sample.seen:,}"
            f" URLs; to {sample.once:,} of them a single page links, to {sample.twice:,} two; 95 % interval log-normal."
        ),
    )


def more_seen(sample: Sample, pages: int) -> Prediction:
    """The URLs that are seen first on another `pages` pages, if these are like those of the sample.

    An unseen URL has K in-links, a share q of all pages is fetched, and so (1 - q)^K of the unseen URLs stay unseen;
    K is such that as many were seen once as there are. The interval has the ends of the bound, and Poisson's scatter.
    """
    unseen = _unseen(sample)
    low, high = (_seen_next(sample, pages, each) for each in _interval(sample, unseen))
    return Prediction(
        expected=_seen_next(sample, pages, unseen),
        low=max(0.0, low - Z * math.sqrt(max(low, 1.0))),
        high=high + Z * math.sqrt(max(high, 1.0)),
    )


def _unseen(sample: Sample) -> float:
    once, twice = sample.once, sample.twice
    unseen = once * (once - 1) / (2 * (twice + 1))
    for _ in range(STEPS):
        share = _share(sample.pages, sample, unseen)
        if share >= 1:
            return 0.0
        following = once * (once - 1) / (2 * (twice + 1) + share / (1 - share) * once)
        if abs(following - unseen) < PRECISION:
            break
        unseen = (unseen + following) / 2
    return unseen


def _share(pages: int, sample: Sample, unseen: float) -> float:
    """The share of all pages that are fetched, if so many URLs are unseen; at most 1."""
    return min(1.0, pages / max(sample.seen + unseen, 1.0))


def _interval(sample: Sample, unseen: float) -> tuple[float, float]:
    """Ends of the 95 % interval of the unseen URLs, by the variance of Chao and Lin.

    They take the share of pages as given. Here it falls as the size grows, and so an error of the size adds to itself.
    """
    if not unseen:
        return 0.0, 0.0
    once, twice = sample.once, sample.twice
    slope = 2 * twice * unseen**2 + once**2 * unseen
    variance = unseen + slope**2 / once**5 + 4 * twice * (unseen / once) ** 4
    rest = max(sample.seen + unseen - sample.pages, 1.0)
    feedback = min(unseen**2 / max(once - 1, 1) * sample.pages / rest**2, MOST_FEEDBACK)
    factor = math.exp(Z * math.sqrt(math.log1p(variance / unseen**2)) / (1 - feedback))
    return unseen / factor, unseen * factor


def _seen_next(sample: Sample, pages: int, unseen: float) -> float:
    share = _share(sample.pages, sample, unseen)
    if not unseen or share >= 1:
        return 0.0
    links = sample.once * (1 - share) / (unseen * share)
    stay = (1 - _share(sample.pages + pages, sample, unseen)) / (1 - share)
    return float(unseen * (1 - stay**links))
