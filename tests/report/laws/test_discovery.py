from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import scipy

from benchmarks.link_webs import crawl, growth, hubs
from tests.report.laws import series
from tests.support.long_tables import LONG
from ttcrawl.engine.run.growth import next_sample
from ttcrawl.report.laws.discovery import forecast, windows


def whole(rng, k, beta):
    return np.cumsum(rng.poisson(series.new_urls(k, beta)))


def sampled(v, pages):
    return series.PLACES[pages >= series.PLACES], v[series.PLACES[pages >= series.PLACES] - 1]


def held(process, pages, draws):
    """How often the interval of a forecast made after so many pages, for all the rest, holds what came."""
    inside, made = 0, []
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        v = process(rng)
        n, seen = sampled(v, pages)
        found = forecast(n, seen, series.LENGTH - int(n[-1]), rng)
        inside += found.low <= v[-1] - seen[-1] <= found.high
        made.append((found, v[-1] - seen[-1]))
    return inside, made


LAWS = [(5, 0.6, 10_000), (1, 0.9, 6_000), (100, 0.4, 15_000)]
POOLS = [(5, 0.6, 1000, 10_000), (1, 0.9, 1000, 5_000)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "k, beta, pages, draws", [(*LAWS[0], 12), *(pytest.param(*law, 200, marks=LONG) for law in LAWS)]
)
def test_while_the_law_holds_the_forecast_holds(k, beta, pages, draws):
    inside, made = held(lambda rng: whole(rng, k, beta), pages, draws)
    assert inside >= scipy.stats.binom.ppf(0.001, draws, 0.95)
    assert np.mean([found.by == "law" for found, _ in made]) >= 0.95
    assert np.median([found.expected for found, _ in made]) == pytest.approx(np.mean([n for _, n in made]), rel=0.1)
    if beta < 0.8:  # the rate falls, so the recent one promises too much
        assert np.mean([found.by_rate > found.expected for found, _ in made]) > 0.8


@pytest.mark.slow
@pytest.mark.parametrize(
    "k, beta, size, pages, draws",
    [(*POOLS[0], 12), *(pytest.param(*pool, 200, marks=LONG) for pool in POOLS)],
)
def test_in_a_finite_pool_the_forecast_holds(k, beta, size, pages, draws):
    inside, _ = held(lambda rng: series.pool_whole(rng, k, beta, size), pages, draws)
    assert inside >= scipy.stats.binom.ppf(0.001, draws, 0.95)


@pytest.mark.slow
@pytest.mark.parametrize("share, pages", [(0.1, 10_000), (0.3, 10_000), (0.4, 10_000)])
def test_a_crawl_that_has_run_dry_will_bring_next_to_nothing(share, pages):
    def process(rng):
        v = whole(rng, 5, 0.6)
        return np.minimum(v, v[int(share * series.LENGTH)])

    inside, made = held(process, pages, 8)
    assert inside == 8
    for found, _ in made:
        assert found.by == "rate" and found.expected == 0 == found.low and found.high < 30


def test_a_site_that_opened_up_is_forecast_by_its_new_rate():
    n = series.PLACES
    v = np.where(n < 10_000, 5 * n**0.5, 500 + 0.5 * (n - 10_000)).round()
    found = forecast(n, v, 1000, np.random.default_rng(0))
    assert found.by == "rate" and found.expected == pytest.approx(500, rel=0.02) and found.low < 500 < found.high


def lists(rng):
    """Pages of which one in ten is a list of other pages: (pages, distinct URLs)."""
    new = np.where(rng.random(200) < 0.1, rng.integers(20, 200, 200), rng.poisson(1, 200))
    return np.arange(1, 201), np.cumsum(new)


@pytest.mark.slow
def test_a_short_bursty_series_promises_no_more_than_pages_can_bring():
    inside = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n, v = lists(rng)
        found = forecast(n[:100], v[:100], 100, rng)
        assert found.high <= 100 * np.diff(v[:100]).max()
        inside += found.low <= v[-1] - v[99] <= found.high
    assert inside >= scipy.stats.binom.ppf(0.001, 20, 0.95)


