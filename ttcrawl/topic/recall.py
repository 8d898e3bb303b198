"""Which share of the relevant pages a crawl has found, by relevant pages that were held back.

Held-back pages are relevant, were written down before the crawl and are not seeds. If they are a random sample of all
relevant pages, the number found is binomial, and the bounds follow Clopper and Pearson (Biometrika 26,
1934). They are exact; a sample without replacement makes them slightly wider than necessary.

A crawl that stops as soon as its lower bound reaches a target looks at the bound again and again, and still keeps the
confidence: a number of pages is needed that is known before the crawl, and the moment at which so many of the sample
are found is an order statistic, whose share of all relevant pages has a beta distribution (Lewis, Yang and Frieder,
Certifying One-Phase Technology-Assisted Reviews, CIKM 2021).
"""

from __future__ import annotations

import math

#: Steps of a continued fraction, at most, and the relative change at which it ends.
STEPS, PRECISION = 100_000, 1e-15

#: Halvings of an interval until its width is beyond the precision of a number.
HALVINGS = 60

#: Probabilities that differ by less are equal.
SLACK = 1e-12

#: In place of a zero in the continued fraction.
TINY = 1e-300


def lower_bound(found: int, of: int, confidence: float) -> float:
    """Return the recall that is exceeded with this confidence if `found` of the held-back pages are found.

    >>> round(lower_bound(14, 14, 0.95), 3)
    0.807
    """
    return _quantile(1 - confidence, found, of - found + 1) if found else 0.0


def interval(found: int, of: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the two-sided interval of the recall. Of no pages: everything is possible.

    >>> low, high = interval(17, 20)
    >>> print(f"{low:.3f} to {high:.3f}")
    0.621 to 0.968
    """
    both = 1 - (1 - confidence) / 2
    return lower_bound(found, of, both), 1 - lower_bound(of - found, of, both)


def needed(of: int, target: float, confidence: float) -> int | None:
    """Return the smallest number of found pages whose lower bound reaches a target. None: all are too few.

    >>> needed(14, 0.8, 0.95), needed(13, 0.8, 0.95), needed(100, 0.8, 0.95)
    (14, None, 87)
    """
    if not _shows(of, of, target, confidence):
        return None
    low, high = 0, of  # too few; enough
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _shows(middle, of, target, confidence) else (middle, high)
    return high


def fewest(target: float, confidence: float) -> int:
    """Return the smallest number of held-back pages that can show a target: all of them are found then.

    >>> fewest(0.8, 0.95), fewest(0.9, 0.95)
    (14, 29)
    """
    of = max(1, math.ceil(math.log(1 - confidence) / math.log(target)) - 1)
    while not _shows(of, of, target, confidence):
        of += 1
    return of


def _shows(found: int, of: int, target: float, confidence: float) -> bool:
    """Whether the lower bound reaches the target: as many are rarely found with a smaller recall."""
    return found > 0 and incomplete_beta(target, found, of - found + 1) <= 1 - confidence + SLACK


def _quantile(share: float, a: float, b: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if incomplete_beta(middle, a, b) < share else (low, middle)
    return (low + high) / 2


def incomplete_beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction (DLMF 8.17.22).

    For whole numbers: the probability of at least `a` hits in a + b - 1 trials that hit with probability `x`.

    >>> round(incomplete_beta(0.5, 2, 2), 12)
    0.5
    """
    if not 0 < x < 1:
        return min(1.0, max(0.0, x))
    if x > (a + 1) / (a + b + 2):  # where the fraction of the other side converges quickly
        return 1 - incomplete_beta(1 - x, b, a)
    factor = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x) - math.log(a)
    )
    return factor * _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """1 / (1 + d1 / (1 + d2 / ...)), from the front (Lentz 1976, modified by Thompson and Barnett 1986)."""
    upper, lower = 1.0, 0.0
    value = 1.0
    for step in range(1, STEPS):
        m = step // 2
        if step % 2 == 0:
            d = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            d = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        lower = 1 / ((1 + d * lower) or TINY)
        upper = (1 + d / upper) or TINY
        value *= upper * lower
        if abs(upper * lower - 1) < PRECISION:
            break
    return 1 / value
