"""What `ttcrawl status` says of a crawl that runs, was killed, was stopped, or is done."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as replace_fields

from tests.library.sample_crawl import make
from tests.support.crawls.crawl_db import crawl_of
from tests.support.crawls.crawling import crawl, options_for
from tests.support.crawls.preforked import run
from tests.support.faults.killing import processes, start
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from ttcrawl.engine.reporting import mirror_position
from ttcrawl.engine.reporting.mirror_position import Position
from ttcrawl.snapshot.errors import NotACrawl
from ttcrawl.snapshot.status import render, status
from ttcrawl.store.database import LOG_BYTES, connect
from ttcrawl.store.lock import Lock

HOSTS = ("a.test", "b.test")


def asked(directory, *options):
    done = run("status", directory, *options)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def change(directory, query):
    with closing(sqlite3.connect(directory / "crawl.db", isolation_level=None)) as db:
        db.execute(query)


@pytest.mark.slow
def test_a_live_crawl_and_the_same_killed(tmp_path):
    directory = tmp_path / "c"
    with Web(mesh(HOSTS, 40, seed=3, crawl_delay=0.5)) as web:
        seeds = [web.url(host, "/") for host in HOSTS]
        process = start(tmp_path, "crawl", *seeds, "-d", directory, *options_for(web))
        end = time.monotonic() + 30
        while not (directory / "crawl.db").exists() or json.loads(asked(directory, "--format", "json"))["pages"] < 2:
            assert time.monotonic() < end
            time.sleep(0.1)
        live = json.loads(asked(directory, "--format", "json"))
        text = asked(directory, "--hosts", "1")
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=20)
        killed = json.loads(asked(directory, "--format", "json"))
    assert (live["state"], live["process"]) == ("running", str(process.pid)) and live["seconds"] > 0
    assert {each["host"].partition(":")[0] for each in live["hosts"]} == set(HOSTS)
    whys = {"delay of 0.5 s from robots.txt", "locked: a request is under way"}
    assert all(each["why"] in whys and each["waits"] <= 0.5 for each in live["hosts"])
    assert sum(each["queued"] for each in live["hosts"]) == live["queued"] > 0 and live["hosts_queued"] == 2
    assert (
        f"running, process {process.pid}" in text and text.count(" from robots.txt") + text.count("is under way") == 1
    ), text
    assert (killed["state"], killed["process"]) == ("killed", "") and killed["pages"] >= live["pages"]


@pytest.mark.slow
def test_what_is_held_and_by_whom(tmp_path):
    """One page of two never comes: status says which, who waits for it and since when, live and after a kill."""
    site = mesh(HOSTS[:1], 3, seed=3)
    slow = min(path for _, path in site if path.startswith("/p/"))
    site[HOSTS[0], slow] = replace(site[HOSTS[0], slow], delay=60.0)
    with Web(site) as web:
        process = start(
            tmp_path, "crawl", web.url(HOSTS[0], "/"), "-d", tmp_path / "c", *options_for(web), "--no-obey-delay"
        )
        try:
            end = time.monotonic() + 30
            while True:
                assert time.monotonic() < end
                time.sleep(0.3)
                said = status(tmp_path / "c", 20) if (tmp_path / "c" / "crawl.db").exists() else None
                after = time.time()
                if said and said.in_flight and said.in_flight[0].seconds > 1:
                    break
            (held,) = said.in_flight
            fetchers = processes(process.pid)["fetch"]
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate(timeout=20)
    assert held.url == web.url(HOSTS[0], slow) and held.process in {f"fetch process {pid}" for pid in fetchers}
    assert said.hosts[0].why == "locked: a request is under way" and abs(held.since + held.seconds - after) < 5
    assert f"In flight: 1, longest first\n         {held.seconds:,.1f} s  fetch" in render(said, "text")
    killed = status(tmp_path / "c", 20)
    assert killed.state == "killed" and killed.in_flight[0].url == held.url
    assert "In flight when it was killed: 1, longest first" in render(killed, "text")


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    directory = tmp_path_factory.mktemp("status") / "c"
    site = {key: replace(answer, delay=0.0) for key, answer in mesh(HOSTS, 30, seed=4).items()}
    with Web(site) as web:
        options = ("--scope", "any", "--set", "politeness.delay=0.01", "--max-pages", "8")
        crawl(web, [web.url(host, "/") for host in HOSTS], directory, *options)
    return directory


@pytest.mark.slow
def test_a_stopped_crawl(stopped):
    said = status(stopped, 20)
    assert (said.state, said.process, said.pages) == ("max_pages", "", 8)
    assert [each.queued for each in said.hosts] == sorted((each.queued for each in said.hosts), reverse=True)
    assert {each.why for each in said.hosts} == {"default delay of 0.01 s"} and not any(h.waits for h in said.hosts)
    text = render(said, "text")
    assert "State    max_pages" in text and " on resume " in text and " now" not in text
    assert status(stopped, 1).queued == said.queued and len(status(stopped, 0).hosts) == 0


@pytest.mark.parametrize(
    ("query", "why", "waits"),
    [
        ("UPDATE site SET next_at = 1060", "default delay of 0.01 s", 60),
        ("UPDATE site SET next_at = 0, robots_time = NULL, robots = NULL", "robots.txt not read yet", 0),
        ("UPDATE site SET robots = NULL, robots_reason = 'http 503'", "robots.txt unreadable: http 503", 0),
        ("UPDATE site SET robots = ''", "default delay of 0.01 s", 0),
        ("UPDATE url SET due = 1007 WHERE state = 'queued'", "retry due", 7),
        ("UPDATE site SET next_at = 1002, delay = 9, delay_from = 'robots.txt'", "delay of 9 s from robots.txt", 2),
        ("UPDATE site SET delay = 0, delay_from = 'not obeyed'", "delays are not obeyed", 0),
    ],
)
def test_why_a_host_waits(stopped, tmp_path, query, why, waits):
    shutil.copytree(stopped, tmp_path / "c")
    change(tmp_path / "c", "UPDATE site SET next_at = 0")
    change(tmp_path / "c", query)
    for host in status(tmp_path / "c", 20, now=1000.0).hosts:
        assert (host.why, host.waits) == (why, waits)


def test_a_log_above_its_bound_and_who_reads(stopped, tmp_path):
    directory = Path(shutil.copytree(stopped, tmp_path / "c"))
    log = directory / "crawl.db-wal"
    with closing(Lock(directory)), closing(connect(directory / "crawl.db")) as writer:
        writer.execute("INSERT OR REPLACE INTO crawl VALUES ('trouble', '')")
        assert status(directory, 5).log is None
        with closing(sqlite3.connect(directory / "crawl.db", isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM crawl").fetchall()
            os.truncate(log, LOG_BYTES + 10**6)  # SQLite does not look behind the last commit
            line = asked(directory)
        assert "Log      crawl.db-wal has 206 MB, more than 205; it is cut when the crawl commits" in line
        code = "import sqlite3, sys; d = sqlite3.connect(sys.argv[1], isolation_level=None); d.execute('BEGIN');"
        code += "d.execute('SELECT * FROM crawl').fetchall(); print(flush=True); sys.stdin.read()"
        command = [sys.executable, "-c", code, directory / "crawl.db"]
        other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        other.stdout.readline()
        line = asked(directory)
        other.communicate()
        assert f"more than 205; it is cut when no process reads the crawl as it was: {other.pid}\n" in line
        assert json.loads(asked(directory, "--format", "json"))["log"]["bytes"] == LOG_BYTES + 10**6
    assert asked(directory).count("Log ") == 0, "it is put into crawl.db when nobody crawls"
    assert not log.exists() or not log.stat().st_size


POSITION = Position(request=2, time=1e9, complete=False)
COPIES = {
    "not to be copied": ("", None, None),
    "from the start": ("postgresql:///x", None, "3 requests behind, nothing is copied yet (PostgreSQL)"),
    "by ttcrawl mirror": ("", POSITION, "1 request behind, after the step of 2001-09-09 01:46:40 UTC (PostgreSQL)"),
    "a server that is away": (
        "postgresql:///x",
        replace_fields(POSITION, trouble="refused: start it"),
        "1 request behind, after the step of 2001-09-09 01:46:40 UTC (PostgreSQL); refused: start it",
    ),
    "complete": ("", replace_fields(POSITION, request=3, complete=True), "complete (PostgreSQL)"),
}


@pytest.mark.parametrize(("url", "position", "line"), COPIES.values(), ids=COPIES.keys())
def test_how_far_a_copy_is(tmp_path, url, position, line):
    crawl = make(tmp_path / "c")
    change(crawl, "DELETE FROM visit WHERE id > 3")
    (crawl / "config.ini").write_text(f"[postgresql]\nurl = {url}\n")
    if position:
        mirror_position.write(crawl, position)
    copied = [each for each in render(status(crawl, 0), "text").splitlines() if each.startswith("Copied")]
    assert copied == [f"Copied   {line}"] * bool(line)


@pytest.mark.parametrize("seconds", ["1e300", "inf", "nan"])
def test_a_number_that_no_crawl_has_is_printed(tmp_path, seconds):
    crawl = make(tmp_path / "c")
    change(crawl, f"INSERT OR REPLACE INTO crawl VALUES ('seconds', '{seconds}')")
    assert f"Time     {float(seconds):g} s of crawling" in render(status(crawl, 0), "text")


def test_what_is_no_crawl(tmp_path):
    with pytest.raises(NotACrawl, match="contains no crawl"):
        status(tmp_path, 20)


@pytest.mark.parametrize("config", [None, "[nonsense]\n"], ids=["missing", "invalid"])
def test_a_config_that_cannot_be_read_hides_nothing_else(tmp_path, config):
    directory = crawl_of(tmp_path / "c", {"http://a.test/": []})
    if config is not None:
        (directory / "config.ini").write_text(config)
    assert status(directory, 1).state == "killed"
