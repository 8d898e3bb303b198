"""Recall by held-back pages: exact bounds, and what they promise over many simulated crawls."""

import numpy as np
import pytest
import scipy

from ttcrawl.topic.recall import fewest, incomplete_beta, interval, lower_bound, needed

CRAWLS = 4000


@pytest.mark.parametrize(
    ("found", "of"), [(0, 1), (1, 1), (0, 10), (3, 10), (10, 10), (17, 20), (450, 500), (80_000, 100_000)]
)
def test_the_interval_is_that_of_clopper_and_pearson(found, of):
    low, high = interval(found, of)
    assert low == pytest.approx(scipy.stats.beta.ppf(0.025, found, of - found + 1) if found else 0, abs=1e-9)
    assert high == pytest.approx(scipy.stats.beta.ppf(0.975, found + 1, of - found) if found < of else 1, abs=1e-9)
    assert lower_bound(found, of, 0.9) == pytest.approx(
        scipy.stats.beta.ppf(0.1, found, of - found + 1) if found else 0, abs=1e-9
    )


def test_no_page_says_nothing():
    assert interval(0, 0) == (0, 1)


def test_the_incomplete_beta_function():
    rng = np.random.default_rng(1)
    for a, b in rng.integers(1, 10 ** rng.integers(1, 6, size=(1000, 2))).tolist():
        for x in (0.0, 1.0, 0.5, float(rng.random()), min(1.0, max(0.0, a / (a + b) + float(rng.normal(0, 0.01))))):
            assert incomplete_beta(x, a, b) == pytest.approx(scipy.special.betainc(a, b, x), abs=1e-9)


@pytest.mark.parametrize("target", [0.5, 0.8, 0.95, 0.99])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize("of", [1, 5, 14, 59, 200, 1000])
def test_pages_needed(of, target, confidence):
    as_many_with_less_recall = scipy.stats.binom.sf(np.arange(of + 1) - 1, of, target)
    rare = as_many_with_less_recall <= 1 - confidence + 1e-12
    reached = np.flatnonzero(rare).tolist()
    assert needed(of, target, confidence) == (reached[0] if reached else None)
    assert (needed(of, target, confidence) is None) == (of < fewest(target, confidence))


@pytest.mark.parametrize("share", [0.3, 0.9, 0.99])
def test_an_interval_holds_the_recall_of_simulated_crawls(share):
    """Of 2,000 relevant pages 60 are held back."""
    found, times = np.unique(
        np.random.default_rng(1).hypergeometric(round(2000 * share), round(2000 * (1 - share)), 60, CRAWLS),
        return_counts=True,
    )
    intervals = [interval(each, 60) for each in found.tolist()]
    held = sum(count for (low, high), count in zip(intervals, times.tolist(), strict=True) if low <= share <= high)
    assert held >= scipy.stats.binom.ppf(0.001, CRAWLS, 0.95)


@pytest.mark.parametrize(("relevant", "back"), [(10_000, 14), (10_000, 100), (300, 100)])
@pytest.mark.parametrize(("target", "confidence"), [(0.8, 0.95), (0.7, 0.8)])
def test_a_crawl_that_stops_at_the_target_keeps_the_confidence(relevant, back, target, confidence):
    """The bound is compared with the target after every page, which costs no confidence."""
    rng = np.random.default_rng(1)
    count = needed(back, target, confidence)
    stopped = (
        np.sort(np.array([rng.choice(relevant, back, replace=False, shuffle=False) for _ in range(CRAWLS)]))[
            :, count - 1
        ]
        + 1
    )
    kept = (stopped / relevant >= target).sum()
    assert kept >= scipy.stats.binom.ppf(0.001, CRAWLS, confidence)
    if relevant == 10_000:  # and no more is found than necessary: with one page fewer it would not be kept
        exact = scipy.stats.beta.sf(target, count, back - count + 1)
        assert kept == pytest.approx(CRAWLS * exact, abs=4 * (CRAWLS * exact * (1 - exact)) ** 0.5)
        assert scipy.stats.beta.sf(target, count - 1, back - count + 2) < confidence
