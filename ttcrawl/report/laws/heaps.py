"""Heaps' law: after n occurrences a crawl (or a text) has shown V(n) = K n^beta distinct ones.

H. S. Heaps, Information Retrieval: Computational and Theoretical Aspects, 1978, section 7.5. K and beta are fitted as
textbooks do, by least squares on logarithms (Manning, Raghavan and Schuetze, Introduction to Information Retrieval,
2008, section 5.1.1), at points even in log n, so that it does not matter how densely a series was sampled. No site
follows a power law for ever. So of all ranges of n in which the measured values lie within TOLERANCE of their own
line, the fit takes the longest in log n.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ttcrawl.frozen import frozen
from ttcrawl.report.laws.longest_line import (
    FEWEST_POINTS,
    GRID,
    GROWN,
    THINNED,
    TOLERANCE,
    WIDE,
    Line,
    longest_line,
    thin,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ttcrawl.report.laws.curves import Array

FEWEST_PAGES = 100  # of a crawl for which a report shows a law: fewer pages would fit any law
LEAST = 1 / TOLERANCE  # of V: below, one thing more is further off than the tolerance
ANYTHING = 0.75  # of the exponents between 0 and 1: an interval of beta that is wider tells next to nothing


@frozen
class Interval:
    """The true value lies in [low, high] for a share `level` of all series like this one."""

    low: float
    high: float
    level: float = 0.95

    @property
    def tells_exponent(self) -> bool:
        """Whether it is narrow enough to say anything of an exponent between 0 and 1."""
        return self.high - self.low <= ANYTHING


@frozen
class Heaps:
    """V(n) = k * n ** beta within 5 % from n = `holds_from` to `holds_to`; both None if no power law holds anywhere.

    Then k and beta are of the line through the complete series. `rmse` is in units of V, over the `points` (samples)
    of the range.
    """

    k: float
    beta: float
    rmse: float
    points: int
    holds_from: float | None = None
    holds_to: float | None = None

    @property
    def how(self) -> str:
        return f"Least squares on logarithms at points even in log n, over {self.points:,} samples."

    def at(self, n: float) -> float:
        """V(n): the number of distinct things that the law expects among `n` occurrences."""
        return self.k * math.pow(n, self.beta)


def fit(n: Sequence[float], v: Sequence[float]) -> Heaps | None:
    """The law of the points (n[i], v[i]) over the longest range in which it holds.

    Points with n <= 0 or v <= 0 have no logarithm and are left out. Returns None if fewer than five different n
    remain. Raises ValueError if the lengths differ or a number is not finite.
    """
    points = _positive(n, v)
    points = later if len(later := [each for each in points if each[1] >= LEAST]) >= FEWEST_POINTS else points
    if len(points) < FEWEST_POINTS:
        return None
    logarithms = [math.log(each) for each, _ in points]
    indexes = thin(logarithms)
    line = longest_line([logarithms[each] for each in indexes], [math.log(points[each][1]) for each in indexes])
    inside = points[bisect_left(logarithms, line.first - 1e-9) : bisect_right(logarithms, line.last + 1e-9)]
    k = math.exp(line.log_k)
    errors = [each - k * math.pow(number, line.beta) for number, each in inside]
    return Heaps(
        k=k,
        beta=line.beta,
        rmse=math.sqrt(math.fsum(each * each for each in errors) / len(errors)),
        points=len(inside),
        holds_from=inside[0][0] if line.holds else None,
        holds_to=inside[-1][0] if line.holds else None,
    )


def _positive(n: Sequence[float], v: Sequence[float]) -> list[tuple[float, float]]:
    points = {float(x): float(y) for x, y in zip(n, v, strict=True)}
    if not all(map(math.isfinite, (*points, *points.values()))):
        raise ValueError("n and v must be finite")
    return sorted((x, y) for x, y in points.items() if x > 0 and y > 0)


def positive(n: Sequence[float], v: Sequence[float]) -> Array:
    """The points with a logarithm in order of n, as shape (2, points); of points with the same n, the last."""
    import numpy as np

    return np.array(_positive(n, v), dtype=float).reshape(-1, 2).T


def certain(series: Array) -> Array:
    """The points from the first with LEAST things on, if enough are left."""
    later: Array = series[:, series[1] >= LEAST]
    return later if later.shape[1] >= FEWEST_POINTS else series


def longest(x: Array, y: Array, *, falling: bool = False) -> Line:
    """The line through the points (x, y) of logarithms, x rising, over the longest range in which it holds.

    It holds where every point lies within TOLERANCE of exp(line), over at least a factor of WIDE in exp(x) and GROWN in
    exp(y), which rises (or is `falling`). If it holds nowhere, the line through all points. It is fitted at GRID points
    even in x.
    """
    return longest_of_each(x, y[None, :], falling=falling)[0]


def longest_of_each(x: Array, heights: Array, grid: int = GRID, *, falling: bool = False) -> list[Line]:
    """The same for each row of `heights`, shape (series, len(x)).

    Running sums give the lines of all ranges at once. Of those that hold at the points of the grid, the longest one
    that holds at all points is taken.
    """
    import numpy as np

    indexes = even(x, grid)
    at, on_grid = x[indexes], heights[:, indexes]
    starts, ends = _ranges(at)
    within = (np.arange(len(at)) >= starts[:, None]) & (np.arange(len(at)) <= ends[:, None])
    first, last = indexes[starts], indexes[ends]
    lines = []
    for row, y in zip(heights, on_grid, strict=True):
        log_k, beta = _lines(at, y, starts, ends)
        near = _is_near(y - log_k[:, None] - beta[:, None] * at) | ~within
        rises = (y[starts] - y[ends] if falling else y[ends] - y[starts]) >= math.log(GROWN) - 1e-9
        for each in np.flatnonzero(near.all(axis=1) & rises).tolist():
            among = slice(first[each], last[each] + 1)
            if _is_near(row[among] - log_k[each] - beta[each] * x[among]).all():
                lines.append(_line(log_k[each], beta[each], x[among], holds=True))
                break
        else:
            complete = _lines(at, y, np.array([0]), np.array([len(at) - 1]))
            lines.append(_line(complete[0][0], complete[1][0], x, holds=False))
    return lines


def _is_near(errors: Array) -> NDArray[np.bool_]:
    """Whether logarithms are off by TOLERANCE at most."""
    near: NDArray[np.bool_] = (errors <= math.log1p(TOLERANCE)) & (errors >= math.log1p(-TOLERANCE))
    return near


def _line(log_k: float, beta: float, x: Array, *, holds: bool) -> Line:
    return Line(log_k=float(log_k), beta=float(beta), first=float(x[0]), last=float(x[-1]), holds=holds)


def even(x: Array, count: int) -> NDArray[np.intp]:
    """The indexes of at most `count` of the points x, rising, as even as these permit, with both ends."""
    import numpy as np

    indexes = np.searchsorted(x, np.linspace(x[0], x[-1], count) - 1e-12)
    return np.unique(np.append(indexes, len(x) - 1).clip(0, len(x) - 1))


def thinned(series: Array) -> Array:
    """The points at relative distances of at least THINNED, and the last."""
    import numpy as np

    if series.shape[1] < GRID / THINNED:
        return series
    cells = np.floor(np.log(series[0] / series[0, 0]) / THINNED)
    indexes = np.append(np.flatnonzero(np.diff(cells) > 0), series.shape[1] - 1)
    points: Array = series[:, np.append(0, indexes) if indexes[0] else indexes]
    return points


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


def _ranges(grid: Array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The indexes of the first and the last point of each range that is WIDE, the longest first."""
    import numpy as np

    starts, ends = np.triu_indices(len(grid), FEWEST_POINTS - 1)
    lengths = grid[ends] - grid[starts]
    order = np.argsort(-lengths, kind="stable")
    order = order[lengths[order] >= math.log(WIDE) - 1e-9]
    return starts[order], ends[order]


def _lines(x: Array, y: Array, starts: NDArray[np.intp], ends: NDArray[np.intp]) -> tuple[Array, Array]:
    """(log K, beta) of least squares over each range of points."""
    import numpy as np

    centre = x.mean()  # so that the sums of squares lose no digits
    x = x - centre
    sums = np.cumsum(np.stack([np.ones_like(x), x, y, x * x, x * y]), axis=1)
    sums = np.pad(sums, ((0, 0), (1, 0)))
    count, of_x, of_y, of_xx, of_xy = sums[:, ends + 1] - sums[:, starts]
    beta = (count * of_xy - of_x * of_y) / np.maximum(count * of_xx - of_x**2, 1e-300)
    return (of_y - beta * of_x) / count - beta * centre, beta
