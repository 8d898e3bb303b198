"""The price of a visit: the one at which all visits together are as many as the budget allows.

The pages are counted in cells of about the same rate and weight, so that price and memory do not follow the number of
pages. A cell is a factor of 2^(1/4) wide: the visits meet the budget within a hundredth.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from ttcrawl.recrawl.interval import Policy

#: Cells a factor of 2.
CELLS = 4

#: Rates and weights that are told apart; others count as the nearest of them.
SLOWEST, FASTEST = 1e-10, 1.0
LIGHTEST, HEAVIEST = 1e-6, 1e6

#: Steps to find a price, and the relative error of the number of visits.
STEPS, PRECISION = 100, 1e-4

#: Prices between which the right one is looked for: seconds, and their squares, with weights.
CHEAPEST, DEAREST = 1e-12, 1e30


class Bounds(Struct, frozen=True):
    """The shortest and the longest interval between two visits to a page, seconds."""

    shortest: float
    longest: float

    def __post_init__(self) -> None:
        """Raises ValueError."""
        if not 0 < self.shortest <= self.longest:
            raise ValueError(f"no interval is between {self.shortest:g} and {self.longest:g} seconds")

    def within(self, seconds: float) -> float:
        """Return the allowed interval that is nearest; for NaN the longest.

        >>> Bounds(60, 3600).within(math.inf)
        3600
        """
        return self.shortest if seconds < self.shortest else seconds if seconds < self.longest else self.longest


#: (rate, weight, pages)
Cell = tuple[float, float, int]


class Demand:
    """How many pages have about which rate and weight."""

    def __init__(self) -> None:
        self._pages: Counter[tuple[int, int]] = Counter()

    def add(self, rate: float, weight: float) -> None:
        self._pages[_cell(rate, weight)] += 1

    def remove(self, rate: float, weight: float) -> None:
        """Take a page out that was added with the same rate and weight."""
        cell = _cell(rate, weight)
        self._pages[cell] -= 1
        if self._pages[cell] <= 0:
            del self._pages[cell]

    def __iter__(self) -> Iterator[Cell]:
        for (rate, weight), pages in self._pages.items():
            yield 2 ** ((rate + 0.5) / CELLS), 2 ** ((weight + 0.5) / CELLS), pages


def _cell(rate: float, weight: float) -> tuple[int, int]:
    rate = min(max(rate, SLOWEST), FASTEST)
    weight = min(max(weight, LIGHTEST), HEAVIEST)
    return math.floor(CELLS * math.log2(rate)), math.floor(CELLS * math.log2(weight))


def visits(policy: Policy, cells: Iterable[Cell], price: float, bounds: Bounds) -> float:
    """Return the visits a second that a price leads to."""
    return sum(pages / bounds.within(policy(rate, weight, price)) for rate, weight, pages in cells)


def price(policy: Policy, cells: Iterable[Cell], budget: float, bounds: Bounds, near: float = 1.0) -> float:
    """Return the price at which `budget` visits a second are made.

    If the budget is enough for the shortest interval everywhere, the price is CHEAPEST; if it is too small for the
    longest, it is DEAREST. `near`: a price to begin with, such as the last one.
    """
    cells = list(cells)
    goal = math.log(budget) if budget > 0 else -math.inf

    def error(log: float) -> float:
        result = visits(policy, cells, math.exp(log), bounds)
        return (math.log(result) if result else -math.inf) - goal

    least, most = math.log(CHEAPEST), math.log(DEAREST)
    low = high = min(max(math.log(near), least), most)
    step = 0.1
    if error(low) >= 0:
        while error(high) > 0:
            if high >= most:
                return DEAREST
            low, high, step = high, min(most, high + step), 3 * step
    else:
        while error(low) < 0:
            if low <= least:
                return CHEAPEST
            low, high, step = max(least, low - step), low, 3 * step
    return math.exp(_root(error, low, high))


def _root(error: Callable[[float], float], low: float, high: float) -> float:
    """Return where a falling function is nearly 0, between two places where it is positive and negative: by the
    Illinois variant of false position, which halves the value of an end that stays."""
    above, below, stays = error(low), error(high), 0
    for _ in range(STEPS):
        finite = math.isfinite(above) and math.isfinite(below) and above > below
        middle = high - below * (high - low) / (below - above) if finite else (low + high) / 2
        wrong = error(middle)
        if abs(wrong) <= PRECISION:
            return middle
        if wrong > 0:
            low, above, below, stays = middle, wrong, below / 2 if stays > 0 else below, 1
        else:
            high, below, above, stays = middle, wrong, above / 2 if stays < 0 else above, -1
    return (low + high) / 2
