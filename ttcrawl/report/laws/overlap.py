"""The interval of a population that two independent samples overlap in: exact, also where they overlap completely."""

from __future__ import annotations

import math
from collections.abc import Callable

#: Probability beyond each end, for 95 %.
BEYOND = 0.025

#: A population above it counts as without an upper end.
MOST = 10**15

#: Terms of a sum that are smaller, as a share of the sum, are left out.
SMALL = 1e-17


def exact_interval(first: int, second: int, both: int) -> tuple[float, float]:
    """Return the 95 % interval of the size of a population with samples of `first` and `second`, `both` in common.

    The sizes for which as small, or as large, an overlap is not improbable: Clopper and Pearson's idea, with the
    hypergeometric distribution. It covers at least 95 % for any size, and its upper end is infinite without an overlap.

    >>> exact_interval(100, 100, 100)
    (100.0, 100.0)
    >>> exact_interval(10, 15, 5)
    (21.0, 73.0)
    """
    seen = first + second - both
    low = _first(seen, lambda size: _at_most(both, size, first, second) >= BEYOND)
    high = _first(seen, lambda size: _at_least(both, size, first, second) < BEYOND) - 1 if both else MOST
    return float(low), float(high) if high < MOST else math.inf


def _first(least: int, holds: Callable[[int], bool]) -> int:
    """The smallest number from `least` on for which it holds, if it holds for all larger ones."""
    if holds(least):
        return least
    low, step = least, 1
    while not holds(low + step) and low + step < MOST:
        low, step = low + step, 2 * step
    high = low + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _at_least(both: int, size: int, first: int, second: int) -> float:
    """The probability of at least so large an overlap."""
    most = min(first, second)
    total = term = _probability(both, size, first, second)
    if not total:  # too small for a number
        return float(both < first * second / size)
    for overlap in range(both, most):
        term *= (first - overlap) * (second - overlap) / ((overlap + 1) * (size - first - second + overlap + 1))
        total += term
        if term < SMALL * total and overlap > first * second / size:
            break
    return total


def _at_most(both: int, size: int, first: int, second: int) -> float:
    """The probability of at most so large an overlap."""
    least = max(0, first + second - size)
    total = term = _probability(both, size, first, second)
    if not total:
        return float(both > first * second / size)
    for overlap in range(both, least, -1):
        term *= overlap * (size - first - second + overlap) / ((first - overlap + 1) * (second - overlap + 1))
        total += term
        if term < SMALL * total and overlap < first * second / size:
            break
    return total


def _probability(both: int, size: int, first: int, second: int) -> float:
    choices = _log_choices(first, both) + _log_choices(size - first, second - both)
    return math.exp(min(0.0, choices - _log_choices(size, second)))


def _log_choices(of: int, count: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(count + 1) - math.lgamma(of - count + 1)
