"""Heaps' law of one series: intervals of K and beta, errors of the fit, and the range in which the law holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ttcrawl.report.laws.shape import SHORT, Leaving, Shape, shape

if TYPE_CHECKING:
    from numpy.random import Generator

    from ttcrawl.report.laws.curves import Array

REPLICAS = 400
LEVEL = 0.95
#: A law holds from n = a to b if b is at least WIDE times a, and at most one part in MOST_OUT of this range lies
#: further from the law than SHORT and chance (CHANCE standard deviations) allow.
WIDE, MOST_OUT, CHANCE = 2.0, 10, 2.0
DEPARTURE = {
    "": "",
    "pool": "",
    "dry": " The series falls off the curve at {0:,.0f}.",
    "faster": " The series rises off the curve at {0:,.0f}.",
}
POOL = (
    " It bends towards a finite number N: the fitted curve is V = N (1 - exp(-K n^beta / N)); K n^beta alone exceeds"
    " it by more than 5 % from {0:,.0f} on."
)
SEGMENT = " The series lies within 5 %, plus chance, of K n^beta from {0:,.0f} to {1:,.0f}."
NOWHERE = " The series does not follow the law: it is not within 5 % of K n^beta over any doubling of n."
DOUBT = " A finite pool fits a little better, so the intervals include its K and beta."


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """The true value lies in [low, high] for a share `level` of all series like this one."""

    low: float
    high: float
    level: float = LEVEL


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """V(n) = k * n ** beta from n = `holds_from` to `holds_to`, both None if it holds nowhere.

    The law holds where the series lies within 5 % of it, plus chance, over at least a doubling of n. `size` is the
    total number of things, if the series shows it. `rmse` (in units of V) and `r2` refer to the `points` of the fit;
    `residuals` are (n, V minus fitted) at the same points.
    """

    k: float
    beta: float
    k_interval: Interval
    beta_interval: Interval
    size: float | None
    size_interval: Interval | None
    holds_from: float | None
    holds_to: float | None
    leaves: Leaving
    rmse: float
    r2: float
    points: int
    residuals: tuple[tuple[float, float], ...]
    how: str

    def at(self, n: float) -> float:
        """V(n) by the law alone, also where the series has left it."""
        return float(self.k * n**self.beta)


def examine(n: Sequence[float], v: Sequence[float], rng: Generator) -> Law | None:
    """The law of the points (n[i], v[i]) with 95 % intervals. None for fewer than five different n > 0 or no v > 0.

    The intervals are a parametric bootstrap (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, sections 6.5
    and 13.4): series are drawn from the fitted curve and its estimated noise (`noise`), each is fitted in the same
    way, and the resulting errors of log K and of beta are reflected. A break is taken as known. Raises
    ValueError if the lengths differ or a number is not finite.
    """
    curve = shape(n, v)
    return None if curve is None else _law(curve, _segment(curve, n, v), rng)


def _law(curve: Shape, segment: tuple[float, float] | None, rng: Generator) -> Law:
    import numpy as np

    parameters = curve.parameters
    log_k, beta, *sizes = _intervals(curve, rng)
    if curve.rival is not None:
        rival_k, rival_beta, *_ = _intervals(curve.rival, rng)
        log_k, beta = _both(log_k, rival_k), _both(beta, rival_beta)
    errors = curve.v - curve.fitted
    spread = float(((curve.v - curve.v.mean()) ** 2).sum())
    return Law(
        k=float(np.exp(curve.log_k(parameters[None])[0])),
        beta=float(parameters[1]),
        k_interval=_interval(np.exp(log_k)),
        beta_interval=_interval(np.maximum(beta, 0.0)),
        size=float(np.exp(parameters[2])) if sizes else None,
        size_interval=_interval(np.exp(sizes[0])) if sizes else None,
        holds_from=segment[0] if segment else None,
        holds_to=segment[1] if segment else None,
        leaves=curve.leaves,
        rmse=float(np.sqrt(np.mean(errors**2))),
        r2=1 - float((errors**2).sum()) / spread if spread else 1.0,
        points=len(errors),
        residuals=tuple(zip((curve.x * curve.scale).tolist(), errors.tolist(), strict=True)),
        how=_how(curve, segment),
    )


def _segment(curve: Shape, n: Sequence[float], v: Sequence[float]) -> tuple[float, float] | None:
    """The segment of the series in which K n^beta holds, up to where the curve itself leaves the law; None: nowhere.

    Of all segments, this is the one with the most n inside minus MOST_OUT - 1 times the n outside (Bentley, Programming
    Pearls, Algorithm design techniques, 1984). A single outlier of a noisy series does not end it.
    """
    import numpy as np

    series = np.array(
        sorted({x: y for x, y in zip(n, v, strict=True) if 0 < x <= curve.holds_to}.items()), dtype=float
    ).T
    x, y = series if len(series) else np.empty((2, 0))
    law = np.exp(curve.log_k(curve.parameters[None]) + curve.parameters[1] * np.log(x))
    expected = np.interp(x, curve.x * curve.scale, curve.noise.weights @ curve.noise.points)
    near = np.abs(y - law) <= SHORT * law + CHANCE * np.sqrt(law + expected)
    steps = np.diff(x, prepend=0.0)
    sums = np.cumsum(np.where(near, steps, (1 - MOST_OUT) * steps))
    before = np.minimum.accumulate(np.append(0.0, sums[:-1]))
    if not near.any():
        return None
    last = int((sums - before).argmax())
    first = int(np.append(0.0, sums[:last])[::-1].argmin())  # the last index of the lowest sum, counted from the end
    start = x[last - first]
    return (float(start), float(x[last])) if x[last] >= WIDE * start else None


def _intervals(curve: Shape, rng: Generator) -> list[tuple[float, float]]:
    """Intervals of log K, beta and, in a pool, log N."""
    import numpy as np

    samples = curve.replicas(REPLICAS, rng)
    columns = np.column_stack([curve.log_k(samples), samples[:, 1:]])
    centre = np.concatenate([curve.log_k(curve.parameters[None]), curve.parameters[1:]])
    low, high = np.quantile(2 * centre - columns, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return list(zip(low.tolist(), high.tolist(), strict=True))


def _interval(ends: Array) -> Interval:
    return Interval(low=float(ends[0]), high=float(ends[1]))


def _both(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return min(one[0], other[0]), max(one[1], other[1])


def _how(curve: Shape, segment: tuple[float, float] | None) -> str:
    departure = DEPARTURE[curve.leaves].format(curve.break_at)
    bend = POOL.format(curve.holds_to) if len(curve.parameters) == 3 else DOUBT if curve.rival else ""
    return (
        f"Least squares on V at {len(curve.v)} points evenly spread along n up to {curve.x[-1] * curve.scale:,.0f}; "
        f"{100 * LEVEL:.0f} % intervals from {REPLICAS} bootstrap series drawn with the scatter of steps and points."
        f"{departure}{bend}{SEGMENT.format(*segment) if segment else NOWHERE}"
    )
