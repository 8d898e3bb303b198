"""A recrawl with a shorter interval, or a larger budget, does not wait for the visits that the last one has planned."""

import pytest

from tests.recrawl.moving import GONE, OLD, scripted
from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import DAY, Server
from tests.support.crawls.crawling import query, verified

HOUR = 3600.0

HOSTS = [f"{number}.test" for number in range(6)]

#: The keys of the first and the second recrawl, and days in which each page is visited by the second one.
PLANS = {
    "a shorter interval": ({"revisit.interval": 30 * DAY}, {"revisit.interval": DAY}, 1.1),
    "another policy": (
        {"revisit.interval": 30 * DAY},
        {"revisit.policy": "uniform", "revisit.budget": 12, "revisit.longest": 30 * DAY},
        1.1,
    ),
    "a larger budget": (
        {"revisit.policy": "uniform", "revisit.budget": 0.3, "revisit.longest": 40 * DAY},
        {"revisit.policy": "uniform", "revisit.budget": 12, "revisit.longest": 40 * DAY},
        1.1,
    ),
    "the same": ({"revisit.interval": 30 * DAY}, {"revisit.interval": 30 * DAY}, None),
    "a longer interval": ({"revisit.interval": 10 * DAY}, {"revisit.interval": 30 * DAY}, 7.1),
}


def visits(directory):
    rows = query(directory, "SELECT url, count(*) FROM visit WHERE kind = 'page' GROUP BY 1")
    return dict(rows)


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second", "within"), PLANS.values(), ids=PLANS)
def test_planned_visits_move(tmp_path, first, second, within):
    clock, directory, pages = Clock(), tmp_path / "c", {host: Server() for host in HOSTS}
    with served(pages, clock) as port:
        recrawl(directory, HOSTS, port, clock, 0.1 * DAY, first, pause=HOUR)
        recrawl(directory, HOSTS, port, clock, 3 * DAY, first, pause=HOUR)  # the visits are planned, and some are made
        before = visits(directory)
        recrawl(directory, HOSTS, port, clock, (within or 1.1) * DAY, second, pause=HOUR)
    assert verified(directory) == ""
    more = {url: count - before[url] for url, count in visits(directory).items()}
    assert set(more.values()) == {0} if within is None else min(more.values()) >= 1


def test_a_page_that_is_missing_keeps_its_checks(tmp_path):
    clock, directory = Clock(), tmp_path / "c"
    pages = {"a.test": scripted(OLD, GONE), "b.test": Server()}
    with served(pages, clock) as port:
        recrawl(directory, pages, port, clock, 6 * DAY, {"revisit.interval": 2 * DAY}, pause=HOUR)
        before = query(directory, "SELECT next FROM revisit ORDER BY url")
        assert query(directory, "SELECT state, reason FROM url ORDER BY id")[0] == ("fetched", "gone: http 404")
        recrawl(directory, pages, port, clock, 1, {"revisit.interval": DAY / 2}, pause=HOUR)
    (gone, _), (page, visited) = query(directory, "SELECT next, visited FROM revisit ORDER BY url")
    assert gone == before[0][0] and page == visited + DAY / 2
