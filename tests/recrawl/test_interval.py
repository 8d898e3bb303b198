"""Policies: the optimum of the literature, better than others at the same budget, safe at the ends."""

import math
import random

import pytest

from ttcrawl.recrawl.budget import Bounds, Demand, price, visits
from ttcrawl.recrawl.interval import POLICIES, age, expected_changes, fresh_share, freshness, harmonic, mean_age

WIDE = Bounds(1e-6, 1e12)
DAY = 86400.0


@pytest.mark.parametrize("gain", [0.0, 1e-300, 1e-14, 1e-6, 0.1, 0.5, 0.99, 1 - 1e-12])
def test_the_gain_is_inverted(gain):
    x = expected_changes(gain)
    made = x * x / 2 - x**3 / 3 if x < 1e-5 else -math.expm1(-x) - x * math.exp(-x)
    assert made == pytest.approx(gain, rel=1e-6)


@pytest.mark.parametrize("goal", [1e-20, 1e-9, 1e-3, 1.0, 1e6])
def test_the_gain_in_age_is_inverted(goal):
    x = age(1.0, 1.0, goal)
    made = x**3 / 3 if x < 1e-2 else x * x / 2 - 1 + (1 + x) * math.exp(-x)
    assert made == pytest.approx(goal, rel=0.01)


def test_the_example_of_cho_and_garcia_molina():
    """Five pages that change 1 to 5 times a day, five visits a day (Effective page refresh policies, table 2): the
    optimal frequencies are 1.15, 1.36, 1.35, 1.14 and 0; that which changes most often is not visited."""
    pages = [(float(rate), 1.0, 1) for rate in range(1, 6)]
    paid = price(freshness, pages, 5.0, WIDE)
    found = [1 / WIDE.within(freshness(rate, weight, paid)) for rate, weight, _ in pages]
    assert found == pytest.approx([1.15, 1.36, 1.35, 1.14, 0.0], abs=0.01)


def pages_of(seed, count=300):
    chance = random.Random(seed)
    return [(math.exp(chance.gauss(-2, 2)), math.exp(chance.gauss(0, 1)), 1) for _ in range(count)]


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("budget", [0.01, 10, 1e4])
def test_all_visits_together_are_the_budget(name, budget):
    pages = pages_of(1)
    paid = price(POLICIES[name], pages, budget, WIDE)
    assert visits(POLICIES[name], pages, paid, WIDE) == pytest.approx(budget, rel=1e-3)
    again = price(POLICIES[name], pages, budget, WIDE, near=3 * paid)
    assert visits(POLICIES[name], pages, again, WIDE) == pytest.approx(budget, rel=1e-3)


@pytest.mark.parametrize("measure", ["freshness", "age"])
@pytest.mark.parametrize("budget", [3, 30, 300])
def test_the_optimum_is_better_than_all_others(measure, budget):
    pages = pages_of(2)

    def value(intervals):
        if measure == "freshness":
            return sum(w * fresh_share(r, each) for (r, w, _), each in zip(pages, intervals, strict=True))
        return -sum(w * mean_age(r, each) for (r, w, _), each in zip(pages, intervals, strict=True))

    made = {}
    for name, policy in POLICIES.items():
        paid = price(policy, pages, budget, WIDE)
        made[name] = [WIDE.within(policy(rate, weight, paid)) for rate, weight, _ in pages]
    best = made.pop(measure)
    assert all(value(best) >= value(others) for others in made.values())
    chance = random.Random(3)
    for _ in range(20):  # and than all that are near it
        moved = [each * math.exp(chance.gauss(0, 0.1)) for each in best]
        scale = sum(1 / each for each in moved) / sum(1 / each for each in best)
        assert value(best) >= value([each * scale for each in moved]) - 1e-9


def test_harmonic_gives_no_page_up():
    assert freshness(100.0, 1.0, 1.0) == math.inf
    assert 1 < harmonic(100.0, 1.0, 1.0) < 1.1


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("rate", [0.0, 1e-300, 1e-9, 1.0, 1e9])
@pytest.mark.parametrize("cost", [1e-12, 1.0, 1e30])
def test_every_interval_is_within_the_bounds(name, rate, cost):
    bounds = Bounds(60, 90 * DAY)
    assert 60 <= bounds.within(POLICIES[name](rate, 1.0, cost)) <= 90 * DAY


@pytest.mark.parametrize("name", POLICIES)
def test_a_higher_price_is_a_longer_interval(name):
    for rate in (1e-6, 1e-3, 1.0):
        made = [POLICIES[name](rate, 2.0, 10.0**power) for power in range(-9, 12)]
        assert made == sorted(made)


@pytest.mark.slow
def test_a_budget_for_more_or_less_than_the_bounds_allow():
    pages, bounds = pages_of(4), Bounds(1, 100)
    assert all(bounds.within(freshness(r, w, price(freshness, pages, 1e9, bounds))) == 1 for r, w, _ in pages)
    assert all(bounds.within(freshness(r, w, price(freshness, pages, 1e-9, bounds))) == 100 for r, w, _ in pages)
    assert price(freshness, [], 1.0, bounds) > 0


@pytest.mark.parametrize(("shortest", "longest"), [(0, 1), (2, 1), (-1, 1), (math.nan, 1)])
def test_bounds_that_are_none(shortest, longest):
    with pytest.raises(ValueError):
        Bounds(shortest, longest)


def test_cells_stand_for_their_pages():
    """Their price is nearly that of the pages themselves; what is taken out is gone."""
    demand, pages = Demand(), [(rate / DAY, weight, 1) for rate, weight, _ in pages_of(5, 1000)]
    for rate, weight, _ in pages:
        demand.add(rate, weight)
    bounds, budget = Bounds(600, 60 * DAY), 100 / DAY
    about = price(freshness, demand, budget, bounds)
    assert visits(freshness, pages, about, bounds) == pytest.approx(budget, rel=0.01)
    for rate, weight, _ in pages:
        demand.remove(rate, weight)
    assert list(demand) == []
    demand.add(0.0, 0.0)
    demand.add(math.inf, math.inf)
    assert sum(pages for _, _, pages in demand) == 2
