"""Crawls that only record new links, until `requeue --recorded` queues them: seen from the log and the tables."""

from __future__ import annotations

import shutil
import signal
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.crawls.crawling import Crawled, crawl, verified
from tests.support.crawls.preforked import run
from tests.support.faults.killed_at import killed_at
from tests.support.web.site import Answer, Web, at, moved, page, robots
from ttcrawl.maintain.requeue import requeue_recorded

RECORD = ("--set", "links.new=record")
FAST = ("--no-obey-delay", "--set", "fetch.retries=0", "--max-depth", "4", "--exclude", "*/excluded*")
CONTINUE = ("--progress", "none", "--no-obey-delay")
WAITING = ("refused", "until recycle")

WEB = {
    ("a.test", "/robots.txt"): robots("User-agent: *", "Disallow: /private"),
    ("a.test", "/"): moved(at("a.test", "/start")),
    ("a.test", "/start"): Answer(body=page("/1", "/old", "/private/x", "/excluded", at("b.test", "/"), "/start")),
    ("a.test", "/old"): moved(at("a.test", "/new")),
    ("a.test", "/new"): Answer(body=page("/3", "/missing", title="new")),
    **{("a.test", f"/{n}"): Answer(body=page(f"/{n + 1}", "/", title=str(n))) for n in range(1, 8)},
}


def requests(web: Web) -> Counter[str]:
    return Counter(hit.path for hit in web.log() if hit.path != "/robots.txt")


def recycled(directory: Path) -> int:
    done = run("requeue", directory, "--recorded", "--format", "json")
    assert done.returncode == 0, done.stderr
    return int(done.stdout.removeprefix('{"queued": ').removesuffix("}\n"))


def resumed(done: Crawled, *options: object) -> None:
    again = run("resume", done.directory, *CONTINUE, *options)
    assert again.returncode == 0, again.stderr
    assert verified(done.directory) == ""


def rows(done: Crawled) -> list[tuple]:
    return done.query("SELECT url, state, reason, depth, redirects FROM url ORDER BY url")


@pytest.mark.slow
def test_recycling_until_nothing_waits_is_the_crawl_that_follows_links(tmp_path: Path) -> None:
    with Web(WEB) as web:
        followed = crawl(web, web.url("a.test", "/"), tmp_path / "followed", *FAST)
        expected = requests(web)
        done = crawl(web, web.url("a.test", "/"), tmp_path / "recorded", *FAST, *RECORD)
        first = requests(web) - expected
        assert first == {"/": 1, "/start": 1}  # the seed, and where it redirects to
        states = done.states()
        assert [path for path in ("/1", "/old", "/private/x") if states[web.url("a.test", path)] == WAITING] == [
            "/1",
            "/old",
            "/private/x",
        ]
        assert states[web.url("a.test", "/excluded")] == ("refused", "scope: rule")
        assert states[web.url("b.test", "/")] == ("refused", "scope: host")
        resumed(done)
        assert requests(web) - expected == first  # a run alone requests nothing
        rounds = [recycled(done.directory)]
        while rounds[-1]:
            resumed(done)
            rounds.append(recycled(done.directory))
        assert rounds == [3, 3, 1, 1, 0]
        assert requests(web) - expected == expected  # each URL once
    assert rows(done) == rows(followed)


@pytest.mark.slow
def test_what_was_recorded_waits_also_after_the_key_is_set_back(tmp_path: Path) -> None:
    with Web(WEB) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, *RECORD)
        resumed(done, "--set", "links.new=follow")
        assert requests(web) == {"/": 1, "/start": 1}
        resumed(done, web.url("a.test", "/1"))  # unless it becomes a seed
        assert {"/1", "/2", "/3", "/4"} <= requests(web).keys()
        assert done.states()[web.url("a.test", "/old")] == WAITING


def test_a_kill_changes_nothing_and_the_next_one_queues_all(tmp_path: Path) -> None:
    with Web(WEB) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, *RECORD)
    for step in ("sql:6", "sql:12", "sql:18"):
        copy = replace(done, directory=shutil.copytree(done.directory, tmp_path / step.replace(":", "-")))
        killed = killed_at(step, copy.directory, "requeue", copy.directory, "--recorded")
        assert killed == -signal.SIGKILL
        assert rows(copy) == rows(done)
        assert requeue_recorded(copy.directory) == 3 and requeue_recorded(copy.directory) == 0
        assert verified(copy.directory) == ""


@pytest.mark.slow
def test_a_recrawl_records_the_new_links_of_pages_that_change(tmp_path: Path) -> None:
    with Web(WEB) as web:
        done = crawl(web, web.url("a.test", "/new"), tmp_path / "c", *FAST, *RECORD)
        web.change({("a.test", "/new"): Answer(body=page("/5", "/6", title="changed"))})
        visits = ("--once", "--set", "revisit.policy=fixed", "--set", "revisit.interval=1")
        for _ in range(2):
            assert run("requeue", done.directory, "--visits").returncode == 0
            again = run("recrawl", done.directory, *CONTINUE, *visits)
            assert again.returncode == 0, again.stderr
        assert {*requests(web)} == {"/new"}
        assert [done.states()[web.url("a.test", f"/{n}")] for n in (3, 5, 6)] == [WAITING] * 3
        assert recycled(done.directory) == 4  # /missing too
        assert verified(done.directory) == ""
