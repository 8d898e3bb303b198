"""Exchanges written by hand, and what is to be said of them; then a real crawl against the server's own log."""

import json
import sqlite3
from collections import defaultdict
from contextlib import closing
from itertools import pairwise

import pytest

from tests.report.sample_crawl import write
from tests.support.crawls.crawling import crawl
from tests.support.web.mesh import mesh
from tests.support.web.site import Answer, Web, at, page
from ttcrawl.cli import main
from ttcrawl.report.gaps import Gap, gaps
from ttcrawl.report.politeness import politeness, render
from ttcrawl.snapshot.errors import NotACrawl

OURS, ROBOTS, FREE = "default", "robots.txt", "not obeyed"

#: exchanges (started, ended, reason, delay, delay_from, backoff) -> (waited, due, broken) of each gap
GAPS = {
    "none": ([], []),
    "one": ([(0, 1, "", 1, OURS, None)], []),
    "long enough": ([(0, 1, "", 1, OURS, None), (2.5, 3, "", 1, OURS, None)], [(1.5, 1, False)]),
    "exactly": ([(0, 1, "", 1, OURS, None), (2, 3, "", 1, OURS, None)], [(1, 1, False)]),
    "too short": ([(0, 1, "", 1, OURS, None), (1.75, 3, "", 1, OURS, None)], [(0.75, 1, True)]),
    "the delay of the later one": ([(0, 1, "", 9, OURS, None), (2, 3, "", 1, ROBOTS, None)], [(1, 1, False)]),
    "within the clock": ([(0, 1, "", 1, OURS, None), (2 - 2**-21, 3, "", 1, OURS, None)], [(1 - 2**-21, 1, False)]),
    "beyond the clock": ([(0, 1, "", 1, OURS, None), (2 - 2**-19, 3, "", 1, OURS, None)], [(1 - 2**-19, 1, True)]),
    "start not known": (
        [(0, 1, "", 1, OURS, None), (1.9921875, 3, "fetch process died", 1, OURS, None)],
        [(0.9921875, 1, False)],
    ),
    "start not known, and too short": (
        [(0, 1, "", 1, OURS, None), (1.984375, 3, "fetch process died", 1, OURS, None)],
        [(0.984375, 1, True)],
    ),
    "overlap": ([(0, 2, "", 0, ROBOTS, None), (1, 3, "", 0, ROBOTS, None)], [(-1, 0, True)]),
    "no delay": ([(0, 2, "", 0, ROBOTS, None), (2, 3, "", 0, ROBOTS, None)], [(0, 0, False)]),
    "several at once": ([(0, 2, "", 0, FREE, None), (1, 3, "", 0, FREE, None)], [(-1, 0, False)]),
    "within another": (
        [(0, 9, "", 0, FREE, None), (1, 2, "", 0, FREE, None), (9.5, 10, "", 1, OURS, None)],
        [(-8, 0, False), (0.5, 1, True)],
    ),
    "backed off": ([(0, 1, "", 1, OURS, 60), (61, 62, "", 1, OURS, None)], [(60, 60, False)]),
    "not backed off": ([(0, 1, "", 1, OURS, 60), (31, 32, "", 1, OURS, None)], [(30, 60, True)]),
    "backed off for less than the delay": ([(0, 1, "", 9, OURS, 2), (10, 11, "", 9, OURS, None)], [(9, 9, False)]),
    "a back-off holds beyond the next": (
        [(0, 1, "", 0, FREE, 60), (2, 3, "", 0, FREE, None), (31, 32, "", 1, OURS, None)],
        [(1, 60, False), (28, 58, True)],
    ),
}


@pytest.mark.parametrize(("exchanges", "wanted"), GAPS.values(), ids=GAPS)
def test_gaps(exchanges, wanted):
    assert list(gaps(exchanges)) == [Gap(waited=waited, due=due, broken=broken) for waited, due, broken in wanted]


