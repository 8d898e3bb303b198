"""The longest range of a law without numpy: as numpy finds it."""

import math

import numpy as np
import pytest

from tests.report.laws import series
from ttcrawl.report.laws.heaps import longest, thinned
from ttcrawl.report.laws.longest_line import GRID, THINNED, longest_line, thin

N = series.PLACES.astype(float)
ENOUGH = int(GRID / THINNED)  # points from which a series is thinned


@pytest.mark.parametrize(
    "v",
    [
        100 * N**0.4,
        100 * np.minimum(N, 375) ** 0.4,
        np.where(N < 30, 1.5, 1.0) * 50 * N**0.6,
        np.exp(np.sin(6 * np.log(N)) + 7 * np.log(N) + 4),
        1e6 * N**-0.5,
        np.full(len(N), 855.0),
        *(np.cumsum(np.random.default_rng(seed).pareto(1.2, len(N))) + 20 for seed in range(8)),
    ],
)
def test_as_numpy_finds_it(v):
    x, y = np.log(N), np.log(v)
    assert longest_line(x.tolist(), y.tolist()) == pytest.approx(longest(x, y), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("count", [3, ENOUGH - 1, ENOUGH, ENOUGH + 70_001])
@pytest.mark.parametrize("first", [1, 1000])
def test_thinned_as_numpy_thins_it(count, first):
    n = np.arange(first, first + count, dtype=float)
    kept = thin([math.log(each) for each in n.tolist()])
    assert len(kept) == pytest.approx(
        thinned(np.stack([n, n])).shape[1], abs=2
    )  # logarithms differ in their last digit
    assert kept[0] == 0 and kept[-1] == count - 1
