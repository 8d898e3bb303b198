"""The second model of a growth series: Heaps' law on a site with a finite number of things.

V = N (1 - exp(-K n^beta / N)): it follows K n^beta at first and ends at N (`ttcrawl.report.laws.curves`). It has a K
and a beta of its own, and a range of its own in which the series lies within 5 % of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ttcrawl.report.laws import curves, noise
from ttcrawl.report.laws.heaps import Interval
from ttcrawl.report.laws.longest_line import TOLERANCE, WIDE
from ttcrawl.report.laws.shape import Shape, finite_pool

if TYPE_CHECKING:
    from numpy.random import Generator

    from ttcrawl.report.laws.curves import Array

REPLICAS = 400
CLOSE = 0.01  # of a fit: small beside the scatter of the fits
HIGH = 0.975  # the upper quantile of an interval of 95 %
CHI_SQUARED = 3.841458820694124  # with one degree of freedom, of 95 %
HALVINGS = 12  # of the distance in which an end of an interval is looked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """V(n) = size (1 - exp(-k n^beta / size)) within 5 % from n = `holds_from` to `holds_to`.

    `ends`: the series follows it to its end, so that `size` is an estimate of all things.
    """

    k: float
    beta: float
    size: float
    k_interval: Interval
    beta_interval: Interval
    size_interval: Interval
    holds_from: float
    holds_to: float
    ends: bool

    def at(self, n: float) -> float:
        """V(n) by the curve."""
        import numpy as np

        return float(-self.size * np.expm1(-min(self.k * n**self.beta / self.size, 700.0)))


def pool(series: Array, rng: Generator) -> Pool | None:
    """The pool of the series (n, v), if it holds anywhere, and the series tells that it is finite.

    The intervals of K and beta are a parametric bootstrap (Efron and Tibshirani, An Introduction to the Bootstrap,
    1993, sections 6.5 and 13.4): series are drawn from the curve and its scatter and fitted alike, and the errors are
    reflected.
    """
    import numpy as np

    second = finite_pool(*series.tolist())
    if second is None:
        return None
    range_ = _range(second, series)
    if range_ is None or not np.isfinite(np.exp(min(second.parameters[2], 700.0))):
        return None
    of = _Bent(curve=second, errors=second.noise.draw(REPLICAS, rng))
    size = of.size_interval()
    if size is None:
        return None
    rows = of.refitted()
    rows[:, 0] = second.log_k(rows)
    centre = np.append(second.log_k(second.parameters[None]), second.parameters[1])
    low, high = 2 * centre - np.quantile(rows[:, :2], [HIGH, 1 - HIGH], axis=0)
    return Pool(
        k=float(np.exp(centre[0])),
        beta=float(centre[1]),
        size=of.size,
        k_interval=Interval(low=float(np.exp(low[0])), high=float(np.exp(high[0]))),
        beta_interval=Interval(low=max(0.0, float(low[1])), high=max(0.0, float(high[1]))),
        size_interval=size,
        holds_from=range_[0],
        holds_to=range_[1],
        ends=range_[1] >= float(series[0, -1]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bent:
    """A fitted pool, and errors of series that are drawn from it, shape (REPLICAS, points).

    Instead of N, of which the error has no upper end, fits have a share s: N is the fitted one divided by s.
    """

    curve: Shape
    errors: Array

    @property
    def size(self) -> float:
        return math.exp(self.curve.parameters[2])

    def refitted(self) -> Array:
        """(log k, beta, s) of the drawn series, shape (REPLICAS, 3)."""
        import numpy as np

        centre = np.append(self.curve.parameters[:2], 1.0)
        start = centre + self._off(centre)
        start[:, 1] = np.clip(start[:, 1], curves.BETA_MIN, curves.BETA_MAX)
        heights = self.curve.fitted + self.errors
        return curves.least_squares(curves.bent(self.size), start, self.curve.x, heights, precision=CLOSE)[0]

    def size_interval(self) -> Interval | None:
        """All N that fit the series nearly as well as the fitted one; None: an endless pool is among them.

        The likelihood ratio decides (Wilks, The large-sample distribution of the likelihood ratio, Annals of
        Mathematical Statistics 9, 1938), because the scatter of an estimate of N depends on N.
        """
        seen = float(self.curve.v.max())  # N is as large, or larger
        most = max(self.size / seen, 1.0)
        limit = self._distance(1.0) + CHI_SQUARED

        def excess(share: float) -> float:
            return self._distance(share) - limit

        if excess(0.0) <= 0:
            return None
        least = _root(excess, 0.0, 1.0)
        if excess(most) > 0:
            most = _root(lambda share: -excess(share), 1.0, most)
        # N is a whole number
        return Interval(low=max(seen, math.floor(self.size / most)), high=math.ceil(self.size / least))

    def _distance(self, share: float) -> float:
        """Of the series to the nearest curve with this `share`, squared, in units of the noise."""
        import numpy as np

        bent = curves.bent(self.size)

        def fixed(rows: Array, x: Array) -> tuple[Array, Array]:
            value, slopes = bent(np.column_stack([rows, np.full(len(rows), share)]), x)
            return value, slopes[:, :, :2]

        curve = self.curve
        rows, _ = curves.least_squares(fixed, curve.parameters[None, :2], curve.x, curve.v[None], precision=CLOSE)
        value, slopes = fixed(rows, curve.x)
        return noise.distance(curve.noise, slopes[0], curve.v - value[0])

    def _off(self, centre: Array) -> Array:
        """By what the errors move (log k, beta, s), to first order."""
        import numpy as np

        off: Array = self.errors @ np.linalg.pinv(curves.bent(self.size)(centre[None], self.curve.x)[1][0]).T
        return off


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where the falling `function` is 0, between `low` and `high`."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return (low + high) / 2


def _range(curve: Shape, series: Array) -> tuple[float, float] | None:
    """The longest range in log n, at least a doubling, in which every point is within 5 % of the curve."""
    import numpy as np

    n, v = series
    expected = curve.curve(curve.parameters[None], n / curve.scale)[0][0]
    far = np.flatnonzero(np.abs(v - expected) > TOLERANCE * expected)
    starts, ends = np.append(0, far + 1), np.append(far, len(n))
    wide = [(n[end - 1] / n[start], start, end - 1) for start, end in zip(starts, ends, strict=True) if start < end]
    factor, start, end = max(wide, default=(0.0, 0, 0))
    return (float(n[start]), float(n[end])) if factor >= WIDE else None
