"""Heaps' law: after n occurrences a crawl (or a text) has shown V(n) = K n^beta distinct ones.

H. S. Heaps, Information Retrieval: Computational and Theoretical Aspects, 1978, section 7.5. The fit is least squares
on V itself. A straight line through the logarithms is faster and more common, but it gives the first hundred pages as
much weight as the last hundred thousand. It therefore misses the end of the curve, which is needed for extrapolation.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

BETA_MAX = 1.5  # above 1 the law makes no sense, but a short series may give it, and the reader should see it
FEWEST_PAGES = 100  # of a crawl for which a report shows a law: fewer pages would fit any law
GRID = 30  # first guesses: 0.05, 0.10, ... 1.50
GOLDEN = (math.sqrt(5) - 1) / 2
PRECISION = 1e-10


@dataclass(frozen=True, slots=True, kw_only=True)
class Heaps:
    """A fitted curve: V(n) = k * n ** beta. `rmse` is in units of V, over the `points` used for the fit."""

    k: float
    beta: float
    rmse: float
    points: int

    @property
    def how(self) -> str:
        return f"Least squares on V at {self.points} points evenly spread along n."

    def at(self, n: float) -> float:
        """V(n): the number of distinct things that the law expects among `n` occurrences."""
        return self.k * math.pow(n, self.beta)


def fit(n: Sequence[float], v: Sequence[float]) -> Heaps | None:
    """The curve V(n) = K n^beta nearest to the points (n[i], v[i]), by least squares on V, 0 < beta <= 1.5.

    The fit uses at most 200 points, evenly spread along n. It omits points with n <= 0, because V(0) = 0 for every K
    and beta. Returns None if fewer than three different n remain, or if every v is 0. Raises ValueError if the lengths
    differ or a number is not finite.
    """
    if len(n) != len(v):
        raise ValueError(f"n and v differ in length: {len(n)} and {len(v)}")
    if not all(map(math.isfinite, n)) or not all(map(math.isfinite, v)):
        raise ValueError("n and v must be finite")
    points = spread([(x, y) for x, y in zip(n, v, strict=True) if x > 0])
    if len(points) < 3 or not any(y for _, y in points):
        return None
    # n is scaled to (0, 1], so that powers neither overflow nor lose digits
    scale = points[-1][0]
    xs, ys = [x / scale for x, _ in points], [y for _, y in points]
    beta = _lowest(lambda beta: _errors(xs, ys, beta)[1])
    k, squares = _errors(xs, ys, beta)
    return Heaps(k=k / scale**beta, beta=beta, rmse=math.sqrt(squares / len(points)), points=len(points))


def spread(series: Sequence[tuple[float, float]], count: int = 200) -> list[tuple[float, float]]:
    """At most `count` points (n, v) of `series`, evenly spread along n, in order of n, with the first and the last.

    If several points share an n, the last one is used. If the series has a gap, the result has fewer points.
    """
    points = sorted(dict(series).items())
    if len(points) <= count:
        return points
    if count < 2:
        return points[-1:] if count == 1 else []
    positions = [n for n, _ in points]
    step = (positions[-1] - positions[0]) / (count - 1)
    indexes = {bisect_left(positions, positions[0] + i * step) for i in range(count - 1)}
    return [points[i] for i in sorted(indexes | {len(points) - 1})]


def _errors(xs: Sequence[float], ys: Sequence[float], beta: float) -> tuple[float, float]:
    """The best K for this beta, in closed form, and its sum of squared errors."""
    powers = [x**beta for x in xs]
    k = sum(p * y for p, y in zip(powers, ys, strict=True)) / sum(p * p for p in powers)
    return k, sum((k * p - y) ** 2 for p, y in zip(powers, ys, strict=True))


def _lowest(cost: Callable[[float], float]) -> float:
    """The minimum of `cost` on (0, BETA_MAX]: the best of a grid, then golden section between its neighbours."""
    grid = [BETA_MAX * i / GRID for i in range(GRID + 1)]
    best = min(range(1, GRID + 1), key=lambda i: cost(grid[i]))
    low, high = grid[best - 1], grid[min(best + 1, GRID)]
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    cost_left, cost_right = cost(left), cost(right)
    while high - low > PRECISION:
        if cost_left <= cost_right:
            high, right, cost_right = right, left, cost_left
            left = high - GOLDEN * (high - low)
            cost_left = cost(left)
        else:
            low, left, cost_left = left, right, cost_right
            right = low + GOLDEN * (high - low)
            cost_right = cost(right)
    return (low + high) / 2
