"""The exact interval of a population: against SciPy, and its coverage where samples overlap nearly completely."""

import math

import numpy as np
import pytest
import scipy

from ttcrawl.report.laws.overlap import exact_interval


@pytest.mark.parametrize(
    ("first", "second", "both"),
    [
        (1, 1, 1),
        (10, 15, 5),
        (60, 70, 30),
        (100, 100, 100),
        (100, 40, 40),
        (500, 400, 1),
        (9000, 8000, 7500),
        (90_000, 80_000, 71_000),
    ],
)
def test_the_ends_are_the_last_sizes_that_are_not_improbable(first, second, both):
    low, high = map(int, exact_interval(first, second, both))
    seen = first + second - both
    assert scipy.stats.hypergeom.sf(both - 1, high, first, second) >= 0.025
    assert scipy.stats.hypergeom.sf(both - 1, high + 1, first, second) < 0.025
    assert scipy.stats.hypergeom.cdf(both, low, first, second) >= 0.025
    assert low == seen or scipy.stats.hypergeom.cdf(both, low - 1, first, second) < 0.025
    assert seen <= low <= round((first + 1) * (second + 1) / (both + 1) - 1) <= high


def test_without_an_overlap_there_is_no_upper_end():
    low, high = exact_interval(50, 50, 0)
    assert high == math.inf and 100 < low < 10_000


@pytest.mark.parametrize(
    ("size", "first", "second"), [(1000, 0.5, 0.5), (1000, 0.98, 0.99), (200, 0.3, 0.2), (40, 0.9, 0.9)]
)
def test_coverage(size, first, second):
    rng, draws = np.random.default_rng(1), 1000
    samples = rng.binomial(size, first, draws), rng.binomial(size, second, draws)
    both = rng.hypergeometric(samples[0], size - samples[0], samples[1])
    intervals = [exact_interval(*map(int, each)) for each in zip(*samples, both, strict=True)]
    assert sum(low <= size <= high for low, high in intervals) >= scipy.stats.binom.ppf(0.001, draws, 0.95)
