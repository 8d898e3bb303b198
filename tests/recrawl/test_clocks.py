"""The clock on the wall is set while a continuous crawl runs, or between two runs."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from tests.recrawl.recrawled import Clock, Wrong, recrawl, served
from tests.recrawl.servers import BEGIN, DAY, NoValidators, Server
from tests.recrawl.visits import NEVER
from tests.support.crawls.crawling import query, verified
from ttcrawl.store.rows import NewUrl
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.state import QUEUED

YEAR, DAYS, SET = 365 * DAY, 12, 4.5

JUMPS = {"a day ahead": DAY, "a day back": -DAY, "a year ahead": YEAR, "a year back": -YEAR}

#: With the delays of addresses, because all hosts share one.
POLITE = {"politeness.obey_delay": "yes", "politeness.delay": 30, "politeness.address_delay": 10}

HOUR = 3600.0


def pages():
    changes = tuple(range(1, DAYS))
    return {
        f"{kind.__name__.lower()}{n}.test": kind(changes=changes) for kind in (Server, NoValidators) for n in (1, 2)
    }


def moments(directory):
    """URL -> when its visits began, and the versions that were stored, in order of their times."""
    rows = query(directory, "SELECT url, started FROM visit WHERE kind = 'page' ORDER BY id")
    stored = query(directory, "SELECT url.url, title FROM answer JOIN url ON id = answer.url ORDER BY time")
    urls = {url for url, _ in rows}
    return {
        url: ([each for at, each in rows if at == url], [title for at, title in stored if at == url]) for url in urls
    }


def polite(directory):
    """The record of visits proves it."""
    times = query(directory, "SELECT started, ended FROM visit WHERE started > 0 ORDER BY id")
    return all(after[0] - before[1] >= 10 for before, after in pairwise(times))


@pytest.mark.slow
@pytest.mark.parametrize("jump", JUMPS.values(), ids=JUMPS)
@pytest.mark.parametrize("policy", ["fixed", "uniform"])
def test_set_while_it_runs(tmp_path, jump, policy):
    """Visits go on day by day, and a clock that is ahead costs one more."""
    clock, directory, web = Clock(), tmp_path / "c", pages()
    wall = Wrong(clock, lambda now: jump if now >= BEGIN + SET * DAY else 0.0)
    keys = POLITE | {"revisit.policy": policy, "revisit.budget": len(web), "revisit.longest": 2 * DAY}
    with served(web, clock) as port:
        recrawl(directory, web, port, clock, DAYS * DAY, keys, wall=wall, pause=HOUR)
    for url, (times, titles) in moments(directory).items():
        gaps = [after - before for before, after in pairwise(times)]
        longest = 1.1 * DAY if policy == "fixed" else 2.1 * DAY
        assert max(gaps) <= longest, url
        assert policy != "fixed" or sum(gap < 0.9 * DAY for gap in gaps) <= 1, url
        assert titles == sorted(titles, key=lambda each: int(each.split()[0])) and len(titles) >= DAYS / 3, url
    assert polite(directory)
    assert verified(directory) == ""


@pytest.mark.slow
@pytest.mark.parametrize("jump", JUMPS.values(), ids=JUMPS)
def test_set_between_two_runs(tmp_path, jump):
    """Each change is stored after the one before it, whatever its time would be."""
    clock, directory, web = Clock(), tmp_path / "c", pages()
    with served(web, clock) as port:
        recrawl(directory, web, port, clock, SET * DAY, POLITE)
        before = {url: len(times) for url, (times, _) in moments(directory).items()}
        wrong = Wrong(clock, lambda _: jump)
        recrawl(directory, web, port, wrong, SET * DAY, POLITE)
    for url, (times, titles) in moments(directory).items():
        assert len(times) - before[url] in (4, 5), url
        versions = [int(each.split()[0]) for each in titles]
        assert versions == sorted(versions) and len(versions) >= 7, url
    assert query(directory, "SELECT url FROM url WHERE state != 'fetched'") == []
    assert verified(directory) == ""


@pytest.mark.slow
def test_a_first_answer_is_visited_by_the_clock_on_the_wall(tmp_path):
    """The clock of the crawl does not follow when that one is set."""
    clock, directory, web = Clock(), tmp_path / "c", pages()
    wall = Wrong(clock, lambda now: -YEAR if now > BEGIN + 1 else 0.0)
    with served(web, clock) as port:
        recrawl(directory, web, port, clock, 3.5 * DAY, POLITE, wall=wall, pause=HOUR)
    assert {len(times) for times, _ in moments(directory).values()} == {4}


NOW, LEAD, FURTHEST = 1000.0, 100.0, 500.0
ROWS = {  # (next, visited) -> what is left of it, least and most
    "it stays": ((1100.0, 900.0), (1100.0, 1100.0)),
    "due": ((950.0, 900.0), (950.0, 950.0)),
    "visited in the future": ((1200.0, 1050.0), (1100.0, 1100.0)),
    "by a clock of an earlier run": ((9100.0, 9000.0), (1100.0, 1100.0)),
    "failed by a clock that was ahead": ((9000.0, 900.0), (NOW, NOW + FURTHEST)),
    "visited by it, and planned too late": ((99_000.0, 9000.0), (NOW, NOW + FURTHEST)),
}


@pytest.mark.parametrize(("row", "expected"), ROWS.values(), ids=ROWS)
def test_moments_of_a_clock_that_was_ahead(tmp_path, row, expected):
    store = Store(tmp_path / "crawl.db", create=True)
    site = store.sites.add("a.test", "a.test")
    store.urls.add([NewUrl(n, n, f"http://a.test/{n}", site, QUEUED, 0.0) for n in range(1, 4)])
    for url in range(1, 4):
        store.recrawls.save(replace(NEVER, url=url, next=row[0], visited=row[1]))
    store.recrawls.set_back(NOW, LEAD, FURTHEST)
    found = [(each[1].next, each[1].visited) for each in store.recrawls.due((0.0, 0), 1e9, 9)]
    store.abandon()
    assert all(expected[0] <= next_ <= expected[1] and visited <= NOW for next_, visited in found)
    assert len({next_ for next_, _ in found}) == (1 if expected[0] == expected[1] else 3)