HOSTS = {1: "kept.test", 2: "broken.test", 3: "once.test", 4: "free.test", 5: "silent.test", 6: "never.test"}
VISITS = [  # site, kind, started, ended, status, reason, delay, delay_from, backoff, backoff_from
    (1, "robots", 0, 1, 503, "", 1, OURS, 60, "http 503"),
    (1, "robots", 61, 62, 429, "", 1, OURS, 90, "Retry-After"),
    (1, "robots", 152, 153, 200, "", 1, OURS, None, ""),
    (1, "page", 155.5, 156, 200, "", 2, ROBOTS, None, ""),
    (2, "robots", 0, 1, None, "timeout: read", 1, OURS, None, ""),
    (2, "page", 1.5, 2, 200, "", 1, OURS, None, ""),
    (2, "page", 1.75, 2, 200, "", 1, OURS, None, ""),
    (3, "page", 5, 6, 200, "", 1, OURS, None, ""),
    (4, "robots", 0, 1, 404, "", 0, FREE, None, ""),
    (4, "page", 2, 4, 200, "", 0, FREE, None, ""),
    (4, "page", 3, 5, 503, "", 0, FREE, None, ""),
    (5, "page", 0, 1, None, "connection refused", 1, OURS, 60, "connection refused"),
    (5, "page", 62, 63, 200, "", 1, OURS, None, ""),
]
FIGURES = {  # the smallest margin first; of two that are the same, the one with more requests
    "broken.test": (3, -0.25, 0.125, -1.25, 1, OURS, 1, "timeout: read", 0, 0, 0, None, 2),
    "free.test": (3, -1, 0, -1, 0, FREE, 1, "http 404", 1, 0, 0, None, 0),
    "kept.test": (4, 2.5, 60, 0, 2, ROBOTS, 3, "http 200", 2, 2, 1, 90, 0),
    "silent.test": (2, 61, 61, 1, 1, OURS, 0, "", 0, 1, 0, 60, 0),
    "once.test": (1, None, None, None, 1, OURS, 0, "", 0, 0, 0, None, 0),
}
NAMES = (
    *("requests", "smallest_gap", "median_gap", "smallest_margin", "delay", "delay_from", "robots_requests"),
    *("robots_last", "overloaded", "backoffs", "backoffs_retry_after", "longest_backoff", "broken"),
)


@pytest.fixture
def place(tmp_path):
    directory = write(tmp_path / "c", fill=False)
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.executemany("INSERT INTO site (id, host, domain) VALUES (?, ?, '')", HOSTS.items())
        db.executemany(
            "INSERT INTO visit (site, kind, started, ended, status, reason, delay, delay_from, backoff, backoff_from,"
            " url, bytes, address, address_delay, requests) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0, '', 0, 1)",
            VISITS,
        )
    return directory


def said(capsys, *options):
    assert main(["report", "--politeness", *map(str, options)]) == 0
    return capsys.readouterr().out


def test_every_figure(place):
    found = politeness(place, 0)
    assert (found.requests, found.hosts_requested, found.broken) == (13, 5, 2)
    assert {each.host: tuple(getattr(each, name) for name in NAMES) for each in found.hosts} == FIGURES
    assert [each.host for each in found.hosts] == list(FIGURES)


@pytest.mark.slow
def test_hosts_shown(place, capsys):
    for number, shown in ((0, 5), (1, 1), (3, 3), (99, 5)):
        told = json.loads(said(capsys, place, "--format", "json", "--hosts", number))
        assert len(told["hosts"]) == shown and told["broken"] == 2 and told["hosts_requested"] == 5


def test_text(place, capsys):
    lines = {line.split()[0]: line for line in said(capsys, place).splitlines() if line and "---" not in line}
    assert lines["Requests"].split() == ["Requests", "13"] and lines["Broken"].split()[-1] == "2"
    assert lines["broken.test"].endswith("broken 2 times") and "-0.250000" in lines["broken.test"]
    assert "not obeyed" in lines["free.test"] and lines["free.test"].endswith("no delay")
    assert "2 (robots.txt)" in lines["kept.test"] and "3: http 200" in lines["kept.test"]
    assert "1 Retry-After, 1 doubling; longest 90.0 s" in lines["kept.test"] and lines["kept.test"].endswith("kept")


