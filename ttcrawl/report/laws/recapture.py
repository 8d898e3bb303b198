"""The size of a site, estimated from two independent samples, or from the number of sightings in one sample."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

#: The 97.5 % point of the normal distribution: two-sided 95 %.
Z = 1.959963984540054

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
    Simulation and Computation 38, 2009), which keeps its coverage if `both` is small. Returns None if a sample is
    empty. Raises ValueError if `both` exceeds `first` or `second`.

    The assumption is independence: a page in the sitemap is as likely to be found by links as any other. If the same
    pages are easy to find in both ways (a sitemap of the popular pages), the estimate is too low. If the sitemap lists
    exactly the pages without links, it is too high; with none in common the interval has almost no upper end.
    """
    if not 0 <= both <= min(first, second):
        raise ValueError(f"{both} in both of two samples of {first} and {second}")
    if not first or not second:
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


def chao1(counts: Iterable[int]) -> Size | None:
    """A lower bound of the number of things, if the i-th seen thing was seen counts[i] times (such as links to a URL).

    S + f1 (f1 - 1) / (2 (f2 + 1)), where f1 and f2 are the numbers of things seen once and twice, and S is the number
    seen: the bias-corrected lower bound of A. Chao (Scandinavian Journal of Statistics 11, 1984), with her log-normal
    interval (Biometrics 43, 1987). Counts below 1 are left out. Returns None if nothing was seen.

    It is a lower bound in expectation: things that are hard to find are under-represented among those seen once. It
    equals the size only if all things are equally easy to find.
    """
    seen = once = twice = 0
    for count in counts:
        seen += count > 0
        once += count == 1
        twice += count == 2
    if not seen:
        return None
    unseen = once * (once - 1) / (2 * (twice + 1))
    how = (
        f"Chao1, a lower bound: {seen:,} seen, {once:,} of them once and {twice:,} twice; 95 % interval log-normal. "
        "Pages that are hard to find are undercounted; links that are not random bias the estimate."
    )
    if not unseen:
        return Size(size=float(seen), low=float(seen), high=float(seen), seen=seen, how=how)
    variance = (
        unseen
        + once * (2 * once - 1) ** 2 / (4 * (twice + 1) ** 2)
        + once**2 * twice * (once - 1) ** 2 / (4 * (twice + 1) ** 4)
    )
    factor = math.exp(Z * math.sqrt(math.log1p(variance / unseen**2)))
    return Size(size=seen + unseen, low=seen + unseen / factor, high=seen + unseen * factor, seen=seen, how=how)
