"""The confidence interval of a counted share."""

from __future__ import annotations

import math

Z = 1.959963984540054  # of the normal distribution: its point of 97.5 %, for two-sided intervals of 95 %


def wilson(hits: int, of: int) -> tuple[float, float]:
    """95 % interval of hits/of (Wilson 1927), which is correct also for small numbers and for shares of 0 and 1.

    >>> wilson(0, 0)
    (0.0, 1.0)
    >>> low, high = wilson(98, 100)
    >>> print(f"{low:.3f} to {high:.3f}")
    0.930 to 0.994
    """
    if not of:
        return 0.0, 1.0
    share, square = hits / of, Z * Z / of
    centre = share + square / 2
    spread = Z * math.sqrt(share * (1 - share) / of + square / (4 * of))
    low, high = (centre - spread) / (1 + square), (centre + spread) / (1 + square)
    return (0.0 if hits == 0 else low), (1.0 if hits == of else high)
