"""Estimates are shown where the first half of a crawl predicts the second, and say why where they are not."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.link_webs import KINDS, crawl, growth, linking
from benchmarks.sizes import measured, table
from ttcrawl.report.laws.confirmed import confirmed_bound, confirmed_forecast
from ttcrawl.report.laws.unseen import Sample, sample_of


def sample(pages, seen, once, twice):
    return Sample(pages=pages, seen=seen, once=once, twice=twice)


@pytest.mark.parametrize(
    "now, half, why",
    [
        (sample(0, 0, 0, 0), sample(0, 0, 0, 0), "too few values"),
        (sample(1500, 3000, 1437, 0), sample(750, 3000, 2400, 0), "two pages link to 0 of the 3,000 URLs, and"),
        (sample(100, 200, 90, 30), sample(50, 150, 90, 4), "4 of the 150 URLs after half of the pages"),
        (sample(100, 900, 400, 200), sample(50, 150, 60, 30), "but 750 came"),
        (sample(100, 152, 9, 20), sample(50, 150, 90, 30), "but 2 came"),
    ],
)
def test_a_bound_that_is_not_shown_says_why(now, half, why):
    found, reason = confirmed_bound(now, half)
    assert found is None and why in reason and reason.startswith("Not shown: ") and reason.endswith(".")


def test_a_bound_that_is_confirmed_says_by_what():
    now, half = sample(100, 190, 60, 40), sample(50, 150, 60, 30)
    found, reason = confirmed_bound(now, half)
    assert reason == "" and 190 < found.low < found.size < found.high
    assert "predicts" in found.how and ", and 40 came." in found.how


def straight(pages):
    return list(range(1, pages + 1)), [5 * n for n in range(1, pages + 1)]


def test_a_forecast_reaches_no_further_than_the_crawl_and_allows_for_the_end():
    found, reason = confirmed_forecast(*straight(390), np.random.default_rng(0))
    assert reason == "" and found.pages == 390 and found.expected == pytest.approx(1950, rel=0.05)
    assert found.low < 60 and found.high > 1900  # it ends within 10 pages once in 40 times
    assert "end of the site: after 390 pages, it comes within another 10" in found.how


def test_a_forecast_that_its_first_half_does_not_confirm_says_why():
    pages, distinct = straight(400)
    found, reason = confirmed_forecast(pages, [min(v, 1100) for v in distinct], np.random.default_rng(0))
    assert found is None and reason.startswith("Not shown: the first half of the crawl predicts 1,0")
    assert reason.endswith("but 100 came.")


@pytest.mark.parametrize("pages", [0, 1, 6])
def test_too_little(pages):
    assert confirmed_forecast(*straight(pages), np.random.default_rng(0)) == (
        None,
        "Not shown: too few values for an estimate.",
    )


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_tree_has_no_bound(share):
    """Each of its pages is linked once, until its children are fetched."""
    made = crawl(KINDS["tree"](np.random.default_rng(1)))
    pages = int(share * len(made.links))
    counts, early = linking(made, pages)
    found, reason = confirmed_bound(sample_of(pages, counts), sample_of(pages // 2, early))
    assert found is None and "two pages link to" in reason


@pytest.mark.slow
def test_on_generated_webs_what_is_shown_is_right():
    results = measured(12)
    made = [each for kind in results.values() for each in kind]
    bounds = [each.bound for each in made if each.bound.shown]
    ahead = [each.ahead for each in made if each.ahead and each.ahead.shown]
    assert sum(each.right for each in bounds) >= len(bounds) - 1 and len(bounds) >= 15
    assert sum(each.right for each in ahead) >= 0.85 * len(ahead) and len(ahead) >= 40
    assert all(each.ratio < 1.1 for each in bounds if each.ratio)
    assert not any(each.bound.shown for kind in ("tree", "lists and leaves") for each in results[kind])
    assert table(results).count("\n") == 7


def test_growth_is_sampled_as_a_crawl_samples_it():
    made = crawl(KINDS["lists and leaves"](np.random.default_rng(1)))
    places, distinct = growth(made, 300)
    assert places[0] == 1 and places[-1] == 300 and distinct == sorted(distinct)
