"""Selects the curve of a growth series: Heaps' law to its end, the law in a finite pool, or the law up to a break.

A finite site cannot follow the law for ever. It may leave it slowly, because more and more finds are known already (the
curve `pool`), or suddenly, after the last section (a break, followed by a straight line, usually level). Either is
accepted only if it brings the series nearer to the curve than noise would, except in about one in a thousand series
that follow the law: the distance, in units of the noise, must shrink by LEFT_POOL or LEFT_BREAK. If the pool is nearer
by less than that, but by DOUBT, the data cannot decide: the law stands, and the pool is its `rival`, whose K and beta
belong into any honest interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ttcrawl.report.laws import curves, noise
from ttcrawl.report.laws.heaps import spread

if TYPE_CHECKING:
    from numpy.random import Generator

    from ttcrawl.report.laws.curves import Array

Leaving = Literal["", "pool", "dry", "faster"]
Points = list[tuple[float, float]]
Cut = tuple[float, Leaving, float]  # where the break is, its kind, and the end of the series for the next search

LEFT_POOL = 10.0  # chi-squared with one degree of freedom exceeds it once in 600 times
LEFT_BREAK = 18.0  # two degrees of freedom, and the best of some fifty positions of the break
DOUBT = 0.2
SPELL = 7.0  # expected things since the last find: Poisson's probability of zero, exp(-7), is one in a thousand
FEWEST = 20  # points needed to detect a break
MARGIN = 0.97  # of the break: its position is known only to a step or two
ROUNDS = 5  # breaks before the break
LEVEL = 0.995  # of the last V; if reached in the first quarter of the series, the rest only shows that all is found
#: Share of the law at the end of the series. A pool that lacks less than this is the law, and its N means nothing. A
#: series that rises off the law gives such a fit, and may be "nearer" to a pool of negative size.
FELT = 1e-3
SHORT = 0.05  # of the law: the pool may lack this share where the law still holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A fitted curve. `x` is n / scale, in (0, 1]; x, v and fitted have shape (points,), parameters (2,) or (3,)."""

    curve: curves.Curve
    parameters: Array
    scale: float
    x: Array
    v: Array
    fitted: Array
    noise: noise.Noise
    leaves: Leaving
    holds_to: float  # n up to which the law holds
    break_at: float | None  # n of the break
    rival: Shape | None

    def at(self, n: float, parameters: Array | None = None) -> Array:
        """V(n) for each row of `parameters` (None: the fitted ones), shape (rows,)."""
        import numpy as np

        rows = self.parameters[None, :] if parameters is None else parameters
        value: Array = self.curve(rows, np.array([n / self.scale]))[0][:, 0]
        return value

    def log_k(self, parameters: Array) -> Array:
        """log K for unscaled n, for each row of `parameters`."""
        import numpy as np

        logs: Array = parameters[:, 0] - parameters[:, 1] * np.log(self.scale)
        return logs

    def replicas(self, count: int, rng: Generator) -> Array:
        """The parameters fitted to `count` series drawn from this curve and its noise: shape (count, parameters)."""
        import numpy as np

        errors = self.noise.draw(count, rng)
        slopes = self.curve(self.parameters[None], self.x)[1][0]
        # start at the best fit of the linearized curve, then take one step on the curve itself
        start = self.parameters + np.clip(errors @ np.linalg.pinv(slopes).T, -0.5, 0.5)
        start[:, 1] = np.clip(start[:, 1], curves.BETA_MIN, curves.BETA_MAX)
        return curves.least_squares(self.curve, start, self.x, self.fitted + errors, precision=np.inf)[0]


