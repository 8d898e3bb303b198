"""Pages whose changes are announced, by the lastmod of a sitemap or by a feed. Signals may be missing or wrong.

After t seconds and n signals a page is as it was with the probability exp(-u t) (1 - p)^n, where u is the rate of
changes that are not announced and p the share of signals that a change is behind. A signal is worth as much as -log(1 -
p) / u seconds without one, so there is one clock of a page, and its visit is due when this clock reaches a threshold
(Busa-Fekete and others, A scalable crawling algorithm utilizing noisy change-indicating signals, 2025). The gain of a
visit at the threshold is w (W - exp(-u threshold) T), where T is the mean time until the clock is there, W the mean
time of it in which the page was fresh. Without signals this is policy `freshness`; with complete ones (u = 0, p = 1) it
is that of Kolobov and others 2019: a visit for each signal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

#: A signal that is never wrong counts as one that is wrong once in a million times.
SUREST = 1 - 1e-6

#: A page whose changes are all announced may change silently once in so many seconds: 10 years.
QUIETEST = 1 / (10 * 365 * 86400.0)

#: Signals with less precision count for nothing: they move a clock too little to be worth the sums.
USELESS = 0.05

STEPS, PRECISION = 80, 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """A page with signals. `unannounced`: changes a second without one; `signals`: signals a second; `precision`: p."""

    unannounced: float
    signals: float
    precision: float

    @property
    def rate(self) -> float:
        """All changes a second."""
        return self.unannounced + self.signals * self.precision


def worth(page: Announced) -> float:
    """Return the seconds that a signal puts the clock of a page forward by."""
    if page.precision < USELESS:
        return 0.0
    return -math.log1p(-min(page.precision, SUREST)) / max(page.unannounced, QUIETEST)


def due(visited: float, threshold: float, signals: int, page: Announced) -> float:
    """Return the time of the next visit, which every signal brings nearer: never before `visited`."""
    return visited + max(0.0, threshold - signals * worth(page))


def gain(page: Announced, threshold: float) -> tuple[float, float]:
    """Return the gain of a visit when the clock is at `threshold`, and the mean seconds until then, with weight 1."""
    useful = page.precision >= USELESS
    silent = max(page.unannounced if useful else page.rate, QUIETEST)
    rate = page.signals if useful else 0.0
    wrong, jump = 1 - min(page.precision, SUREST), worth(page)
    seconds = fresh = 0.0
    for count in range(math.ceil(threshold / jump) if rate else 1):
        left = threshold - count * jump
        if left <= 0:
            break
        if rate * left < 1e-9:
            seconds += left if not count else 0.0
        else:
            seconds += _more_than(count, rate * left) / rate
        total = silent + rate
        share = (wrong * rate / total) ** count / total if count else 1 / total
        fresh += share * _more_than(count, total * left)
    return fresh - math.exp(-silent * threshold) * seconds, seconds


def _more_than(count: int, mean: float) -> float:
    """Return the probability of more than `count` events of a Poisson distribution.

    >>> round(_more_than(0, 1), 6), round(_more_than(1, 1e-5) / 0.5e-10, 4)
    (0.632121, 1.0)
    """
    if count == 0:
        return -math.expm1(-mean)
    if mean < count + 1:  # summed from the small terms, 1 - ... would lose all digits
        term = math.exp((count + 1) * math.log(mean) - mean - math.lgamma(count + 2))
        total, index = 0.0, count + 1
        while term > 1e-17 * total or index < mean:
            total += term
            index += 1
            term *= mean / index
        return total
    term = total = math.exp(-mean)
    for index in range(1, count + 1):
        term *= mean / index
        total += term
    return 1 - total


def threshold(page: Announced, weight: float, price: float) -> float:
    """Return where the gain reaches the price; infinite: no visit is worth it."""
    goal, silent = price / weight, max(page.unannounced if page.precision >= USELESS else page.rate, QUIETEST)
    low, high = 0.0, 1 / silent
    while gain(page, high)[0] < goal:
        low, high = high, 2 * high
        if high > 64 / silent:
            return math.inf
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if gain(page, middle)[0] < goal else (low, middle)
        if high - low <= PRECISION * high:
            break
    return high
