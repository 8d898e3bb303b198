"""Estimates of change rates: those of the literature, near the truth, and always finite."""

import math
import random
import statistics

import pytest

from tests.recrawl.visits import evidence, most_likely
from ttcrawl.recrawl.prior import BROAD, DAY, fit
from ttcrawl.recrawl.rate import (
    FLAT,
    NOTHING,
    Evidence,
    Gamma,
    Span,
    changed,
    counted,
    estimate,
    joined,
    unchanged,
)


@pytest.mark.parametrize(("visits", "changes"), [(2, 1), (10, 1), (10, 5), (10, 9), (1000, 1), (1000, 999)])
def test_regular_visits(visits, changes):
    """Cho and Garcia-Molina 2003: -log((n - X) / n)."""
    seen = NOTHING
    for visit in range(visits):
        seen = changed(seen, DAY) if visit < changes else unchanged(seen, DAY)
    assert estimate(seen, FLAT) * DAY == pytest.approx(-math.log((visits - changes) / visits), rel=1e-5)


@pytest.mark.parametrize("prior", [FLAT, BROAD, Gamma(2, 3 * DAY)], ids=["flat", "broad", "narrow"])
@pytest.mark.parametrize("seed", range(5))
def test_irregular_visits(prior, seed):
    """Sums by class of interval instead of each interval: within two hundredths of the most likely rate."""
    chance, seen, observed = random.Random(seed), NOTHING, []
    for visit in range(40):
        seconds, other = math.exp(chance.uniform(math.log(0.2 * DAY), math.log(40 * DAY))), visit % 3 == 0
        observed.append((seconds, other))
        seen = changed(seen, seconds) if other else unchanged(seen, seconds)
    assert estimate(seen, prior) == pytest.approx(most_likely(observed, prior), rel=0.02)
    assert len(seen.spans) <= 9


@pytest.mark.parametrize("dated", [False, True])
@pytest.mark.parametrize("days", [0.1, 1, 30])
def test_estimates_come_near_the_truth(days, dated):
    """However the intervals lie to the rate: the mean error of 60 pages is small, so there is no bias."""
    chance, rate = random.Random(1), 1 / (days * DAY)
    logs = []
    for _ in range(60):
        intervals = [chance.uniform(0.1, 2) * days * DAY for _ in range(100)]
        logs.append(math.log(estimate(evidence(chance, rate, intervals, dated), FLAT) / rate))
    assert abs(statistics.mean(logs)) < 0.06
    assert statistics.stdev(logs) < 0.2


def test_the_prior_yields_to_visits():
    """A page that changes 60 times as often as the prior expects: after 40 and 1,000 visits the estimate is near."""
    chance, rate = random.Random(1), 10 / DAY
    near = {}
    for visits in (40, 1000):
        seen = evidence(chance, rate, [0.1 * DAY] * visits)
        near[visits] = math.log(estimate(seen, BROAD) / rate)
    assert -0.7 < near[40] < 0.2 and abs(near[1000]) < 0.1


def test_last_modified_tells_more_where_visits_are_rare():
    """A page that has changed at each visit: only the time of the last change says how often."""
    chance, rate = random.Random(2), 1 / DAY
    errors = {}
    for dated in (False, True):
        seen = [evidence(chance, rate, [8 * DAY] * 20, dated) for _ in range(40)]
        errors[dated] = statistics.mean(abs(math.log(estimate(each, BROAD) / rate)) for each in seen)
    assert errors[True] < 0.3 < 2 * errors[True] < errors[False]


def test_dated_changes_are_counted():
    seen = changed(changed(unchanged(NOTHING, 5 * DAY), DAY, ago=3600), DAY, ago=7200)
    assert seen == Evidence(dated=2, quiet=5 * DAY + 10800)
    assert estimate(seen, FLAT) == 2 / (5 * DAY + 10800)
    assert estimate(seen, Gamma(1, DAY)) == 3 / (6 * DAY + 10800)


@pytest.mark.parametrize(
    ("seconds", "ago", "expected"),
    [
        (0.0, None, Evidence(spans=(Span(1, 1.0),))),
        (-5.0, None, Evidence(spans=(Span(1, 1.0),))),  # the clock was put back
        (100.0, 200.0, Evidence(spans=(Span(1, 100.0),))),  # before the last visit: it does not tell
        (100.0, -1.0, Evidence(spans=(Span(1, 100.0),))),  # in the future
        (100.0, 0.0, Evidence(dated=1, quiet=1.0)),
        (0.5, 0.5, Evidence(dated=1, quiet=1.0)),
    ],
)
def test_odd_intervals(seconds, ago, expected):
    assert changed(NOTHING, seconds, ago) == expected


