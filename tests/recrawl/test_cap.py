"""No 24 hours have more visits than the budget, by the requests that servers received, whatever is due."""

import math
import random

import pytest

from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import DAY, Scripted, Server
from tests.support.cases import some_fast
from tests.support.crawls.crawling import query, verified
from ttcrawl.config.revisit import SPENDING
from ttcrawl.recrawl.cap import Cap

#: Pages and their visits a day: with an interval of at most a day, three times as many are due as the budget allows.
PAGES, BUDGET = 12, 4


def most_in_a_day(moments):
    """The most of them in 24 hours."""
    moments = sorted(moments)
    return max(sum(start <= each < start + DAY for each in moments) for start in moments)


@pytest.mark.parametrize("budget", some_fast([0.2, 0.5, 1, 1.1, 1.5, 2.5, 7, 1000], 0.2, 0.5, 1, 1.1, 1.5, 2.5, 7))
def test_no_window_has_more(budget):
    """Visits begin as soon as they may, last for up to an hour, and the crawl restarts between them."""
    chance, cap, now, active, begun = random.Random(3), Cap(budget), 1e9, [], []
    for _ in range(4000):
        now += chance.choice((1.0, 60.0, DAY / 50))
        for end in [each for each in active if each <= now]:
            active.remove(end)
            cap.ended(now)
        if chance.random() < 0.05:
            cap = Cap(budget, cap.text)
        if cap.room(now, len(active)):
            begun.append(now)
            active.append(now + chance.uniform(0, 3600))
    most = math.ceil(budget)
    days = most / budget
    assert most_in_a_day([each / days for each in begun]) <= most
    assert 0.9 * min(budget * (now - 1e9) / DAY, 4000) - 1 <= len(begun) <= budget * (now - 1e9) / DAY + most


def test_a_clock_that_was_ahead_blocks_nothing():
    cap = Cap(1)
    cap.ended(1e9 + 100 * DAY)
    assert cap.room(1e9, 0) == 1


def moments(directory):
    """The moments of all requests for pages but the first for each."""
    rows = query(directory, "SELECT url, started FROM visit WHERE kind = 'page' ORDER BY started")
    first = {}
    return [started for url, started in rows if first.setdefault(url, started) != started]


@pytest.mark.slow
@pytest.mark.parametrize("policy", [*SPENDING, "fixed"])
def test_the_budget_is_a_limit(policy, tmp_path):
    """Beside pages that are due each day: pages that vanish, which are checked soon, and a crawl that was off for
    weeks."""
    clock, directory = Clock(), tmp_path / "c"
    pages = {f"{number}.test": Server(changes=tuple(range(1, 40, number + 1))) for number in range(PAGES - 3)}
    gone = ((0, 200, "page"), (3, 404, "not found"))
    pages |= {f"{number}.test": Scripted(script=gone) for number in range(PAGES - 3, PAGES)}
    keys = {"revisit.policy": policy, "revisit.budget": BUDGET, "revisit.longest": DAY}
    with served(pages, clock) as port:
        recrawl(directory, pages, port, clock, 6 * DAY, keys)
        recrawl(directory, pages, port, clock, 0.1 * DAY, keys)
        clock.sleep(14 * DAY)
        recrawl(directory, pages, port, clock, 5 * DAY, keys)
    assert verified(directory) == ""
    visits = moments(directory)
    assert most_in_a_day(visits) <= BUDGET
    assert len(visits) >= 0.8 * BUDGET * 11
    assert min(page.asked for page in pages.values()) > 1  # none is forgotten


@pytest.mark.slow
def test_once_ends_when_the_budget_is_spent(tmp_path):
    clock, pages = Clock(), {f"{number}.test": Server() for number in range(PAGES)}
    with served(pages, clock) as port:
        recrawl(tmp_path / "c", pages, port, clock, 1, {"revisit.budget": BUDGET})
        for run in range(1, 4):
            clock.sleep(2 * DAY)
            recrawl(tmp_path / "c", pages, port, clock, DAY, {"revisit.budget": BUDGET}, once=True)
            assert len(moments(tmp_path / "c")) == run * BUDGET
