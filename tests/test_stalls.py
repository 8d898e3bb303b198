"""Processes that hang and commits that fail: named, survived, and nothing is lost."""

import os
import signal
import sqlite3
import time

import pytest

from tests.support.crawls.agreement import SAME
from tests.support.crawls.crawling import Crawled, crawl
from tests.support.crawls.mesh_crawls import HOSTS, running, truth
from tests.support.faults.killing import processes, until
from tests.support.web.bombs import SLOW_TO_PARSE
from tests.support.web.mesh import mesh
from tests.support.web.site import Answer, Web, page
from ttcrawl.config import read
from ttcrawl.engine.run.changes import Changes
from ttcrawl.engine.run.job import Job
from ttcrawl.engine.run.session import begin, resume
from ttcrawl.errors import CrawlFailedError
from ttcrawl.store.sqlite import Store


@pytest.mark.alone
@pytest.mark.slow
def test_processes_that_hang_are_named_and_replaced(tmp_path):
    """A stopped fetch process never returns; a stopped parse process leaves the data queue unread."""
    pages = mesh(HOSTS, 30, seed=11, crawl_delay=0.05)
    limits = ("fetch.total_timeout=1", "fetch.connect_timeout=1", "links.max_time=1", "fetch.retry_wait=0.05")
    with Web(pages) as web:
        options = ["--scope", "any", "--parsers", 1, *(part for limit in limits for part in ("--set", limit))]
        process = running(web, tmp_path / "c", *options)
        victims = {}
        for role, asked in (("parse", 10), ("fetch", 60)):
            until(lambda asked=asked: len(web.log()) > asked)
            (victims[role],) = processes(process.pid)[role]
            os.kill(victims[role], signal.SIGSTOP)
            until(lambda role=role: victims[role] not in processes(process.pid)[role])
        out, err = process.communicate(timeout=90)
        assert process.returncode == 0, err
        for role, victim in victims.items():
            named = [line for line in err.splitlines() if f"{role} process {victim} stuck after" in line]
            assert len(named) == 1 and "http://" in named[0] and "replaced" in named[0]
        assert Crawled(status=0, out=out, err=err, directory=tmp_path / "c").states() == truth(web, pages)


@pytest.mark.slow
def test_a_process_that_waits_for_a_processor_is_not_stuck(tmp_path):
    """What a busy machine lets wait is no fault of the page: processor time counts, not the time that passes."""
    pages = mesh(HOSTS, 30, seed=14, crawl_delay=0.05)
    with Web(pages) as web:
        process = running(web, tmp_path / "c", "--scope", "any", "--parsers", 1, "--set", "links.max_time=0.5")
        until(lambda: len(web.log()) > 10)
        stopped = processes(process.pid)["parse"]  # one, or on a busy machine an additional one, too
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(2)  # four times as long as a page may take
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
        out, err = process.communicate(timeout=90)
        assert process.returncode == 0 and "stuck" not in err, err
        assert Crawled(status=0, out=out, err=err, directory=tmp_path / "c").states() == truth(web, pages)


#: A module of hooks that takes longer to import than a page may take: a second of computing.
SLOW_TO_IMPORT = """
import time
while time.process_time() < 1.2:
    pass

def allow(page):
    return None
"""


@pytest.mark.slow
def test_the_start_of_a_process_is_no_time_of_its_first_page(tmp_path):
    """The process that follows a stuck one gets work before it is ready."""
    (tmp_path / "slow_to_import.py").write_text(SLOW_TO_IMPORT)
    paths = [f"/{n}" for n in range(40)]
    pages = {("a.test", path): Answer(body=page("/")) for path in paths}
    pages["a.test", "/"] = Answer(body=page("/slow", *paths))
    pages["a.test", "/slow"] = Answer(body=SLOW_TO_PARSE)
    options = ("links.max_time=0.5", "crawl.parsers=1", "hooks.page=slow_to_import:allow", f"hooks.path={tmp_path}")
    with Web(pages) as web:
        changes = [part for option in options for part in ("--set", option)]
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *changes)
        failed = [url for url, (state, _) in done.states().items() if state == "failed"]
        assert done.status == 0 and failed == [web.url("a.test", "/slow")], done.err


