"""The second model of a growth series: Heaps' law on a site with a finite number of things.

V = N (1 - exp(-K n^beta / N)): it follows K n^beta at first and ends at N (`ttcrawl.report.laws.curves`). It has a K
and a beta of its own, and a range of its own in which the series lies within 5 % of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ttcrawl.report.laws.heaps import TOLERANCE, WIDE, Interval
from ttcrawl.report.laws.shape import Shape, finite_pool

if TYPE_CHECKING:
    from numpy.random import Generator

    from ttcrawl.report.laws.curves import Array

REPLICAS = 400
LEVEL = 0.95


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
    """The pool of the series (n, v), if it may be one, and holds anywhere.

    The intervals are a parametric bootstrap (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, sections 6.5
    and 13.4): series are fitted from the curve and its scatter and fitted alike, and the errors are reflected.
    """
    import numpy as np

    second = finite_pool(*series.tolist())
    if second is None:
        return None
    range_ = _range(second, series)
    if range_ is None or not np.isfinite(np.exp(min(second.parameters[2], 700.0))):
        return None
    rows = second.replicas(REPLICAS, rng)
    centre = np.append(second.log_k(second.parameters[None]), second.parameters[1:])
    fitted = np.column_stack([second.log_k(rows), rows[:, 1:]])
    low, high = np.quantile(2 * centre - fitted, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    with np.errstate(over="ignore"):  # a pool that is hardly felt may be larger than all numbers
        (k_low, _, size_low), (k_high, _, size_high) = np.exp(low), np.exp(high)
        k, _, size = np.exp(centre)
    return Pool(
        k=float(k),
        beta=float(centre[1]),
        size=float(size),
        k_interval=Interval(low=float(k_low), high=float(k_high)),
        beta_interval=Interval(low=max(0.0, float(low[1])), high=max(0.0, float(high[1]))),
        size_interval=Interval(low=float(size_low), high=float(size_high)),
        holds_from=range_[0],
        holds_to=range_[1],
        ends=range_[1] >= float(series[0, -1]),
    )


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
