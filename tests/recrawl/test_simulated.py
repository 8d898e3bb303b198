"""Months of pages on a virtual clock, as `python -m benchmarks.recrawl` has them: 1,000 soon, and a year of 20,000."""

import random

import pytest

from benchmarks.recrawl import SITES, simulated, theory
from benchmarks.recrawl_clocks import FORMS, digest
from benchmarks.recrawl_web import make
from ttcrawl.recrawl.interval import POLICIES

PAGES, DAYS, BUDGET = 1_000, 60, 100.0

#: Policy -> share of its optimum in the second month, when a page was visited 5 times in the mean: a year has more.
#: Some pages show a date that no rule knows, so they look changed at each visit; the optimum knows that they are not.
LEAST = {"freshness": 0.92, "age": 0.9}


#: What the manual claims: pages, days, visits a day, and the share of the optimum.
CLAIMED, SHARE = (20_000, 365, 2_000), 0.95

#: Forms of dates that no rule knows.
UNKNOWN = (9, 10, 11)


@pytest.fixture(scope="module")
def optimum():
    """(freshness, age) of the best schedules for the budget."""
    pages = make(PAGES, SITES, random.Random(1))
    return theory(pages, POLICIES["freshness"], BUDGET)[0], theory(pages, POLICIES["age"], BUDGET)[1]


@pytest.mark.slow
@pytest.mark.parametrize("policy", LEAST)
def test_the_budget_is_spent_well(policy, optimum):
    result = simulated(policy, PAGES, DAYS, BUDGET)
    # a page that looks changed at each visit is given up by and by, and the price follows a day later
    assert result.visits == pytest.approx(BUDGET, rel=0.1)
    fresh, age = optimum
    shares = {"freshness": result.fresh / fresh, "age": age / result.age}
    assert shares[policy] >= LEAST[policy]
    assert abs(result.bias) < 0.25 and result.wrong < 0.8


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("policy", LEAST)
def test_a_year_reaches_what_the_manual_claims(policy):
    """With as many visits, of the optimum that knows all rates; two minutes of CPU."""
    result = simulated(policy, *CLAIMED)
    shares = {"freshness": result.fresh / result.fresh_best, "age": result.age_best / result.age}
    assert shares[policy] >= SHARE
    assert result.visits == pytest.approx(CLAIMED[2], rel=0.02)


@pytest.mark.parametrize("form", range(len(FORMS)))
def test_a_page_with_another_date_looks_changed_only_if_no_rule_knows_its_form(form):
    """Each day and a quarter, which the week and the minute survive sometimes."""
    seen = [digest(form, 7, 0, visit * 109_000.0) for visit in range(30)]
    assert (len(set(seen)) > 1) == (form in UNKNOWN)
    assert digest(form, 7, 1, 0.0) != seen[0] != digest(form, 8, 0, 0.0)