def test_markdown_and_several(place, capsys):
    text = said(capsys, place, place, "--format", "markdown")
    for table in text.split("\n\n"):
        assert len({line.count("|") for line in table.splitlines()}) == 1, table
    assert text.count("| broken.test |") == 2 and len(json.loads(said(capsys, place, place, "--format", "json"))) == 2


def test_no_exchange(tmp_path):
    found = politeness(write(tmp_path / "c", fill=False), 20)
    assert (found.requests, found.hosts) == (0, ()) and "Hosts" in render([found], ["x"], "text")


def test_a_damaged_database(place):
    with closing(sqlite3.connect(place / "crawl.db")) as db, db:
        db.execute("DROP TABLE visit")
    with pytest.raises(NotACrawl, match="damaged"):
        politeness(place, 20)


@pytest.mark.slow
def test_a_crawl_against_the_log_of_the_server(tmp_path, capsys):
    hosts, delay = ("a.test", "b.test", "c.test"), 0.15
    with Web(
        mesh(hosts, 8, seed=5, crawl_delay=delay) | {("d.test", "/"): Answer(body=page(at("a.test", "/")))}
    ) as web:
        seeds = [web.url(host, "/") for host in (*hosts, "d.test")]
        crawled = crawl(web, seeds, tmp_path / "c", "--scope", "any", "--set", "politeness.delay=0.1")
        hits = defaultdict(list)
        for hit in web.log():
            hits[f"{hit.host}:{web.port}"].append(hit)
    assert crawled.status == 0
    found = {each.host: each for each in politeness(tmp_path / "c", 0).hosts}
    assert found.keys() == hits.keys()
    for host, each in found.items():
        log = [later.arrived - earlier.answered for earlier, later in pairwise(hits[host])]
        assert each.requests == len(hits[host]) and each.broken == 0
        assert each.robots_requests == sum(hit.path == "/robots.txt" for hit in hits[host])
        wanted = (0.1, OURS) if host.startswith("d.test") else (delay, ROBOTS)
        assert (each.delay, each.delay_from) == wanted
        # the server sees a request after it was sent and an answer before it was received: never less than we say
        assert each.smallest_gap <= min(log) + 1e-4 and each.smallest_gap > min(log) - 0.05
    assert "Broken in total" in said(capsys, tmp_path / "c")


def test_an_address_of_several_hosts(tmp_path):
    """Its gaps are those between all requests to it; requests at once count where a delay is due."""
    directory = write(tmp_path / "c", fill=False)
    visits = [  # site, started, ended, address, address_delay
        (1, 0, 1, "192.0.2.1", 2),
        (2, 4, 5, "192.0.2.1", 2),
        (1, 6, 7, "192.0.2.1", 2),
        (1, 0, 9, "192.0.2.2", 0),
        (2, 1, 2, "192.0.2.2", 0),
        (3, 0, 1, "192.0.2.3", 2),
        (3, 1, 2, "192.0.2.3", 2),
        (3, 0, 1, "", 2),
        (4, 0, 1, "", 2),
    ]
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.executemany(
            "INSERT INTO visit (site, started, ended, address, address_delay, kind, url, status, reason, bytes, delay,"
            " delay_from, requests, backoff_from)"
            " VALUES (?, ?, ?, ?, ?, 'page', '', 200, '', 0, 0, 'default', 1, '')",
            visits,
        )
    found = politeness(directory, 0)
    assert (found.addresses_shared, [each.address for each in found.addresses]) == (2, ["192.0.2.2", "192.0.2.1"])
    at_once, apart = found.addresses
    assert (at_once.hosts, at_once.requests, at_once.smallest_gap, at_once.delay, at_once.broken) == (2, 2, -8, 0, 0)
    assert (apart.hosts, apart.requests, apart.smallest_gap, apart.median_gap) == (2, 3, 1, 2)
    assert (apart.smallest_margin, apart.delay, apart.delayed, apart.broken) == (-1, 2, 2, 1)
