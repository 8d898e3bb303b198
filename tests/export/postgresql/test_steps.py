"""The copy of a running crawl: small steps, and rests in proportion to them."""

import fcntl
import os
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from dataclasses import replace

import pytest

from tests.export.postgresql.copies import differences
from tests.support.crawls.crawl_db import generated
from tests.support.crawls.crawling import command
from tests.support.crawls.postgresql import cpu_seconds
from tests.support.faults.killing import kill, until
from ttcrawl.export.postgresql import pace
from ttcrawl.export.postgresql.crawl_load import WINDOW, CrawlLoad
from ttcrawl.export.postgresql.pace import Reading
from ttcrawl.export.postgresql.recent import Recent
from ttcrawl.export.postgresql.round import compare
from ttcrawl.export.postgresql.server import Server
from ttcrawl.export.postgresql.writer import copied
from ttcrawl.output.steps import silent
from ttcrawl.snapshot.status import render, status

COUNTS = (
    "SELECT (SELECT count(*) FROM ttcrawl.visit), (SELECT coalesce(max(id), 0) FROM ttcrawl.visit),"
    " (SELECT count(*) FROM ttcrawl.url), (SELECT coalesce(max(id), 0) FROM ttcrawl.url),"
    " (SELECT count(*) FROM ttcrawl.page)"
)


@pytest.fixture
def crawl(tmp_path):
    directory = generated(tmp_path / "c", urls=3000, links=4000, pages=400, hosts=9, texts=400)
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute("UPDATE page SET digest = CAST(digest AS BLOB)")
    return directory


@pytest.mark.slow
def test_a_step_is_small_and_none_is_left_out(server, crawl):
    """Requests and URLs arrive in their order, without a gap, a few at a time; after the last step all is there."""
    with copied(Server(server.url), crawl) as (connection, number):
        recent, before, more = Recent(crawl, connection, number), (0, 0, 0, 0, 0), True
        while more:
            more = recent.step(7).rest
            ((visits, last_visit, urls, last_url, pages),) = server.query(COUNTS)
            assert visits == last_visit <= before[0] + 7 and urls == last_url <= before[2] + 140
            assert pages <= before[4] + 7
            before = (visits, last_visit, urls, last_url, pages)
            assert status(crawl, 1).copied.behind == 400 - visits
        assert before[::2] == (400, 3000, 400)
        assert compare(crawl, connection, number, time.monotonic, silent).changed == 0
    assert differences(server, crawl) == []
    shown = render(status(crawl, 1), "text")
    assert "Copied   0 requests behind, after the step of 20" in shown


@pytest.mark.slow
def test_urls_that_get_no_row_do_not_stop_the_steps(server, crawl):
    """crawldb.page has no row for a URL out of scope: a long row of them is passed."""
    with closing(sqlite3.connect(crawl / "crawl.db")) as db, db:
        db.execute("UPDATE url SET state = 'refused', reason = 'scope: host' WHERE id BETWEEN 500 AND 2900")
    with copied(Server(server.url), crawl) as (connection, number):
        recent = Recent(crawl, connection, number)
        while recent.step(5).rest:
            pass
    assert server.query("SELECT count(*), max(number) FROM crawldb.page") == [(599, 3000)]


@pytest.mark.slow
def test_the_write_ahead_log_of_a_crawl_starts_again_after_each_step(server, crawl):
    """A reader that stayed would let it grow for as long as the crawl runs."""
    with (
        closing(sqlite3.connect(crawl / "crawl.db", isolation_level=None)) as writer,
        copied(Server(server.url), crawl) as (connection, number),
    ):
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("PRAGMA wal_autocheckpoint = 100")
        recent, sizes = Recent(crawl, connection, number), []
        for round in range(60):
            for _ in range(20):
                writer.execute("UPDATE url SET depth = depth + 1 WHERE id % 50 = ?", (round % 50,))
            recent.step(5)
            sizes.append((crawl / "crawl.db-wal").stat().st_size)
    assert max(sizes[30:]) <= max(sizes[:30])


STEPS = """
import sys
from pathlib import Path
from ttcrawl.export.postgresql.recent import Recent
from ttcrawl.export.postgresql.server import Server
from ttcrawl.export.postgresql.round import Sweep
from ttcrawl.export.postgresql.writer import copied

directory = Path(sys.argv[1])
with copied(Server(sys.argv[2]), directory) as (connection, crawl):
    recent, sweep = Recent(directory, connection, crawl), Sweep(directory, connection, crawl)
    print("begun", flush=True)
    while True:
        recent.step(3)
        sweep.step(3, idle=True)
"""


