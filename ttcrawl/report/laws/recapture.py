"""The size of a site, estimated from two independent samples."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ttcrawl.report.laws.wilson import Z

CHAPMAN = (
    "Capture-recapture (Chapman), 95 % interval by the transformed logit. It assumes that the samples are independent:"
    " it is too low if both favour the same pages, and too high if one lists pages that the other cannot reach."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """An estimate of the number of things, including unseen ones, with a 95 % interval."""

    size: float
    low: float
    high: float
    seen: int
    how: str


def chapman(first: int, second: int, both: int) -> Size | None:
    """The size of a population from two samples with `first` and `second` members and `both` in common.

    N = (first + 1) (second + 1) / (both + 1) - 1 (D. G. Chapman, Some properties of the hypergeometric distribution,
    1951), nearly free of bias. The interval is the transformed logit of M. Sadinle (Communications in Statistics -
    Simulation and Computation 38, 2009), which keeps its coverage if `both` is small. Returns None if the samples
    have nothing in common: the interval would have almost no upper end. Raises ValueError if `both` exceeds `first` or
    `second`.

    The assumption is independence: a page in the sitemap is as likely to be found by links as any other. If the same
    pages are easy to find in both ways (a sitemap of the popular pages), the estimate is too low. If the sitemap lists
    mainly the pages without links, it is too high.
    """
    if not 0 <= both <= min(first, second):
        raise ValueError(f"{both} in both of two samples of {first} and {second}")
    if not both:
        return None
    size = (first + 1) * (second + 1) / (both + 1) - 1
    seen = first + second - both
    only_first, only_second, common = first - both + 0.5, second - both + 0.5, both + 0.5
    unseen = only_first * only_second / common
    error = math.sqrt(1 / common + 1 / only_first + 1 / only_second + 1 / unseen)
    how = f"Two samples of {first:,} and {second:,} with {both:,} in common. {CHAPMAN}"
    return Size(
        size=size,
        low=min(size, max(float(seen), seen - 0.5 + unseen * math.exp(-Z * error))),
        high=seen - 0.5 + unseen * math.exp(Z * error),
        seen=seen,
        how=how,
    )
