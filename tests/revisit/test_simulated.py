"""Two months of 1,000 pages on a virtual clock: `python -m benchmarks.revisit` does the same for a year of 20,000."""

import random

import pytest

from benchmarks.revisit import SITES, simulated, theory
from benchmarks.revisit_web import make
from ttcrawl.revisit.interval import POLICIES

PAGES, DAYS, BUDGET = 1_000, 60, 100.0

#: Policy -> share of its optimum in the second month, when a page was visited 5 times in the mean: a year has more.
LEAST = {"freshness": 0.93, "age": 0.9}


@pytest.fixture(scope="module")
def optimum():
    """(freshness, age) of the best schedules for the budget."""
    pages = make(PAGES, SITES, random.Random(1))
    return theory(pages, POLICIES["freshness"], BUDGET)[0], theory(pages, POLICIES["age"], BUDGET)[1]


@pytest.mark.parametrize("policy", LEAST)
def test_the_budget_is_spent_well(policy, optimum):
    result = simulated(policy, PAGES, DAYS, BUDGET)
    assert result.visits == pytest.approx(BUDGET, rel=0.08)
    fresh, age = optimum
    shares = {"freshness": result.fresh / fresh, "age": age / result.age}
    assert shares[policy] >= LEAST[policy]
    assert abs(result.bias) < 0.25 and result.wrong < 0.8
