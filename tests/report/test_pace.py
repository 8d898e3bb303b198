"""Rates, waits and the time left, of a stopped crawl whose visits and hosts are set by SQL."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web, page
from ttcrawl.snapshot.pace import Failing, Pace, lines, pace
from ttcrawl.snapshot.snapshot import view
from ttcrawl.snapshot.status import render, status

HOSTS = ("a.test", "b.test", "c.test")
NOW = 10_000.0


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of three hosts of which each has eleven pages; it stopped after six."""
    directory = tmp_path_factory.mktemp("pace") / "c"
    site = {(host, "/"): Answer(body=page(*(f"/{n}" for n in range(10)))) for host in HOSTS}
    site |= {(host, f"/{n}"): Answer(body=page(title=f"{host} {n}")) for host in HOSTS for n in range(10)}
    with Web(site) as web:
        options = ("--set", "politeness.delay=0.01", "--max-pages", 6)
        done = crawl(web, [web.url(host, "/") for host in HOSTS], directory, *options)
    assert done.status == 3, done.err
    return directory


def paced(stopped: Path, tmp_path: Path, *queries: str) -> tuple[Pace, str]:
    directory = shutil.copytree(stopped, tmp_path / "c")
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute("UPDATE site SET next_at = 0, delay = 2, robots_time = 1")
        for query in queries:
            db.execute(query)
    told = status(directory, 5, NOW)
    return told.pace, render(told, "text")


def visits(*rows: tuple[float, int | None]) -> str:
    """A statement for exchanges of half a second: when they began, and the status."""
    values = ", ".join(
        f"(1, '', 'page', {started}, {started + 0.5}, {status or 'NULL'}, '', 0, '', 0, '', 0, 1, NULL, '')"
        for started, status in rows
    )
    return (
        "INSERT INTO visit (site, url, kind, started, ended, status, reason, bytes, address, delay, delay_from,"
        f" address_delay, requests, backoff, backoff_from) VALUES {values}"
    )


@pytest.mark.slow
def test_rates_are_of_the_last_minute(stopped: Path, tmp_path: Path) -> None:
    old = [(float(second), 200) for second in range(100)]
    last = [(float(second), 200 if second % 4 else 404) for second in range(1000, 1060, 2)]
    pace, text = paced(stopped, tmp_path, "DELETE FROM visit", visits(*old, *last))
    assert pace.requests_per_second == pytest.approx(30 / 58.5, abs=0.001)
    assert pace.pages_per_second == pytest.approx(15 / 58.5, abs=0.001)
    running = "\n".join(lines(pace, 6, 0, 100.0, running=True))
    assert (
        "Rate     0.5 requests/s, 0.3 pages/s in the last minute\n" in running and "for what is queued now" in running
    )
    assert "Rate     " in text and " pages/s on average\n" in text and "minute" not in text and "now (" not in text


def test_a_crawl_that_took_no_time_has_no_rate(stopped: Path, tmp_path: Path) -> None:
    _, text = paced(stopped, tmp_path, "UPDATE crawl SET value = 0 WHERE name = 'seconds'")
    assert "Rate" not in text


def paced_lines(**more: object) -> list[str]:
    """The lines of a crawl with these figures."""
    figures = {"requests_per_second": 2.0, "pages_per_second": 1.5, "waiting": {}, "seconds_left": None, "bound": ""}
    figures |= {"failing": (Failing(host="a.test", failures=1, why="dns"),), "hosts_failing": 1, "disk_used": 10}
    figures["backed_off_until"] = 0.0
    arguments = {"pages": 4, "visits": 0, "seconds": 10.0, "running": True} | {
        name: more.pop(name) for name in ("pages", "visits", "seconds", "running") if name in more
    }
    return lines(Pace(**figures | {"disk_left": 999} | more), **arguments)


