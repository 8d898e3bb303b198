"""Continuous crawls by processes, judged by the log of the server: each URL again and again, never too soon."""

import os
import signal
import time
from collections import defaultdict
from itertools import pairwise

import pytest

from tests.recrawl.recrawled import ADDRESS, served
from tests.recrawl.servers import Server
from tests.support.crawls.crawling import crawl, options_for, query, verified
from tests.support.crawls.other_readers import foreign_check
from tests.support.faults.killing import kill_all, processes, start, until
from tests.support.web.site import Answer, Web, page

INTERVAL, PAGES = 2.0, 6

#: Seconds from a kill until all processes have ended, and a busy server has read their last requests.
LAG = 1.0

SITE = {
    ("a.test", "/"): Answer(body=page("/changes", *(f"/{n}" for n in range(PAGES)))),
    **{("a.test", f"/{n}"): Answer(body=page(title=str(n)), headers=(("ETag", f'"{n}"'),)) for n in range(PAGES)},
    ("a.test", "/changes"): [Answer(body=page("/new" if n >= 2 else "/0", title=f"version {n}")) for n in range(30)],
    ("a.test", "/new"): Answer(body=page(title="new")),
}


#: What a kill undoes at most: requests in flight or on their way to a parse process, and outcomes not committed.
IN_FLIGHT, QUEUED, COMMITTED = 2, 1, 1
FEW = (
    "crawl.fetchers=1",
    f"crawl.threads={IN_FLIGHT}",
    f"crawl.data_queue={QUEUED}",
    f"store.commit_pages={COMMITTED}",
)
UNDONE = IN_FLIGHT + QUEUED + COMMITTED


def continued(directory, words, how, condition):
    """Run a crawl until the condition holds, then send it a signal: to all its processes if it is SIGKILL. Returns what
    it said."""
    process = start(directory, *words)
    try:
        until(condition)
        if how == signal.SIGINT:
            process.send_signal(how)
            return process.communicate(timeout=60)[1]
    finally:
        kill_all(process.pid)
    return process.communicate(timeout=60)[1]


def visits(web):
    """URL -> when the requests for it arrived, and whether each was conditional."""
    found = defaultdict(list)
    for hit in web.log():
        found[hit.path].append((hit.arrived, "if-none-match" in hit.head))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kills", [1, 5])
@pytest.mark.parametrize("options", [(), pytest.param(("--set", "fetch.transport=urllib3"), marks=pytest.mark.slow)])
def test_killed_and_continued(tmp_path, kills, options):
    """No visit comes too soon, but for those that a kill has undone; none is forgotten."""
    with Web(SITE, address="127.0.0.93") as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *options)
        assert done.status == 0, done.err
        again = ("recrawl", tmp_path / "c", *options_for(web), "--no-obey-delay", *options)
        keys = ("revisit.policy=fixed", f"revisit.interval={INTERVAL}", *FEW)
        again += tuple(word for key in keys for word in ("--set", key))
        killed = []
        for each in range(kills):
            continued(tmp_path, again, signal.SIGKILL, lambda most=each: len(visits(web)["/5"]) > most + 2)
            killed.append(time.time())
        said = continued(
            tmp_path, again, signal.SIGINT, lambda: len(visits(web)["/5"]) > kills + 3 and len(visits(web)["/new"]) > 1
        )
        assert "ttcrawl recrawl" in said and "Traceback" not in said, said
        seen = visits(web)
    undone = 0
    for path in ("/", "/changes", *(f"/{n}" for n in range(PAGES))):
        moments = [arrived for arrived, _ in seen[path]]
        early = [(one, other) for one, other in pairwise(moments) if other - one < INTERVAL]
        assert all(any(one <= kill + LAG and kill <= other for kill in killed) for one, other in early), (path, moments)
        undone += len(early)
        assert len(moments) >= len(seen["/5"]) - kills - 1, (path, moments)  # a kill may come before the next round
    assert undone <= kills * UNDONE
    assert all(conditional for _, conditional in seen["/0"][1:3]) and not any(each for _, each in seen["/changes"])
    assert verified(tmp_path / "c") == ""
    foreign_check(tmp_path / "c" / "warc")
    titles = query(tmp_path / "c", "SELECT DISTINCT title FROM answer WHERE title LIKE 'version%' ORDER BY time")
    assert len(titles) >= len(seen["/changes"]) - kills
    counted = "SELECT count(*) FROM visit JOIN url ON url.url = visit.url WHERE kind = 'page' AND visit.url LIKE '%/0'"
    assert len(seen["/0"]) - kills <= query(tmp_path / "c", counted)[0][0] <= len(seen["/0"])


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["curl", "urllib3"])
def test_a_head_that_is_answered_with_304_needs_no_get(tmp_path, transport):
    server = Server()
    with served({"a.test": server}, time.time) as port:
        options = ("--no-obey-delay", "--set", "fetch.head_first=yes", "--set", f"fetch.transport={transport}")
        options += ("--resolve", f"a.test:{port}:{ADDRESS}", "--progress", "none")
        begun = start(tmp_path, "crawl", f"http://a.test:{port}/", "-d", tmp_path / "c", *options)
        assert begun.wait(60) == 0
        again = ("--once", "--set", "revisit.policy=fixed", "--set", "revisit.interval=1")
        for _ in range(2):
            time.sleep(1.1)
            assert start(tmp_path, "recrawl", tmp_path / "c", *options, *again).wait(60) == 0
    rows = query(tmp_path / "c", "SELECT status, requests FROM visit WHERE kind = 'page' ORDER BY id")
    assert rows == [(200, 2), (304, 1), (304, 1)]
    assert [bool(headers) for headers in server.sent] == [False, False, True, True]
    assert verified(tmp_path / "c") == ""