#: Each end tag searches all open elements: half a second of computing, with little memory. (A page that fills the
#: memory of its process takes 0.2 to 3 seconds, depending on the system.)
SEARCHED = b"<div>" * 14_000 + b"</p>" * 14_900


@pytest.mark.alone
@pytest.mark.slow
def test_slow_pages_have_their_share_of_the_parsers(tmp_path):
    """Both hosts have as many pages and the same delay, and one of them has pages that take half a second each."""
    pages = {("honest.test", "/"): Answer(body=page(*(f"/{n}" for n in range(20))))}
    pages |= {("slow.test", "/"): Answer(body=page(*(f"/{n}" for n in range(20))))}
    pages |= {("honest.test", f"/{n}"): Answer(body=page("/", title=str(n))) for n in range(20)}
    pages |= {("slow.test", f"/{n}"): Answer(body=SEARCHED + b"%d" % n) for n in range(20)}
    with Web(pages) as web:
        seeds = [web.url("slow.test", "/"), web.url("honest.test", "/")]
        done = crawl(web, seeds, tmp_path / "c", "--set", "politeness.delay=0.1", "--set", "crawl.parsers=1")
        hosts = [hit.host for hit in web.log()]
    assert done.states() == {url: ("fetched", "http 200") for url in (web.url(*place) for place in pages)}
    last = len(hosts) - 1 - hosts[::-1].index("honest.test")
    assert hosts[:last].count("slow.test") < 14, "a page of the one was asked for, for each one of the other"


@pytest.mark.slow
def test_an_error_at_any_commit_loses_nothing(tmp_path, monkeypatch):
    """An I/O error at each commit in turn: the crawl stops with one line, resume completes it, the tables are equal."""
    pages = mesh(HOSTS[:3], 20, seed=12)
    keys = [("politeness.obey_delay", "no"), ("scope.scope", "any"), ("store.commit_pages", "12")]
    commit, commits, fail_at = Store.commit, 0, 0

    def failing(self):
        nonlocal commits
        commits += 1
        if commits == fail_at:
            raise sqlite3.OperationalError("disk I/O error")
        commit(self)

    monkeypatch.setattr(Store, "commit", failing)
    with Web(pages) as web:
        config = read(None, [*keys, ("fetch.resolve", " ".join(web.resolve))])
        seed = web.url(HOSTS[0], "/")
        reference = crawl(web, seed, tmp_path / "reference", "--no-obey-delay", "--scope", "any")
        for fail_at in range(2, 9):  # the first makes the directory, and its failure removes it again
            commits, place = 0, tmp_path / str(fail_at)
            job = Job(seeds=(seed,), directory=place, config=config, progress="none", inline=True)
            with pytest.raises(CrawlFailedError, match="disk I/O error"):
                begin(job)
            commits = -1000
            assert resume(place, Changes(), "none", inline=True) == 0
            done = Crawled(status=0, out="", err="", directory=place)
            for name, query in SAME.items():
                assert done.query(query) == reference.query(query), (fail_at, name)


def test_a_failure_of_the_first_commit_leaves_nothing_behind(tmp_path, monkeypatch):
    def failing(self):
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(Store, "commit", failing)
    job = Job(seeds=("http://127.0.0.1:1/",), directory=tmp_path / "c", config=read(None), inline=True)
    with pytest.raises(CrawlFailedError, match="disk I/O error"):
        begin(job)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_useless_filter_loses_nothing(tmp_path):
    pages = mesh(HOSTS, 60, seed=13)
    with Web(pages) as web:
        useless = ("--set", "seen.capacity=1", "--set", "seen.error_rate=0.5")
        began = time.monotonic()
        done = crawl(web, web.url(HOSTS[0], "/"), tmp_path / "c", "--no-obey-delay", "--scope", "any", *useless)
        assert done.states() == truth(web, pages) and time.monotonic() - began < 60
    ((false,),) = done.query("SELECT CAST(value AS INTEGER) FROM crawl WHERE name = 'seen_false'")
    assert false > 10