#: Figures -> what is printed, and what is not: no rate of nothing, and no present for what has stopped.
SENTENCES = {
    "running": ({}, ["Rate     2.0 requests/s, 1.5 pages/s in the last minute", "Failing  a.test (dns)"], []),
    "just begun": ({"requests_per_second": None, "pages_per_second": None}, [], ["Rate"]),
    "stopped": (
        {"running": False},
        ["Rate     0.4 pages/s on average", "Failed   a.test (dns)"],
        ["minute", "Failing"],
    ),
    "no page": ({"running": False, "pages": 0}, ["Disk     10 B used; 999 B left"], ["Rate", "a page"]),
    "no time": ({"running": False, "seconds": 0.0}, [], ["Rate", "inf", "nan"]),
    "visits": (
        {"running": False, "visits": 96},
        ["Rate     10.0 pages/s on average, with pages that were visited again"],
        [],
    ),
    "less than a second": ({"seconds_left": 0.2, "bound": "a.test: 1 URL"}, ["Left     0:00:01 at least"], []),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_what_was_not_measured_is_not_printed(name: str) -> None:
    more, printed, missing = SENTENCES[name]
    text = "\n".join(paced_lines(**more))
    assert [each for each in printed if each not in text] == [] == [each for each in missing if each in text]


def test_a_burst_at_the_end_of_a_long_crawl_is_no_rate(stopped: Path, tmp_path: Path) -> None:
    burst = visits(*((5000.0 + n / 1000, 200) for n in range(30)))
    pace, _ = paced(
        stopped, tmp_path, "DELETE FROM visit", "UPDATE crawl SET value = 5000 WHERE name = 'seconds'", burst
    )
    assert pace.requests_per_second == pace.pages_per_second == 0.5


def test_without_a_response_in_the_last_minute(stopped: Path, tmp_path: Path) -> None:
    pace, _ = paced(stopped, tmp_path, "DELETE FROM visit", visits(*((1000.0 + n, None) for n in range(30))))
    assert pace.requests_per_second > 1 and pace.pages_per_second == 0
    assert "0.0 pages/s" in "\n".join(lines(pace, 6, 0, 100.0, running=True))


@pytest.mark.parametrize(
    ("begun", "rate"),
    [
        ([NOW - 59 + n for n in range(30)], 0.5),  # an idle half-minute counts
        ([NOW - 99 + n for n in range(30)], 0.0),  # as after a resume, when all hosts wait
        ([], 0.0),
    ],
)
def test_the_last_minute_of_a_running_crawl_ends_now(
    stopped: Path, tmp_path: Path, begun: list[float], rate: float
) -> None:
    directory = shutil.copytree(stopped, tmp_path / "c")
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute("DELETE FROM visit")
        db.execute("UPDATE crawl SET value = 1000 WHERE name = 'seconds'")
        if begun:
            db.execute(visits(*((moment, 200) for moment in begun)))
    with view(directory) as db:
        assert pace(db, 27, NOW, running=True).requests_per_second == rate


@pytest.mark.parametrize(
    ("query", "waiting"),
    [
        ("UPDATE site SET robots_time = NULL", {"robots.txt first": 3}),
        ("UPDATE site SET next_at = 10001 WHERE id = 1", {"due": 2, "delay": 1}),
        ("UPDATE site SET backoff_until = 10060, robots_time = NULL WHERE id = 2", {"due": 2, "backed off": 1}),
        ("UPDATE site SET backoff_until = 9999", {"due": 3}),
    ],
)
def test_what_hosts_wait_for(stopped: Path, tmp_path: Path, query: str, waiting: dict[str, int]) -> None:
    pace, text = paced(stopped, tmp_path, query)
    assert pace.waiting == waiting
    assert f"Hosts    {', '.join(f'{hosts} {cause}' for cause, hosts in waiting.items())}\n" in text


def test_the_host_with_the_longest_wait_bounds_the_time(stopped: Path, tmp_path: Path) -> None:
    slow = f"UPDATE site SET delay = 100, next_at = {NOW + 7} WHERE host LIKE 'b.test%'"
    pace, text = paced(stopped, tmp_path, slow)
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db:
        (queued,) = db.execute(
            "SELECT count(*) FROM url JOIN site ON site.id = site WHERE state = 'queued' AND host LIKE 'b.test%'"
        ).fetchone()
    assert pace.seconds_left == 7 + 100 * (queued - 1) and pace.bound.startswith("b.test:")
    assert f"{queued} URLs, 100 s each)" in text


@pytest.mark.parametrize(
    ("seconds", "rate"),
    [
        (1000, 5 / 60),
        (10, 0.5),  # the mean since the crawl began, if it is higher: after a resume all hosts wait
    ],
)
def test_the_rate_bounds_the_time_where_no_delay_does(
    stopped: Path, tmp_path: Path, seconds: float, rate: float
) -> None:
    slowly = visits(*[(1000.0 + 10 * n, 200) for n in range(5)])
    took = f"UPDATE crawl SET value = {seconds} WHERE name = 'seconds'"
    pace, _ = paced(stopped, tmp_path, "DELETE FROM visit", "UPDATE site SET delay = 0", slowly, took)
    assert pace.seconds_left == pytest.approx(27 / rate, rel=0.01)
    assert pace.bound == f"at {rate:,.1f} requests a second"


def test_hosts_that_fail_and_the_disk(stopped: Path, tmp_path: Path) -> None:
    failing = "UPDATE site SET silent = 2, failures = 5, backoff_from = 'connection refused' WHERE id = 2"
    pace, text = paced(stopped, tmp_path, failing, "UPDATE site SET backoff_until = 10001, backoff_from = 'http 503'")
    assert pace.hosts_failing == 3 and pace.failing[0].failures == 5
    assert "Failed   " in text and "(http 503)" in text
    assert pace.disk_used == sum(each.stat().st_size for each in (tmp_path / "c").rglob("*") if each.is_file())
    assert pace.disk_left > 0