@pytest.mark.slow
def test_once(tmp_path):
    with Web(SITE, address="127.0.0.94") as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
        more = ("--no-obey-delay", *options_for(web), "--once")
        assert "revisit.policy" in start(tmp_path, "recrawl", tmp_path / "c", *more).communicate(timeout=60)[1]
        more += ("--set", "revisit.policy=fixed", "--set", "revisit.interval=1")
        last = max(arrived for moments in visits(web).values() for arrived, _ in moments)
        until(lambda: time.time() > last + 1.5)  # the answers are due a second after they came
        process = start(tmp_path, "recrawl", tmp_path / "c", *more)
        said = process.communicate(timeout=60)
        seen = visits(web)
    assert done.status == process.returncode == 0, said
    assert {path: len(moments) for path, moments in seen.items() if path[1:].isdigit()} == dict.fromkeys(
        (f"/{n}" for n in range(PAGES)), 2
    )


@pytest.mark.slow
def test_a_machine_that_was_suspended(tmp_path):
    """What was due meanwhile is visited once, late, with the same delays."""
    delay, interval = 0.15, 4.0
    keys = ("revisit.policy=fixed", f"revisit.interval={interval}", f"politeness.delay={delay}")
    keys += ("politeness.address_delay=0", "politeness.obey_delay=yes")
    with Web(SITE, address="127.0.0.95") as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
        assert done.status == 0, done.err
        words = [word for key in keys for word in ("--set", key)]
        process = start(tmp_path, "recrawl", tmp_path / "c", *options_for(web), *words)
        try:
            until(lambda: len(visits(web)["/5"]) > 2)
            pids = [pid for role in processes(process.pid).values() for pid in role]
            for pid in pids:
                os.kill(pid, signal.SIGSTOP)
            stopped = time.time()
            time.sleep(2.5 * interval)
            woken = time.time()
            for pid in pids:
                os.kill(pid, signal.SIGCONT)
            until(lambda: sum(arrived > woken for arrived, _ in visits(web)["/5"]) >= 2)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=60)[1]
        finally:
            kill_all(process.pid)
        assert "Traceback" not in said and "ttcrawl recrawl" in said, said
        hits = [each for each in web.log() if each.arrived > woken]
        seen = visits(web)
    assert not any(stopped + LAG < arrived < woken for each in seen.values() for arrived, _ in each)
    late = {path: [at for at, _ in each if woken < at < woken + interval] for path, each in seen.items()}
    assert max(map(len, late.values())) == 1
    assert sum(map(len, late.values())) >= PAGES + 1  # of 9 pages, but for one that was in flight
    gaps = [after.arrived - before.arrived for before, after in pairwise(sorted(hits, key=lambda each: each.arrived))]
    assert min(gaps) >= delay
    assert verified(tmp_path / "c") == ""
