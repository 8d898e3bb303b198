"""The longest range in which a power law holds, for one series: as `heaps.longest`, without numpy.

The short report of each crawl has three such laws. To import numpy takes several times as long as to fit them.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

FEWEST_POINTS = 5  # of the grid in a range
TOLERANCE = 0.05
WIDE = 2.0  # a law holds over at least a doubling of n
GROWN = 1.5  # and V grows by half there: the level end of a series is no law
GRID = 100  # points, even in log n
THINNED = 1 / 500  # relative distance of samples that are compared with the line: as a crawl takes them

#: The least and the largest error of a logarithm within the tolerance.
LEAST_ERROR, LARGEST_ERROR = math.log1p(-TOLERANCE), math.log1p(TOLERANCE)

LEAST_GROWTH = math.log(GROWN) - 1e-9  # of log V


class Line(NamedTuple):
    """log V = log_k + beta log n, fitted from log n = `first` to `last`. `holds`: within the tolerance."""

    log_k: float
    beta: float
    first: float
    last: float
    holds: bool


def longest_line(x: Sequence[float], y: Sequence[float]) -> Line:
    """Return the line through the points (x, y) of logarithms, x rising, over the longest range in which it holds; if
    it holds nowhere, the line through all points."""
    indexes = _even(x)
    grid, heights = [x[each] for each in indexes], [y[each] for each in indexes]
    sums = _Sums(grid, heights)
    for start, end in _ranges(grid):
        if heights[end] - heights[start] < LEAST_GROWTH:
            continue
        log_k, beta = sums.line(start, end)
        on_grid, among = range(start, end + 1), range(indexes[start], indexes[end] + 1)
        if _holds(log_k, beta, grid, heights, on_grid) and _holds(log_k, beta, x, y, among):
            return Line(log_k, beta, grid[start], grid[end], holds=True)
    return Line(*sums.line(0, len(grid) - 1), x[0], x[-1], holds=False)


def thin(x: Sequence[float]) -> Sequence[int]:
    """Return the indexes of logarithms, rising, at distances of some THINNED, with both ends; all of a few."""
    if len(x) < GRID / THINNED:
        return range(len(x))
    cells = [int((each - x[0]) / THINNED) for each in x]
    ends = [index for index, (cell, following) in enumerate(pairwise(cells)) if following > cell]
    return [*range(ends[0] > 0), *ends, len(x) - 1]


class _Sums:
    """Running sums, from which the line of each range follows at once."""

    def __init__(self, x: Sequence[float], y: Sequence[float]) -> None:
        self._centre = sum(x) / len(x)  # so that the sums of squares lose no digits
        x = [each - self._centre for each in x]
        pairs = list(zip(x, y, strict=True))
        columns = (x, y, (a * a for a in x), (a * b for a, b in pairs))
        self._sums = [list(accumulate(each, initial=0.0)) for each in columns]

    def line(self, start: int, end: int) -> tuple[float, float]:
        """Return (log K, beta) of least squares over the points from `start` to `end`."""
        x, y, xx, xy = self._sums
        last = end + 1
        count, of_x, of_y = last - start, x[last] - x[start], y[last] - y[start]
        of_xx, of_xy = xx[last] - xx[start], xy[last] - xy[start]
        beta = (count * of_xy - of_x * of_y) / max(count * of_xx - of_x**2, 1e-300)
        return (of_y - beta * of_x) / count - beta * self._centre, beta


def _holds(log_k: float, beta: float, x: Sequence[float], y: Sequence[float], among: range) -> bool:
    """Whether the points `among` these are near the line. Most lines miss one of the first few, so it stops there."""
    return all(LEAST_ERROR <= y[index] - log_k - beta * x[index] <= LARGEST_ERROR for index in among)


def _even(x: Sequence[float]) -> list[int]:
    """Return the indexes of at most GRID points, as even as they permit, with both ends."""
    step = (x[-1] - x[0]) / (GRID - 1)
    indexes = {bisect_left(x, x[0] + number * step - 1e-12) for number in range(GRID - 1)}
    return sorted(indexes | {len(x) - 1})


def _ranges(grid: Sequence[float]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last index of each range that is WIDE, the longest first."""
    least, count = math.log(WIDE) - 1e-9, len(grid)
    ranges = [
        (grid[start] - grid[end], start, end)
        for start in range(count)
        for end in range(max(start + FEWEST_POINTS - 1, bisect_left(grid, grid[start] + least)), count)
    ]
    for _, start, end in sorted(ranges):
        yield start, end