@pytest.mark.slow
def test_steps_that_are_killed(server, crawl):
    """Without rests, so that each kill hits a step; crawl.db changes meanwhile."""
    rng = random.Random(5)
    with closing(sqlite3.connect(crawl / "crawl.db")) as db:
        for kills in range(6):
            process = subprocess.Popen(
                [sys.executable, "-c", STEPS, str(crawl), server.url], stdout=subprocess.PIPE, text=True
            )
            assert process.stdout.readline() == "begun\n"
            time.sleep(rng.uniform(0.05, 0.5))
            with db:
                db.execute("UPDATE url SET depth = depth + 1 WHERE id % 7 = ?", (kills,))
                db.execute("UPDATE page SET title = title || '!' WHERE url % 5 = ?", (kills,))
            time.sleep(rng.uniform(0.05, 0.5))
            if kills % 2:
                server.kill()
                server.start()
            kill([process.pid])
            process.communicate()
            ((visits, last, urls, last_url, _),) = server.query(COUNTS)
            assert (visits, urls) == (last, last_url)
    assert visits > 0
    assert subprocess.run(command("mirror", crawl, server.url), capture_output=True).returncode == 0
    assert differences(server, crawl) == []


@contextmanager
def locked(directory, holder=""):
    """As if a process crawled into a directory."""
    with open(directory / "lock", "a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(str(holder))
        file.flush()
        yield


BURN = "while True: pass"

BEGIN = Reading(now=100.0, ran=10.0, waited=5.0, server=2.0)
RESTS = {
    "an idle processor: half of one": (Reading(now=101.0, ran=10.5, waited=5.0, server=2.5), 2, 1.0),
    "on one processor too": (Reading(now=101.0, ran=10.5, waited=5.0, server=2.5), 1, 1.0),
    "a slow disk is no work": (Reading(now=103.0, ran=10.5, waited=5.0, server=2.5), 2, 0.0),
    "busy: a hundredth of two": (Reading(now=102.0, ran=10.5, waited=6.0, server=2.5), 2, 48.0),
    "busy: a hundredth of 64": (Reading(now=102.0, ran=10.5, waited=6.0, server=2.5), 64, 0.0),
    "a short wait is none": (Reading(now=101.1, ran=10.5, waited=5.1, server=2.5), 2, 0.9),
    "a wait while the server works is none": (Reading(now=101.5, ran=10.5, waited=5.5, server=2.5), 2, 0.5),
    "nor is one that is a little longer": (Reading(now=101.6, ran=10.5, waited=5.6, server=2.5), 2, 0.4),
    "busy: a wait that is longer than the server works": (
        Reading(now=101.7, ran=10.5, waited=5.7, server=2.5),
        2,
        48.3,
    ),
    "waiting counts as rest": (Reading(now=200.0, ran=10.5, waited=104.0, server=2.5), 2, 0.0),
    "a server that is not seen: the wait for it": (Reading(now=103.0, ran=10.5, waited=6.0, server=None), 2, 97.0),
    "a system that does not tell": (Reading(now=101.0, ran=10.5, waited=None, server=None), 2, 49.0),
}


@pytest.mark.parametrize(("after", "cores", "seconds"), RESTS.values(), ids=RESTS.keys())
def test_rests(after, cores, seconds):
    before = replace(BEGIN, waited=None) if after.waited is None else BEGIN
    assert pace.rest(before, after, cores, light=False, least=0.0) == pytest.approx(seconds)


def test_beside_other_work_the_copy_of_a_light_crawl_takes_a_tenth_of_a_processor():
    after = Reading(now=102.0, ran=10.5, waited=6.0, server=2.5)
    assert pace.rest(BEGIN, after, 2, light=True, least=0.0) == pytest.approx(1 / 0.1 - 2)
    rests = [pace.rest(BEGIN, after, 64, light=light, least=0.0) for light in (True, False)]
    assert rests[0] == rests[1]


#: The least share -> seconds of rest on busy processors, after a second of work that took two, and on idle ones.
LEAST = {0.0: (48.0, 1.0), 0.01: (48.0, 1.0), 0.25: (2.0, 1.0), 0.5: (0.0, 1.0), 1.0: (0.0, 0.0)}


@pytest.mark.parametrize(("least", "seconds"), LEAST.items())
def test_a_share_that_the_copy_takes_at_least(least, seconds):
    busy, idle = (Reading(now=now, ran=10.5, waited=waited, server=2.5) for now, waited in ((102.0, 6.0), (101.0, 5.0)))
    rests = [pace.rest(BEGIN, each, 2, light=False, least=least) for each in (busy, idle)]
    assert rests == pytest.approx(list(seconds))


FAMILY = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]])
print("begun", flush=True)
sys.stdin.read()
child.kill()
"""


@pytest.mark.slow
@pytest.mark.parametrize(("work", "cores", "light"), [(BURN, 1, False), ("import time; time.sleep(99)", 1, True)])
def test_the_load_of_a_crawl_is_that_of_all_its_processes(tmp_path, work, cores, light):
    command = [sys.executable, "-c", FAMILY, work]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as family:
        family.stdout.readline()
        time.sleep(1)
        with locked(tmp_path, family.pid):
            load = CrawlLoad(tmp_path, cores)
            assert not load.is_light()
            time.sleep(WINDOW)
            assert load.is_light() == light
        family.stdin.close()


@pytest.mark.parametrize("holder", ["", "?", 1 << 30])
def test_a_crawl_whose_processes_are_not_seen_is_not_light(tmp_path, holder):
    ticks = iter(range(0, 100, 10))
    with locked(tmp_path, holder):
        load = CrawlLoad(tmp_path, 2, lambda: next(ticks))
        assert not load.is_light() and not load.is_light()


@pytest.mark.slow
def test_the_work_of_the_server_is_seen(server):
    """As this process counts it: the server is on the same machine."""
    with Server(server.url).connected() as connection:
        before = pace.read(connection.process)
        connection.execute("SELECT count(*) FROM generate_series(1, 3000000)")
        after = pace.read(connection.process)
    assert pace.work(before, after) == pytest.approx(after.ran - before.ran + after.server - before.server)
    assert after.server - before.server > 10 * (after.ran - before.ran)


SECONDS = 60


@pytest.mark.alone
@pytest.mark.slow
def test_the_copy_of_a_crawl_that_needs_all_processors_takes_a_small_share(server, tmp_path):
    """Of the process and PostgreSQL together, over a minute: the start of the process, and little else."""
    crawl = generated(tmp_path / "c", urls=30_000, links=40_000, pages=4000, hosts=9, texts=4000)
    with burning(), locked(crawl):
        before = server.cpu()
        follower = subprocess.Popen(command("mirror", crawl, server.url, "--follow"))
        time.sleep(SECONDS)
        share = (cpu_seconds(follower.pid) + server.cpu() - before) / (SECONDS * len(os.sched_getaffinity(0)))
        assert follower.poll() is None
    assert share < 0.03
    assert follower.wait(300) == 0
    assert differences(server, crawl) == []


@contextmanager
def sleeping():
    """The number of a process that waits."""
    process = subprocess.Popen(["sleep", "900"])
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


@contextmanager
def burning():
    """Other work on all processors."""
    processes = [subprocess.Popen([sys.executable, "-c", BURN]) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        kill(each.pid for each in processes)
        for each in processes:
            each.wait()


@pytest.mark.alone
@pytest.mark.slow
def test_beside_other_work_the_copy_of_a_crawl_that_waits_keeps_up(server, crawl):
    """400 requests within a minute, by a tenth of a processor."""
    with sleeping() as waiting, burning(), locked(crawl, waiting):
        follower = subprocess.Popen(command("mirror", crawl, server.url, "--follow"))
        until(lambda: server.query("SELECT to_regclass('ttcrawl.visit')") != [(None,)], 30)
        until(lambda: server.query(COUNTS)[0][::2] == (400, 3000, 400), SECONDS)
        begun, spent = time.monotonic(), cpu_seconds(follower.pid) + server.cpu()
        time.sleep(10)
        assert cpu_seconds(follower.pid) + server.cpu() - spent < 0.2 * (time.monotonic() - begun)
        assert follower.poll() is None
    assert follower.wait(60) == 0
    assert differences(server, crawl) == []


@pytest.mark.alone
@pytest.mark.slow
def test_on_an_idle_machine_the_copy_keeps_up(server, crawl):
    with locked(crawl):
        follower = subprocess.Popen(command("mirror", crawl, server.url, "--follow"))
        until(lambda: server.query("SELECT to_regclass('ttcrawl.visit')") != [(None,)], 60)
        until(lambda: server.query(COUNTS)[0][::2] == (400, 3000, 400), 60)
        assert follower.poll() is None
    assert follower.wait(60) == 0
