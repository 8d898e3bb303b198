"""What was lost, by a sample: against all populations there may be, and by what happens when it is drawn."""

import random

import pytest
import scipy

from ttcrawl.report.laws.audit import TAIL, lost


@pytest.mark.parametrize(
    ("refused", "audited", "good"),
    [(0, 5, 2), (1, 1, 0), (1, 1, 1), (10, 3, 0), (10, 3, 1), (10, 3, 3), (95, 5, 0), (57, 13, 6), (190, 10, 10)],
)
def test_against_every_population(refused, audited, good):
    """A number of good ones is in the interval when neither tail is too thin."""
    size = refused + audited
    kept = [
        number
        for number in range(good, good + refused + 1)
        if scipy.stats.hypergeom.sf(good - 1, size, number, audited) > TAIL
        and scipy.stats.hypergeom.cdf(good, size, number, audited) > TAIL
    ]
    found = lost(refused, audited, good)
    assert (found.low, found.high) == (kept[0] - good, kept[-1] - good)
    assert found.estimate == pytest.approx(refused * good / audited)
    assert found.low <= found.estimate <= found.high or refused < 2


def test_nothing_audited_says_nothing():
    found = lost(100, 0, 0)
    assert (found.estimate, found.low, found.high) == (None, 0, 100)


@pytest.mark.parametrize(("audited", "good"), [(50, 0), (50, 3), (400, 40), (20, 20)])
def test_in_a_large_population_it_is_that_of_clopper_and_pearson(audited, good):
    size = 10_000_000
    found = lost(size, audited, good)
    low = scipy.stats.beta.ppf(TAIL, good, audited - good + 1) if good else 0
    high = scipy.stats.beta.ppf(1 - TAIL, good + 1, audited - good) if good < audited else 1
    assert (found.low / size, found.high / size) == pytest.approx((low, high), abs=2e-5)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.0, 0.02, 0.3])
def test_it_covers_what_it_should(share):
    """An audit of 5 % of 2,000, drawn 400 times: the truth is outside in some 5 % of them at most."""
    rng = random.Random(share)
    outside = 0
    for _ in range(400):
        things = [rng.random() < share for _ in range(2000)]
        sample = [rng.random() < 0.05 for _ in things]
        seen = [good for good, chosen in zip(things, sample, strict=True) if chosen]
        found = lost(len(things) - len(seen), len(seen), sum(seen))
        outside += not found.low <= sum(things) - sum(seen) <= found.high
    assert outside <= 35  # 20 expected at most; 35 and more in one run of a thousand


@pytest.mark.parametrize("numbers", [(-1, 0, 0), (1, 1, 2), (1, 1, -1)])
def test_numbers_that_cannot_be(numbers):
    with pytest.raises(ValueError, match="audited"):
        lost(*numbers)
