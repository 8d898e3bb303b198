"""Announced changes: the gain of a visit against a simulation, and the two ends of the theory."""

import math
import random

import pytest

from ttcrawl.revisit.interval import freshness
from ttcrawl.revisit.signals import Announced, due, gain, threshold, worth

PAGE = Announced(unannounced=0.2, signals=0.8, precision=0.6)


def cycle(chance, page, limit):
    """(Seconds until the clock of a page is at `limit`, seconds of it in which it was fresh)."""
    now = clock = 0.0
    change = chance.expovariate(page.unannounced)
    while True:
        wait = chance.expovariate(page.signals)
        if clock + wait >= limit:
            now += limit - clock
            break
        now, clock = now + wait, clock + wait + worth(page)
        if chance.random() < page.precision:
            change = min(change, now)
        if clock >= limit:
            break
    return now, min(change, now)


@pytest.mark.parametrize("limit", [1.0, 5.0, 12.0])
def test_the_gain_is_that_of_a_simulation(limit):
    chance = random.Random(5)
    cycles = [cycle(chance, PAGE, limit) for _ in range(20_000)]
    seconds, fresh = (sum(each) / len(cycles) for each in zip(*cycles, strict=True))
    gained, mean = gain(PAGE, limit)
    assert mean == pytest.approx(seconds, rel=0.03)
    assert gained == pytest.approx(fresh - math.exp(-PAGE.unannounced * limit) * seconds, rel=0.05)


@pytest.mark.parametrize("price", [0.01, 1.0, 4.0])
def test_without_signals_it_is_the_policy_freshness(price):
    silent = Announced(unannounced=0.2, signals=0.0, precision=0.5)
    assert threshold(silent, 1.0, price) == pytest.approx(freshness(0.2, 1.0, price), rel=1e-5)


def test_signals_that_are_never_wrong_bring_a_visit_at_once():
    sure = Announced(unannounced=0.0, signals=1e-5, precision=1.0)
    limit = threshold(sure, 1.0, 3600.0)
    assert due(50.0, limit, 0, sure) > 50.0 + 86400 and due(50.0, limit, 1, sure) == 50.0


def test_signals_that_say_nothing_change_nothing():
    noise = Announced(unannounced=0.2, signals=500.0, precision=0.0)
    limit = threshold(noise, 1.0, 1.0)
    assert limit == pytest.approx(freshness(0.2, 1.0, 1.0), rel=1e-4)
    assert due(0.0, limit, 7, noise) == limit


def test_a_visit_that_is_worth_nothing():
    assert threshold(PAGE, 1.0, 100.0) == math.inf


def test_every_signal_brings_the_visit_nearer():
    times = [due(10.0, threshold(PAGE, 1.0, 0.5), count, PAGE) for count in range(5)]
    assert times == sorted(times, reverse=True) and min(times) >= 10.0
    assert PAGE.rate == pytest.approx(0.68)
