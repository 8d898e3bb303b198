from __future__ import annotations

import numpy as np
import pytest
import scipy

from ttcrawl.report.laws.zipf import zipf

DRAWS = 200


def drawn(s, words, tokens, seed):
    """How often each word came up, drawn by the law."""
    chances = np.arange(1, words + 1.0) ** -s
    return np.random.default_rng(seed).poisson(tokens * chances / chances.sum())


@pytest.mark.slow
@pytest.mark.parametrize(
    "s, words, tokens", [(1.0, 20_000, 10**6), (0.8, 5_000, 10**6), (1.3, 10_000, 10**5), (1.0, 2000, 10**5)]
)
def test_the_error_holds_the_exponent(s, words, tokens):
    found = [zipf(drawn(s, words, tokens, seed)) for seed in range(DRAWS)]
    assert sum(abs(each.s - s) <= 1.96 * each.error for each in found) >= scipy.stats.binom.ppf(0.001, DRAWS, 0.95)
    assert np.median([each.error for each in found]) < 0.02


def test_agrees_with_a_direct_search_for_the_highest_likelihood():
    counts = np.sort(drawn(1.1, 10_000, 10**6, 1))[::-1]
    found = zipf(counts)
    head, ranks = counts[: found.head], np.arange(1, found.head + 1)
    cost = scipy.optimize.minimize_scalar(
        lambda s: head.sum() * np.log((ranks**-s).sum()) + s * head @ np.log(ranks), bounds=(0.1, 3)
    )
    assert found.s == pytest.approx(cost.x, abs=1e-4)
    assert head[-1] == found.least >= 300 > counts[found.head]


def test_counts_in_any_order_and_empty_ones_left_out():
    counts = drawn(1.0, 1000, 10**5, 1)
    mixed = np.random.default_rng(0).permutation(np.concatenate([counts, np.zeros(50, int)]))
    assert zipf(mixed) == zipf(counts)
    assert zipf(iter(counts.tolist())).things == (counts > 0).sum() and zipf(counts).total == counts.sum()


def test_counts_that_scatter_more_than_chance_widen_the_error():
    rng = np.random.default_rng(1)
    counts = drawn(1.0, 5000, 10**6, 1)
    rough = (counts * np.exp(rng.normal(0, 0.5, len(counts)))).astype(int)
    assert zipf(rough).error > 3 * zipf(counts).error
    assert "widened" not in zipf(counts).how


def test_points_for_a_plot():
    counts = np.sort(drawn(1.0, 50_000, 10**6, 1))[::-1]
    points = zipf(counts).points
    assert len(points) <= 200 and points[0] == (1, counts[0]) and points[-1][0] == (counts > 0).sum()
    assert all(count == counts[rank - 1] for rank, count in points)
    assert [rank for rank, _ in points] == sorted({rank for rank, _ in points})


@pytest.mark.parametrize("counts", [[], [0], [5, 5, 5], [100, 50], [10, 10, 10, 10], [9, 8, 7, 6], [1] * 1000])
def test_too_little_to_fit(counts):
    assert zipf(counts) is None


@pytest.mark.parametrize("counts", [[10**9, 10, 10], [11, 10, 10], [10**12, 10**6, 10**3, 10**2, 11]])
def test_steep_and_flat_heads(counts):
    found = zipf(counts)
    assert 0 < found.s <= 10 and np.isfinite(found.error)