@pytest.mark.parametrize("noise", [0, 100])
def test_what_rises_faster_than_the_law_can_is_forecast_by_its_rate(noise):
    n = np.arange(1, 1001)
    v = n**1.4 + np.random.default_rng(0).normal(0, 1, 1000) * noise
    found = forecast(n, v, 1000, np.random.default_rng(0))
    assert found.by == "rate" and found.expected == found.by_rate < 1000 * 1.4 * 1000**0.4
    assert "beta above 1" in found.how


@pytest.mark.slow
def test_earlier_forecasts_that_were_off_widen_the_interval():
    """Sections of 200 pages, some rich and some poor: each is a curve, and the next one is another."""
    n, inside, told = np.arange(1, 1201), 0, 0
    for seed in range(24):
        rng = np.random.default_rng(seed)
        new = 20 * (n**0.7 - (n - 1.0) ** 0.7) * np.repeat(rng.gamma(1, 1, 6), 200)
        v = np.cumsum(rng.poisson(new))
        found = forecast(n[:1000], v[:1000], 200, rng)
        inside += found.low <= v[-1] - v[999] <= found.high
        told += "widened" in found.how
    assert inside >= 12  # the curve's own interval holds 7 of them
    assert told >= 12


@pytest.mark.slow
def test_it_says_from_what_and_how_far():
    rng = np.random.default_rng(1)
    n, v = sampled(whole(rng, 5, 0.6), 5000)
    assert "further than the crawl has come" in forecast(n, v, 10_000, rng).how
    assert "further" not in forecast(n, v, 1000, rng).how


@pytest.mark.parametrize("pages, distinct", [([], []), ([1, 2, 3], [1, 2, 3]), (range(100), [0] * 100)])
def test_too_little_to_forecast(pages, distinct):
    assert forecast(pages, distinct, 10, np.random.default_rng(0)) is None


@pytest.mark.parametrize(
    "pages, distinct", [(range(6), [9] * 6), ([1, 2, 3, 4, 10**9], [1, 2, 3, 4, 5]), (range(60), range(60))]
)
def test_odd_series_have_finite_forecasts(pages, distinct):
    found = forecast(pages, distinct, 10_000, np.random.default_rng(0))
    assert np.isfinite([found.expected, found.low, found.high, found.by_rate]).all()
    assert 0 <= found.low <= found.high


def test_windows():
    found = windows([0, 10, 20, 30, 40], [1, 11, 16, 16, 20], count=4)
    assert [(each.first, each.last, each.new, each.rate) for each in found] == [
        (0, 10, 10, 1.0),
        (10, 20, 5, 0.5),
        (20, 30, 0, 0.0),
        (30, 40, 4, 0.4),
    ]
    assert [each.last for each in windows([0, 10, 20, 30, 40], [1, 11, 16, 16, 20], count=2)] == [20, 40]
    assert windows([], []) == windows([5], [5]) == []


def test_windows_hold_every_url_once():
    places = [1]
    while places[-1] < 50_000:
        places.append(next_sample(places[-1]))
    v = [round(5 * n**0.6) for n in places]
    found = windows(places, v)
    assert sum(each.new for each in found) == v[-1] - v[0]
    assert len(found) <= 100 and all(a.last == b.first for a, b in pairwise(found))


@pytest.mark.parametrize("number, pages", [(10, 2101), pytest.param(89, 2005, marks=pytest.mark.slow)])
def test_leaves_of_a_list_are_no_end_of_the_site(number, pages):
    """They link back, so nothing is new until the next list; the forecast was 0 for the last leaves of each."""
    made = crawl(hubs(np.random.default_rng((39, 4, number))))
    found = forecast(*growth(made, pages), pages, np.random.default_rng(0))
    assert found.low <= made.distinct[2 * pages - 1] - made.distinct[pages - 1] <= found.high


def test_the_last_leaves_of_all_lists_are_the_end():
    made = crawl(hubs(np.random.default_rng((39, 4, 10))))
    n = np.array([each for each in series.PLACES.tolist() if each <= len(made.distinct) + 2000])
    v = np.array(made.distinct)[np.minimum(n, len(made.distinct)) - 1]
    found = forecast(n.tolist(), v.tolist(), 1000, np.random.default_rng(0))
    assert found.by == "rate" and found.expected == 0