def test_time_never_runs_backwards():
    assert unchanged(NOTHING, -10.0) == NOTHING == unchanged(NOTHING, 0.0)


@pytest.mark.parametrize("visits", [1, 10, 10_000])
@pytest.mark.parametrize("seconds", [0.0, 1.0, DAY, 1e9])
@pytest.mark.parametrize("other", [True, False])
def test_estimates_are_finite(visits, seconds, other):
    seen = NOTHING
    for _ in range(visits):
        seen = changed(seen, seconds) if other else unchanged(seen, seconds)
    rate = estimate(seen, BROAD)
    likely = counted(seen, rate)
    assert 0 < rate < math.inf
    assert (BROAD.shape + likely.shape) / (BROAD.seconds + likely.seconds) == pytest.approx(rate, rel=1e-3)
    assert likely.shape >= 0 and likely.seconds >= 0


def test_without_a_prior_a_page_that_always_changes_has_no_estimate():
    assert estimate(changed(NOTHING, DAY), FLAT) == math.inf
    assert estimate(NOTHING, FLAT) == 0.0


def test_more_changes_are_a_higher_rate():
    rates = []
    for changes in range(20):
        seen = NOTHING
        for visit in range(20):
            seen = changed(seen, DAY) if visit < changes else unchanged(seen, DAY)
        rates.append(estimate(seen, BROAD))
    assert rates == sorted(rates) and len(set(rates)) == 20


@pytest.mark.parametrize(("expected", "shape", "seconds"), [(1e-6, 1.0, 0.5), (1e-3, 1.0, 0.5), (50.0, 0.0, 0.0)])
def test_a_change_counts_by_what_was_expected(expected, shape, seconds):
    seen = counted(changed(NOTHING, DAY), expected / DAY)
    assert (seen.shape, seen.seconds / DAY) == (pytest.approx(shape, abs=1e-3), pytest.approx(seconds, abs=1e-3))


# -- the other pages of a site ----------------------------------------------------------------------------------------


def site(chance, truth, pages, visits):
    rates = [chance.gammavariate(truth.shape, 1 / truth.seconds) for _ in range(pages)]
    return rates, [evidence(chance, rate, [chance.uniform(0.5, 5) * DAY for _ in range(visits)]) for rate in rates]


@pytest.mark.parametrize("truth", [Gamma(0.5, 5 * DAY), Gamma(3, DAY), Gamma(1, 100 * DAY)], ids=str)
def test_the_distribution_of_a_site_is_found(truth):
    found = fit(site(random.Random(3), truth, 400, 12)[1])
    assert abs(math.log(found.mean / truth.mean)) < 0.35
    assert abs(math.log(found.shape / truth.shape)) < 0.6


def test_other_pages_of_the_site_help_where_visits_are_few():
    truth = Gamma(4, 2 * DAY)
    rates, pages = site(random.Random(4), truth, 200, 3)
    prior = fit(pages)

    def error(expected):
        return statistics.mean(
            abs(math.log(estimate(page, expected) / rate)) for page, rate in zip(pages, rates, strict=True)
        )

    assert error(prior) < 0.6 * error(BROAD)


def test_a_site_with_few_visits_is_expected_to_be_like_all_sites():
    assert fit([]) == fit([NOTHING] * 50) == BROAD
    one = fit([unchanged(NOTHING, DAY)])
    assert abs(math.log(one.mean / BROAD.mean)) < 0.3


@pytest.mark.parametrize("seconds", [1.0, DAY, 1e8])
@pytest.mark.parametrize("other", [True, False])
def test_sites_whose_pages_always_or_never_change(seconds, other):
    seen = NOTHING
    for _ in range(50):
        seen = changed(seen, seconds) if other else unchanged(seen, seconds)
    found = fit([seen] * 300)
    assert 0 < found.mean < math.inf and 0 < found.shape < math.inf


def test_the_evidence_of_two_urls_of_a_page_is_that_of_all_their_visits():
    chance = random.Random(5)
    intervals = [chance.uniform(60, 90_000) for _ in range(60)]
    one, other = evidence(random.Random(6), 1e-4, intervals[:30]), evidence(random.Random(7), 1e-4, intervals[30:])
    both = joined(one, other)
    seconds = sum(span.seconds for span in both.spans) + both.quiet
    assert seconds == pytest.approx(sum(intervals))
    assert sum(span.visits for span in both.spans) == sum(span.visits for each in (one, other) for span in each.spans)
    assert joined(one, NOTHING) == one == joined(NOTHING, one)
    assert len(both.spans) == len({math.frexp(span.seconds / span.visits)[1] for span in both.spans})
