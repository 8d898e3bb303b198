from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from ttcrawl.report.laws.recapture import chao1, chapman

DRAWS = 2000
LEAST = binom.ppf(0.001, DRAWS, 0.95)


@pytest.mark.parametrize(
    "first, second, both, size",
    [
        (10, 15, 5, 28.333),
        (100, 100, 100, 100),
        (5, 5, 0, 35),
        (3, 100, 3, 100),
        (1, 1, 1, 1),
    ],
)
def test_chapman(first, second, both, size):
    found = chapman(first, second, both)
    assert found.size == pytest.approx(size, abs=0.001)
    assert found.seen == first + second - both <= found.low <= found.size <= found.high


def test_the_turtles_of_the_textbook():
    """Wikipedia, Mark and recapture: 10 marked, 15 caught, 5 of them marked: 28 turtles, with 95 % between 22 and
    65."""
    found = chapman(10, 15, 5)
    assert (round(found.size), round(found.low), round(found.high)) == (28, 22, 65)


@pytest.mark.parametrize("first, second, both", [(1, 2, 2), (2, 1, 2), (3, 3, -1)])
def test_more_in_both_than_in_one(first, second, both):
    with pytest.raises(ValueError):
        chapman(first, second, both)


def test_an_empty_sample_says_nothing():
    assert chapman(0, 10, 0) is chapman(10, 0, 0) is None


@pytest.mark.parametrize(
    "size, by_links, in_sitemap", [(1000, 0.5, 0.5), (1000, 0.9, 0.2), (200, 0.3, 0.3), (50_000, 0.8, 0.9)]
)
def test_chapman_holds_the_size_of_generated_sites(size, by_links, in_sitemap):
    rng = np.random.default_rng(1)
    first, second = rng.binomial(size, by_links, DRAWS), rng.binomial(size, in_sitemap, DRAWS)
    both = rng.hypergeometric(first, size - first, second)
    found = [chapman(*map(int, each)) for each in zip(first, second, both, strict=True)]
    assert sum(each.low <= size <= each.high for each in found) >= LEAST
    assert np.mean([each.size for each in found]) == pytest.approx(size, rel=0.02)


def test_dependence_biases_as_stated():
    rng = np.random.default_rng(1)
    easy = rng.random(10_000) ** 2  # how easily each page is found
    links = rng.random(10_000) < easy
    assert chapman(links.sum(), (alike := rng.random(10_000) < easy).sum(), (links & alike).sum()).high < 10_000
    assert chapman(links.sum(), (other := rng.random(10_000) < 1 - easy).sum(), (links & other).sum()).low > 10_000


@pytest.mark.parametrize(
    "counts, size",
    [
        ([1] * 10 + [2] * 4 + [5], 15 + 10 * 9 / 10),
        ([2, 3, 4], 3),
        ([1], 1),
        ([1, 1, 0, -3], 3),
        ([7], 1),
    ],
)
def test_chao1(counts, size):
    found = chao1(counts)
    assert found.size == size
    assert found.seen <= found.low <= found.size <= found.high


def test_chao1_of_nothing():
    assert chao1([]) is chao1([0, 0]) is None


@pytest.mark.parametrize("size, links", [(1000, 1500), (1000, 800), (5000, 15_000)])
def test_chao1_holds_the_size_when_all_are_as_easy_to_find(size, links):
    rng = np.random.default_rng(2)
    found = [chao1(rng.poisson(links / size, size).tolist()) for _ in range(300)]
    assert sum(each.low <= size <= each.high for each in found) >= binom.ppf(0.001, 300, 0.95)


def test_chao1_is_a_lower_bound_when_they_are_not():
    rng = np.random.default_rng(3)
    for _ in range(20):
        found = chao1(rng.poisson(rng.gamma(0.5, 2, 5000)).tolist())
        assert found.seen < found.size < 5000


def test_each_says_how():
    assert "independent" in chapman(10, 15, 5).how and "lower bound" in chao1([1, 1, 2]).how
