"""Heaps' law of one series: intervals of K and beta, errors of the fit, and the range in which the law holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ttcrawl.ask.laws.shape import SHORT, Leaving, Shape, shape

if TYPE_CHECKING:
    from numpy.random import Generator

    from ttcrawl.ask.laws.curves import Array

REPLICAS = 400
LEVEL = 0.95
#: A law holds from n = a to b if b is at least WIDE times a, and at most one part in MOST_OUT of this range lies
#: further from the law than SHORT and chance (CHANCE standard deviations) allow.
WIDE, MOST_OUT, CHANCE = 2.0, 10, 2.0
LEFT = {
    "": "",
    "pool": "",
    "dry": " The series falls off the curve at {0:,.0f}.",
    "faster": " The series rises off the curve at {0:,.0f}.",
}
POOL = (
    " It bends towards a finite number N: the fitted curve is V = N (1 - exp(-K n^beta / N)); K n^beta alone exceeds"
    " it by more than 5 % from {0:,.0f} on."
)
HELD = " The series lies within 5 %, plus chance, of K n^beta from {0:,.0f} to {1:,.0f}."
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
    and 13.4): series are drawn from the fitted curve and its estimated noise (`ttcrawl.ask.laws.noise`), each is fitted
    in the same way, and the resulting errors of log K and of beta are reflected. A break is taken as known. Raises
    ValueError if the lengths differ or a number is not finite.
    """
    found = shape(n, v)
    return None if found is None else _law(found, _held(found, n, v), rng)


def _law(found: Shape, held: tuple[float, float] | None, rng: Generator) -> Law:
    import numpy as np

    parameters = found.parameters
    log_k, beta, *sizes = _intervals(found, rng)
    if found.rival is not None:
        rival_k, rival_beta, *_ = _intervals(found.rival, rng)
        log_k, beta = _both(log_k, rival_k), _both(beta, rival_beta)
    errors = found.v - found.fitted
    spread = float(((found.v - found.v.mean()) ** 2).sum())
    return Law(
        k=float(np.exp(found.log_k(parameters[None])[0])),
        beta=float(parameters[1]),
        k_interval=_interval(np.exp(log_k)),
        beta_interval=_interval(np.maximum(beta, 0.0)),
        size=float(np.exp(parameters[2])) if sizes else None,
        size_interval=_interval(np.exp(sizes[0])) if sizes else None,
        holds_from=held[0] if held else None,
        holds_to=held[1] if held else None,
        leaves=found.leaves,
        rmse=float(np.sqrt(np.mean(errors**2))),
        r2=1 - float((errors**2).sum()) / spread if spread else 1.0,
        points=len(errors),
        residuals=tuple(zip((found.x * found.scale).tolist(), errors.tolist(), strict=True)),
        how=_how(found, held),
    )


def _held(found: Shape, n: Sequence[float], v: Sequence[float]) -> tuple[float, float] | None:
    """The segment of the series in which K n^beta holds, up to where the curve itself leaves the law; None: nowhere.

    Of all segments, this is the one with the most n inside minus MOST_OUT - 1 times the n outside (Bentley, Programming
    Pearls, Algorithm design techniques, 1984). A single outlier of a noisy series does not end it.
    """
    import numpy as np

    series = np.array(
        sorted({x: y for x, y in zip(n, v, strict=True) if 0 < x <= found.holds_to}.items()), dtype=float
    ).T
    x, y = series if len(series) else np.empty((2, 0))
    law = np.exp(found.log_k(found.parameters[None]) + found.parameters[1] * np.log(x))
    reading = np.interp(x, found.x * found.scale, found.noise.weights @ found.noise.points)
    near = np.abs(y - law) <= SHORT * law + CHANCE * np.sqrt(law + reading)
    way = np.diff(x, prepend=0.0)
    sums = np.cumsum(np.where(near, way, (1 - MOST_OUT) * way))
    before = np.minimum.accumulate(np.append(0.0, sums[:-1]))
    if not near.any():
        return None
    last = int((sums - before).argmax())
    first = int(np.append(0.0, sums[:last])[::-1].argmin())  # the last index of the lowest sum, counted from the end
    start = x[last - first]
    return (float(start), float(x[last])) if x[last] >= WIDE * start else None


def _intervals(found: Shape, rng: Generator) -> list[tuple[float, float]]:
    """Intervals of log K, beta and, in a pool, log N."""
    import numpy as np

    drawn = found.replicas(REPLICAS, rng)
    columns = np.column_stack([found.log_k(drawn), drawn[:, 1:]])
    centre = np.concatenate([found.log_k(found.parameters[None]), found.parameters[1:]])
    low, high = np.quantile(2 * centre - columns, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return list(zip(low.tolist(), high.tolist(), strict=True))


def _interval(ends: Array) -> Interval:
    return Interval(low=float(ends[0]), high=float(ends[1]))


def _both(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return min(one[0], other[0]), max(one[1], other[1])


def _how(found: Shape, held: tuple[float, float] | None) -> str:
    left = LEFT[found.leaves].format(found.left_at)
    bend = POOL.format(found.holds_to) if len(found.parameters) == 3 else DOUBT if found.rival else ""
    return (
        f"Least squares on V at {len(found.v)} points evenly spread along n up to {found.x[-1] * found.scale:,.0f}; "
        f"{100 * LEVEL:.0f} % intervals from {REPLICAS} bootstrap series drawn with the scatter of steps and points."
        f"{left}{bend}{HELD.format(*held) if held else NOWHERE}"
    )
