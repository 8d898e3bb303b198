"""The machine's clock was wrong in an earlier run: the next one neither waits for a day, nor asks anybody too soon."""

import contextlib
import re
import sqlite3
import subprocess
import time

import pytest

from tests.support.crawls.crawling import Crawled, verified
from tests.support.crawls.preforked import run
from tests.support.web.mesh import mesh
from tests.support.web.site import Answer, Web, page
from ttcrawl.config import read
from ttcrawl.engine.run import session
from ttcrawl.engine.run.job import Job
from ttcrawl.store.rows import NewUrl, NewVisit
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.state import QUEUED

DAY = 86400.0
HOSTS = ["a.test", "b.test", "c.test"]


def crawled(web, place, monkeypatch, ahead, *, pages):
    """A crawl that stopped after some pages and believed it to be so much later."""
    with monkeypatch.context() as wrong:
        now = time.time
        wrong.setattr(time, "time", lambda: now() + ahead)
        keys = (("scope.scope", "any"), ("politeness.delay", "0.1"), ("crawl.max_pages", str(pages)))
        config = read(None, [*keys, ("fetch.resolve", " ".join(web.resolve))])
        seed = web.url(HOSTS[0], "/")
        job = Job(seeds=(seed,), directory=place, config=config, progress="none", inline=True)
        assert session.begin(job) == 3


def gone_on(place):
    options = ("--max-pages", "0", "--max-time", "60", "--progress", "none")
    done = run("resume", place, *options)
    return Crawled(status=done.returncode, out=done.stdout, err=done.stderr, directory=place)


@pytest.mark.slow
def test_a_clock_that_was_a_day_ahead(tmp_path, monkeypatch):
    with Web(mesh(HOSTS, 12, seed=3)) as web:
        crawled(web, tmp_path / "c", monkeypatch, DAY, pages=8)
        done = gone_on(tmp_path / "c")
    assert done.status == 0, done.err
    said = [line for line in done.err.splitlines() if "ahead" in line]
    assert len(said) == 1 and re.search(r"the clock was 86,(39|40)\d s ahead in an earlier run", said[0])
    assert done.query("SELECT count(*) FROM url WHERE state = 'queued'") == [(0,)]
    assert verified(tmp_path / "c") == ""


@pytest.mark.slow
def test_what_a_server_asked_for_is_kept(tmp_path, monkeypatch):
    """Retry-After: 4 of the run whose clock was ahead; and robots.txt is not believed for a day longer."""
    busy = Answer(status=503, headers=(("Retry-After", "4"),))
    pages = {
        ("a.test", "/"): Answer(body=page("/1", "/2")),
        ("a.test", "/1"): busy,
        ("a.test", "/2"): Answer(body=page()),
    }
    with Web(pages) as web:
        crawled(web, tmp_path / "c", monkeypatch, DAY, pages=1)
        with contextlib.closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db:
            assert db.execute("SELECT next_at > ? FROM site", (time.time() + DAY / 2,)).fetchall() == [(1,)]
        with contextlib.suppress(subprocess.TimeoutExpired):
            run("resume", tmp_path / "c", "--max-pages", "0", "--max-time", "9", "--progress", "none")
        hits = [hit for hit in web.log() if hit.path in ("/1", "/2")]
    refusal = next(n for n, hit in enumerate(hits) if hit.path == "/1")
    assert len(hits) > refusal + 1 and hits[refusal + 1].arrived - hits[refusal].answered >= 4
    done = Crawled(status=0, out="", err="", directory=tmp_path / "c")
    assert done.query("SELECT robots_time < unixepoch() + 100 FROM site") == [(1,)]


ROWS = {  # what a host had, when its last exchange ended -> what it has then. The clock was 1000 ahead
    "asked by the last run": ((1005.0, 0.0), 990.0, (5.0, 0.0)),
    "backed off by the last run": ((1600.0, 1600.0), 1000.0, (600.0, 600.0)),
    "its delay is over": ((900.0, 0.0), 890.0, (-100.0, 0.0)),
    "a long delay of the last run": ((9000.0, 0.0), 1000.0, (8000.0, 0.0)),
    "looked up in vain": ((1030.0, 0.0), None, (30.0, 0.0)),
}


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "crawl.db", create=True)
    yield made
    made.abandon()


def host(store, name, next_at, until, ended, now):
    site = store.sites.add(name, name)
    store.sites.update(site, next_at=now + next_at, backoff_until=until and now + until)
    if ended is not None:
        times = {"started": now + ended - 1, "ended": now + ended, "delay": 0.0, "address_delay": 0.0}
        codes = {"status": 200, "reason": "", "address": "", "delay_from": "", "backoff": None, "backoff_from": ""}
        visit = NewVisit(site=site, url=f"http://{name}/", kind="page", bytes=0, requests=1, **times, **codes)
        store.answers.add_visit(visit)
        store.flush()
    return site


@pytest.mark.parametrize(("before", "ended", "after"), ROWS.values(), ids=ROWS)
def test_waits_are_counted_from_now(store, before, ended, after):
    now = 1e9
    store.moments.take_up(now - 5)
    site = host(store, "a.test", *before, ended, now)
    store.set(clock=now + 1000)
    assert store.moments.take_up(now) == 1000
    row = store.sites.row(site)
    assert (row.next_at - now, row.backoff_until and row.backoff_until - now) == after
    assert store.moments.take_up(now + 1) == 0
    assert store.sites.row(site) == row


def test_what_runs_with_a_right_clock_put_off_stays(store):
    """A Retry-After of a day, from the run before the one whose clock was ahead."""
    now = 1e9
    store.moments.take_up(now - 100)
    site = host(store, "a.test", DAY, DAY, -50.0, now)
    store.set(clock=now - 40)
    assert store.moments.take_up(now - 30) == 0
    host(store, "b.test", 1005.0, 0.0, 1000.0, now)
    store.set(clock=now + 1000)
    assert store.moments.take_up(now) == 1000
    row = store.sites.row(site)
    assert (row.next_at, row.backoff_until) == (now + DAY, now + DAY)
    assert store.sites.row(site + 1).next_at == now + 5


def test_urls_that_are_to_be_tried_again(store):
    now = 1e9
    site = host(store, "a.test", 1005.0, 0.0, 1000.0, now)
    store.set(clock=now + 1000)
    store.urls.add([NewUrl(1, 7, "http://a.test/", site, QUEUED, now + 900)])
    store.urls.put_off(1, 1, now + 1030)
    store.moments.take_up(now)
    assert store.urls.row(1).due == now + 30
