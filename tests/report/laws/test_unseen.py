from __future__ import annotations

import numpy as np
import pytest
import scipy

from ttcrawl.report.laws.unseen import Sample, lower_bound, more_seen, sample_of

DRAWS = 100


def test_a_sample_is_counted():
    assert sample_of(9, [1, 1, 2, 0, 7]) == Sample(pages=9, seen=4, once=2, twice=1)
    assert sample_of(0, []) == Sample(pages=0, seen=0, once=0, twice=0)


def test_few_of_many_pages_is_chao1():
    """Its classic value, if so little is fetched that draws with and without replacement are alike."""
    many = Sample(pages=1, seen=2_000_000, once=10_000, twice=5_000)
    assert lower_bound(many).size == pytest.approx(2_000_000 + 10_000 * 9_999 / 2 / 5_001, rel=1e-3)


@pytest.mark.parametrize("pages, once, twice", [(100, 40, 20), (50, 10, 3), (20, 0, 0), (1000, 90, 1)])
def test_the_bound_lies_in_its_interval_above_what_is_seen(pages, once, twice):
    found = lower_bound(Sample(pages=pages, seen=100, once=once, twice=twice))
    assert 100 == found.seen <= found.low <= found.size <= found.high


@pytest.mark.parametrize("fetched", [100, 300, 600, 900])
@pytest.mark.parametrize("inlinks", [3, 8])
def test_it_holds_where_every_page_has_as_many_links(fetched, inlinks):
    """Random pages of a web of 1,000, of which each has links from `inlinks` others."""
    right, inside = 0, 0
    for seed in range(DRAWS):
        rng = np.random.default_rng(seed)
        counts = rng.hypergeometric(fetched, 1000 - fetched, inlinks, 1000)
        early = rng.hypergeometric(counts, fetched - counts, fetched // 2)
        found = lower_bound(sample_of(fetched, counts))
        right += found.low <= 1000 <= found.high
        ahead = more_seen(sample_of(fetched // 2, early), fetched - fetched // 2)
        inside += ahead.low <= (counts > 0).sum() - (early > 0).sum() <= ahead.high
    assert min(right, inside) >= scipy.stats.binom.ppf(0.001, DRAWS, 0.95)


def test_it_is_a_lower_bound_where_some_are_hard_to_find():
    rng = np.random.default_rng(3)
    for _ in range(20):
        inlinks = rng.geometric(1 / 6, 5000)
        found = lower_bound(sample_of(500, rng.binomial(inlinks, 0.1)))
        assert found.seen < found.low < 5000


def test_nothing_unseen_brings_nothing():
    assert more_seen(Sample(pages=10, seen=20, once=0, twice=3), 10).expected == 0