def shape(n: Sequence[float], v: Sequence[float]) -> Shape | None:
    """The curve that the points (n[i], v[i]) follow. None for fewer than five different n > 0, or if every v is 0.

    Raises ValueError if a number is not finite.
    """
    if not all(map(math.isfinite, n)) or not all(map(math.isfinite, v)):
        raise ValueError("n and v must be finite")
    series = sorted({x: y for x, y in zip(n, v, strict=True) if x > 0}.items())
    series, break_at = _before_level(series)
    leaves: Leaving = "dry" if break_at else ""
    curve = None
    for _ in range(ROUNDS):
        points = spread(series)
        if len(points) < 5 or not any(y for _, y in points):
            break
        curve = replace(_law_or_pool(points), break_at=break_at)
        curve = replace(curve, leaves=leaves or curve.leaves)
        cut = (_spell(curve, series) or _break(curve)) if len(points) >= FEWEST else None
        if cut is None:
            break
        break_at, leaves, last = cut
        series = [(x, y) for x, y in series if x <= last]
    if curve is None or break_at is None:
        return curve
    return replace(curve, holds_to=min(curve.holds_to, break_at))  # the fit also used part of the level end


def finite_pool(n: Sequence[float], v: Sequence[float]) -> Shape | None:
    """The pool that the points (n[i], v[i]), n rising, are nearest to, to the last new thing; None if it is not felt.

    Breaks are not looked for, because where one is found depends on the order of the pages. The things of a pool are
    found singly.
    """
    import numpy as np

    last = next((x for x, y in zip(n, v, strict=True) if y >= v[-1]), 0.0)
    points = spread([(x, y) for x, y in zip(n, v, strict=True) if x <= last])
    if len(points) < FEWEST:
        return None
    curve = _pool(points)
    if not _is_felt(curve.parameters):
        return None
    slopes = curve.curve(curve.parameters[None], curve.x)[1][0]
    return replace(
        curve, noise=noise.estimate(curve.fitted, slopes, curve.v, singly=bool((np.diff(curve.v) >= 0).all()))
    )


def _before_level(series: Points) -> tuple[Points, float | None]:
    """The series without most of a long level end, and the start of this end."""
    if not series:
        return series, None
    enough = next(x for x, y in series if y >= LEVEL * series[-1][1])
    last = max(4 * enough, series[min(FEWEST, len(series)) - 1][0])
    if last >= series[-1][0]:
        return series, None
    return [(x, y) for x, y in series if x <= last], enough


def _law_or_pool(points: Points) -> Shape:
    import numpy as np

    n, v = np.array(points, dtype=float).T
    scale = float(n[-1])
    law = _shape(curves.law, _starts(v, ()), n / scale, v, scale, "")
    if len(points) < FEWEST:
        return law
    pool = _pool(points)
    if not _is_felt(pool.parameters):
        return law
    gain = _gain(law, pool.curve, pool.parameters)
    if gain > LEFT_POOL:
        return pool
    return replace(law, rival=pool) if gain > DOUBT else law


def _pool(points: Points) -> Shape:
    import numpy as np

    n, v = np.array(points, dtype=float).T
    return _shape(curves.pool, _starts(v, (1.02, 1.5, 4.0, 30.0)), n / n[-1], v, float(n[-1]), "pool")


def _is_felt(pool: Array) -> bool:
    return math.exp(min(0.0, pool[0] - pool[2])) / 2 >= FELT


def _spell(curve: Shape, series: Points) -> Cut | None:
    """The position of the last find, if neither chance nor an earlier spell explains the lack of finds since then.

    On a site of lists with leaves, leaf after leaf brings nothing, and then the next list brings many.
    """
    import numpy as np

    n, v = np.array(series, dtype=float).T
    expected = curve.curve(curve.parameters[None], n / curve.scale)[0][0]
    rises = np.flatnonzero(np.diff(v, prepend=0.0) > 0)
    spells = np.diff(expected[rises])
    last = int((v == v[-1]).argmax())
    explained = max(SPELL * max(1.0, curve.noise.per_new), float(spells.max(initial=0.0)))
    return (float(n[last]), "dry", float(n[last])) if expected[-1] - expected[last] > explained else None


def _break(curve: Shape) -> Cut | None:
    """Where and how the series leaves `curve` suddenly; None if it does not."""
    import numpy as np

    parameters = _broken(curve.x, curve.v)
    if _gain(curve, curves.broken, parameters) < LEFT_BREAK:
        return None
    position = float(np.exp(parameters[2]))
    # a line less steep than the law at the break may still rise above it, because the law flattens
    end = curves.broken(parameters[None], np.ones(1))[0][0, 0]
    return position * curve.scale, "dry" if end < np.exp(parameters[0]) else "faster", MARGIN * position * curve.scale


