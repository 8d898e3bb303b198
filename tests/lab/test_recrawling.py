"""Re-crawl policies on recorded changes: what a budget of visits sees."""

import random

import pytest
from msgspec.structs import replace

from tests.lab.recorded import model, record, recorded
from ttcrawl.errors import UsageError
from ttcrawl.lab.copies import Copies
from ttcrawl.lab.histories import History, recorded_budget
from ttcrawl.lab.recrawling import RecrawlTrial, recrawls
from ttcrawl.recrawl.budget import Bounds
from ttcrawl.recrawl.interval import POLICIES

DAY, DAYS = 86400.0, 60

#: Any interval from an hour to the whole record.
BOUNDS = Bounds(3600.0, DAYS * DAY)


def pages(quick=20, slow=80, seed=1):
    """Pages that change twice a day, and pages that change once a month, as Poisson processes; watched every hour."""
    rng, made = random.Random(seed), []
    for rate in [2 / DAY] * quick + [1 / (30 * DAY)] * slow:
        moments = [0.0]
        while (moment := moments[-1] + rng.expovariate(rate)) < DAYS * DAY:
            moments.append(moment)
        made.append(History(moments, DAYS * 24, DAYS * DAY))
    return made


def tried(name, budget=100, **more):
    return RecrawlTrial(pages(**more), name, budget, BOUNDS).run()


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_keeps_to_the_budget_and_is_the_same_again(name):
    one = tried(name)
    assert one == tried(name)
    assert one.visits == pytest.approx(100 * DAYS, rel=0.15)
    assert 0 < one.seen <= one.changes and 0 < one.fresh < 1 and one.age > 0


def test_the_optimum_for_freshness_beats_visits_in_proportion_to_changes():
    """Cho and Garcia-Molina 2003: uniform beats proportional, and the optimum beats both once it knows the rates."""
    fresh = {name: tried(name).fresh for name in ("freshness", "uniform", "proportional")}
    assert fresh["freshness"] > fresh["uniform"] > fresh["proportional"]


def test_the_optimum_for_age_has_the_smallest_age():
    ages = {name: tried(name, budget=20).age for name in ("age", "freshness", "uniform")}
    assert ages["age"] == min(ages.values())


def test_the_curve_has_each_moment():
    """A copy that lacks a change from 25 to 50 s, and one of weight 3 that lacks none and begins at 50 s."""
    copies = Copies(1000.0, 1100.0)
    copies.keep(1000.0, 1025.0, 1050.0, 1.0)
    copies.visit(1050.0, seen=True)
    copies.keep(1050.0, None, 1100.0, 1.0)
    copies.keep(1050.0, 1090.0, 1100.0, 3.0)
    points = {point.seconds: point for point in copies.points()}
    assert len(points) == 201
    fresh = {
        0: (1, 1),
        24.5: (1, 1),
        25: (0, 0),
        49.5: (0, 0),
        50: (1, 1),
        89.5: (1, 1),
        90: (0.5, 0.25),
        100: (0.5, 0.25),
    }
    assert {at: (points[at].fresh, points[at].weighted_fresh) for at in fresh} == fresh
    assert [points[at].age for at in (25, 40, 50, 90, 100)] == [0, 15, 0, 0, 5]
    assert [(points[at].visits, points[at].seen) for at in (49.5, 50, 100)] == [(0, 0), (1, 1), (1, 1)]
    assert (copies.fresh, copies.watched, copies.weighted, copies.age) == (115, 150, 250, (25**2 + 10**2) / 2)


def test_pages_with_more_weight_are_visited_more_often():
    light, heavy = ([replace(each, weight=weight) for each in pages()] for weight in (1.0, 9.0))
    both = RecrawlTrial(light + heavy, "important", 200, BOUNDS).run()
    assert both.weighted_fresh > both.fresh
    same = RecrawlTrial(light + heavy, "uniform", 200, BOUNDS).run()
    assert both.weighted_fresh > same.weighted_fresh


def test_a_page_that_never_changes_is_always_fresh():
    still = [History([0.0], 10, DAYS * DAY)] * 5
    done = RecrawlTrial(still, "uniform", 10, BOUNDS).run()
    assert (done.seen, done.changes, done.fresh, done.age) == (0, 0, 1.0, 0.0)


def test_the_budget_of_the_record_is_its_visits_after_the_first():
    assert recorded_budget([History([0.0], 11, 10 * DAY), History([0.0], 1, 0.0)]) == pytest.approx(1.0)


def test_without_several_answers_it_says_what_to_do(tmp_path):
    with recorded(record(tmp_path, model(hosts=1, pages=3))) as (view, _):
        with pytest.raises(UsageError, match="ttcrawl recrawl"):
            recrawls(view, [])
        with pytest.raises(UsageError, match="no policy for visits 'soon'"):
            recrawls(view, ["soon"])
