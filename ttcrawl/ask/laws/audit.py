"""How many of the things that were thrown away were good, by a sample of them that was looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

#: In each tail: two-sided 95 %.
TAIL = 0.025


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """Of those thrown away; `estimate` is None where no sample says anything."""

    estimate: float | None
    low: int
    high: int


def lost(refused: int, audited: int, good: int) -> Lost:
    """`audited` were chosen by chance from all (so there were refused + audited in all), `good` of them were good.

    The interval is the exact one of the hypergeometric distribution, for a population that is no larger than it is
    (J. Buonaccorsi, A note on confidence intervals for proportions in finite populations, The American Statistician
    41, 1987): all numbers of good ones of which the sample is not too unlikely. With a large population it becomes
    that of Clopper and Pearson. ValueError when more are good than were audited.
    """
    if not 0 <= good <= audited or refused < 0:
        raise ValueError(f"{good} good of {audited} audited, {refused} refused")
    if not audited:
        return Lost(estimate=None, low=0, high=refused)
    from scipy.stats import hypergeom

    size = refused + audited
    # the more good ones there are, the likelier are `good` or more in the sample, the less likely `good` or fewer
    low = _first(good, good + refused, lambda all_: hypergeom.sf(good - 1, size, all_, audited) > TAIL)
    high = _first(good, good + refused + 1, lambda all_: hypergeom.cdf(good, size, all_, audited) <= TAIL) - 1
    return Lost(estimate=refused * good / audited, low=low - good, high=high - good)


def _first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The first number from `low` for which it holds, as it then does for all greater ones; `high` if for none."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