def _gain(base: Shape, curve: curves.Curve, parameters: Array) -> float:
    """The decrease in squared distance to the series from `base` to `curve`, in units of the noise about `curve`."""
    value, slopes = curve(parameters[None], base.x)
    scatter = noise.estimate(value[0], slopes[0], base.v)
    before = noise.distance(scatter, base.curve(base.parameters[None], base.x)[1][0], base.v - base.fitted)
    return before - noise.distance(scatter, slopes[0], base.v - value[0])


def _shape(curve: curves.Curve, starts: Array, x: Array, v: Array, scale: float, leaves: Leaving) -> Shape:
    parameters = _fitted(curve, starts, x, v)
    value, slopes = curve(parameters[None], x)
    return Shape(
        curve=curve,
        parameters=parameters,
        scale=scale,
        x=x,
        v=v,
        fitted=value[0],
        noise=noise.estimate(value[0], slopes[0], v),
        leaves=leaves,
        holds_to=scale * (_short(parameters) if curve is curves.pool else 1.0),
        break_at=None,
        rival=None,
    )


def _fitted(curve: curves.Curve, starts: Array, x: Array, v: Array) -> Array:
    import numpy as np

    parameters, costs = curves.least_squares(curve, starts, x, np.tile(v, (len(starts), 1)))
    best: Array = parameters[costs.argmin()]
    return best


def _starts(v: Array, sizes: Sequence[float]) -> Array:
    """Start values: several beta, and sizes of the pool as multiples of the number found."""
    import numpy as np

    top = max(float(v.max()), 1e-300)
    if not sizes:
        return np.array([[np.log(top), beta] for beta in (0.1, 0.4, 0.7, 1.0, 1.3)])
    return np.array([[np.log(top * 1.5), beta, np.log(top * size)] for beta in (0.4, 0.7, 1.0) for size in sizes])


def _short(parameters: Array) -> float:
    """x where the pool lacks SHORT of the law: k x^beta = 2 SHORT N, to first order; at most 1."""
    return math.exp(min(0.0, (math.log(2 * SHORT) + parameters[2] - parameters[0]) / parameters[1]))


def _broken(x: Array, v: Array) -> Array:
    """(log k, beta, log b, slope) of the nearest law that breaks at x = b into a straight line.

    The best of a grid, then of finer grids around it.
    """
    import numpy as np

    breaks, betas = np.linspace(0.05, 0.97, 47), np.linspace(0.05, 1.5, 30)
    for _ in range(3):
        cost, k, slope = _line_after(x, v, breaks, betas)
        row, column = np.unravel_index(cost.argmin(), cost.shape)
        position, beta = breaks[row], betas[column]
        best = np.array([np.log(max(k[row, column], 1e-300)), beta, np.log(position), slope[row, column]])
        wide, steep = breaks[1] - breaks[0], betas[1] - betas[0]
        breaks = np.clip(np.linspace(position - wide, position + wide, 11), x[2], 0.99)
        betas = np.clip(np.linspace(beta - steep, beta + steep, 11), curves.BETA_MIN, curves.BETA_MAX)
    return best


def _line_after(x: Array, v: Array, breaks: Array, betas: Array) -> tuple[Array, Array, Array]:
    """The sum of squares, k and slope (not negative) for each break and each beta, all of shape (breaks, betas)."""
    import numpy as np

    first = np.minimum(x[None, :], breaks[:, None])[:, None, :] ** betas[None, :, None]
    line = np.maximum(x[None, :] - breaks[:, None], 0.0)
    aa, bb, ab = (first**2).sum(axis=2), (line**2).sum(axis=1)[:, None], np.einsum("abx,ax->ab", first, line)
    av, bv = first @ v, (line @ v)[:, None]
    det = aa * bb - ab**2
    slope = np.maximum((aa * bv - ab * av) / np.where(det > 0, det, np.inf), 0.0)
    k = (av - slope * ab) / aa
    cost = v @ v - 2 * k * av - 2 * slope * bv + k**2 * aa + 2 * k * slope * ab + slope**2 * bb
    return cost, k, slope
