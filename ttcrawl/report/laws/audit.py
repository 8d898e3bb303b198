"""How many of the refused URLs were good, estimated from an audited sample of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

#: The probability in each tail: two-sided 95 %.
TAIL = 0.025


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """Good URLs among the refused ones. `estimate` is None without a sample."""

    estimate: float | None
    low: int
    high: int


def lost(refused: int, audited: int, good: int) -> Lost:
    """`audited` URLs are a random sample of all refused + audited URLs; `good` of them were good.

    The interval is the exact one of the hypergeometric distribution, for a finite population (J. Buonaccorsi, A note on
    confidence intervals for proportions in finite populations, The American Statistician 41, 1987): all numbers of good
    URLs for which the sample is not too unlikely. For a large population it becomes the interval of Clopper and
    Pearson. Raises ValueError if `good` exceeds `audited`.
    """
    if not 0 <= good <= audited or refused < 0:
        raise ValueError(f"{good} good of {audited} audited, {refused} refused")
    if not audited:
        return Lost(estimate=None, low=0, high=refused)
    size = refused + audited
    # more good URLs make `good` or more in the sample likelier, and `good` or fewer less likely
    low = _first(good, good + refused, lambda total: 1 - _fewer(good, size, total, audited) > TAIL)
    high = _first(good, good + refused + 1, lambda total: _fewer(good + 1, size, total, audited) <= TAIL) - 1
    return Lost(estimate=refused * good / audited, low=low - good, high=high - good)


def _fewer(number: int, size: int, total: int, sample: int) -> float:
    """The probability of fewer than `number` good URLs in a sample of `size` URLs, of which `total` are good."""
    import numpy as np

    least = max(0, sample - (size - total))
    counts = np.arange(least, min(sample, total), dtype=float)
    # of each count beside the one before: without factorials, whose logarithms have too few digits for large crawls
    ratios = (total - counts) * (sample - counts) / ((counts + 1) * (size - total - sample + counts + 1))
    logs = np.concatenate([[0.0], np.log(ratios).cumsum()])
    chances = np.exp(logs - logs.max())
    return float(chances[: max(0, number - least)].sum() / chances.sum())


def _first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The first number from `low` for which `holds` is true; `high` if there is none. `holds` must be monotonic."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
