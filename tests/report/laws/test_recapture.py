from __future__ import annotations

import numpy as np
import pytest
import scipy

from ttcrawl.report.laws.recapture import chapman

DRAWS = 2000


@pytest.mark.parametrize(
    "first, second, both, size",
    [
        (10, 15, 5, 28.333),
        (100, 100, 100, 100),
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


@pytest.mark.parametrize("first, second", [(0, 10), (10, 0), (0, 0), (5, 5), (1000, 1000)])
def test_samples_with_nothing_in_common_say_nothing(first, second):
    assert chapman(first, second, 0) is None


@pytest.mark.parametrize(
    "size, by_links, in_sitemap", [(1000, 0.5, 0.5), (1000, 0.9, 0.2), (200, 0.3, 0.3), (50_000, 0.8, 0.9)]
)
def test_chapman_holds_the_size_of_generated_sites(size, by_links, in_sitemap):
    rng = np.random.default_rng(1)
    first, second = rng.binomial(size, by_links, DRAWS), rng.binomial(size, in_sitemap, DRAWS)
    both = rng.hypergeometric(first, size - first, second)
    found = [chapman(*map(int, each)) for each in zip(first, second, both, strict=True)]
    assert sum(each.low <= size <= each.high for each in found) >= scipy.stats.binom.ppf(0.001, DRAWS, 0.95)
    assert np.mean([each.size for each in found]) == pytest.approx(size, rel=0.02)


def test_dependence_biases_as_stated():
    rng = np.random.default_rng(1)
    easy = rng.random(10_000) ** 2  # how easily each page is found
    links = rng.random(10_000) < easy
    assert chapman(links.sum(), (alike := rng.random(10_000) < easy).sum(), (links & alike).sum()).high < 10_000
    assert chapman(links.sum(), (other := rng.random(10_000) < 1 - easy).sum(), (links & other).sum()).low > 10_000


def test_it_says_how():
    assert "independent" in chapman(10, 15, 5).how
