"""The policies: how long until the next visit, from the rate of a page, its weight and the price of a visit.

A price is found for a budget (`budget`), and every policy answers a higher price with a longer interval. `freshness`
and `age` are the optima for a budget. The solution by Lagrange (Cho and Garcia-Molina, Effective page refresh policies
for web crawlers, ACM Transactions on Database Systems 28, 2003) visits a page when the gain of a visit reaches the
price:

    freshness   w / r (1 - (1 + x) exp(-x)) = price
    age         w / r^2 (x^2 / 2 - 1 + (1 + x) exp(-x)) = price          where x = r * interval

A page with w / r below the price changes too often: no visit is worth it, and the interval is infinite. `harmonic` is
the optimum of Kolobov and others (Staying up to date with online content changes, NeurIPS 2019): the penalty of a page
grows with the changes that were missed, and no page is given up.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

#: (rate, weight, price) -> seconds
Policy: TypeAlias = Callable[[float, float, float], float]

STEPS, PRECISION = 40, 1e-12


def freshness(rate: float, weight: float, price: float) -> float:
    """Return the interval that makes the weighted share of fresh pages largest.

    >>> round(freshness(1, 1, 1 - 2 / math.e), 9), freshness(1, 1, 1.0)
    (1.0, inf)
    """
    if rate <= 0 or price * rate >= weight:
        return math.inf
    return expected_changes(price * rate / weight) / rate


def expected_changes(gain: float) -> float:
    """Return x with 1 - (1 + x) exp(-x) = gain, for a gain from 0 to 1: x - log(1 + x) = -log(1 - gain).

    Another form of Lambert's W, found by Newton's method, which is exact after 3 or 4 steps.
    """
    goal = -math.log1p(-gain)
    if goal < 1e-8:
        return math.sqrt(2 * goal) + 2 * goal / 3
    x = goal + math.sqrt(2 * goal)
    for _ in range(STEPS):
        step = (x - math.log1p(x) - goal) * (1 + x) / x
        x -= step
        if abs(step) <= PRECISION * x:
            break
    return x


def age(rate: float, weight: float, price: float) -> float:
    """Return the interval that makes the weighted mean age smallest: seconds since the first change that was missed.

    >>> round(age(1, 1, 2 / math.e - 0.5), 9)
    1.0
    """
    if rate <= 0:
        return math.inf
    goal = price / weight * rate * rate
    x = (3 * goal) ** (1 / 3) if goal < 1 else math.sqrt(2 * (goal + 1))
    for _ in range(STEPS if x > 1e-3 else 0):
        step = (x * x / 2 - 1 + (1 + x) * math.exp(-x) - goal) / (x * -math.expm1(-x))
        x -= step
        if abs(step) <= PRECISION * x:
            break
    return x / rate


def harmonic(rate: float, weight: float, price: float) -> float:
    """Return the mean interval that makes the weighted harmonic penalty smallest.

    >>> round(harmonic(1, 2, 1), 9)  # visits once a second: 1 * (1 + 1) = 2
    1.0
    """
    if rate <= 0:
        return math.inf
    return (math.sqrt(1 + 4 * weight / (price * rate)) + 1) * price / (2 * weight)


def uniform(rate: float, weight: float, price: float) -> float:
    """Return the same interval for all pages."""
    return price


def proportional(rate: float, weight: float, price: float) -> float:
    """Return an interval of the same number of expected changes for all pages."""
    return price / rate if rate > 0 else math.inf


def important(rate: float, weight: float, price: float) -> float:
    """Return an interval that is shorter for pages with more weight, whether they change or not."""
    return price / weight


POLICIES: dict[str, Policy] = {
    each.__name__: each for each in (freshness, age, harmonic, uniform, proportional, important)
}


def fresh_share(rate: float, interval: float) -> float:
    """Return the expected share of time in which the copy of a page is as the page.

    >>> fresh_share(0.0, 5.0), fresh_share(1.0, math.inf)
    (1.0, 0.0)
    """
    x = rate * interval if rate else 0.0
    return -math.expm1(-x) / x if x > 1e-12 else 1.0


def mean_age(rate: float, interval: float) -> float:
    """Return the expected age of the copy, seconds.

    >>> mean_age(0.0, 5.0), round(mean_age(1.0, 1.0), 6)
    (0.0, 0.132121)
    """
    x = rate * interval if rate else 0.0
    if x < 1e-3:
        return interval * x * (1 / 6 - x / 24) if x else 0.0
    return interval * (0.5 - 1 / x - math.expm1(-x) / (x * x))
