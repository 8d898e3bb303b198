"""Crawls of a web with faults, requeued once they are mended: seen from the server's log, the tables and verify."""

from __future__ import annotations

import json
import shlex
import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.crawls.crawling import Crawled, crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, page, robots
from ttcrawl.cli import main

FAST = ("--no-obey-delay", "--set", "fetch.retries=0", "--set", "fetch.read_timeout=0.5")
FAST += ("--set", "politeness.backoff=0.1", "--set", "traps.repeats=2")

#: The pages that the front page links to, with what becomes of them while the site has faults.
PATHS = {
    "/busy": ("fetched", "http 503"),
    "/busy?a=1": ("fetched", "http 503"),
    "/cut": ("failed", "truncated"),
    "/gone": ("fetched", "http 410"),
    "/private/x": ("refused", "robots.txt"),
    "/a/a/a/x": ("refused", "trap: repeated segments"),
    "/fine": ("fetched", "http 200"),
}


def web_of(*, faults: bool) -> dict[tuple[str, str], Answer]:
    """A site; with faults, most of its pages are errors."""
    pages = {("a.test", path): Answer(body=page("/", title=path)) for path in PATHS}
    pages["a.test", "/"] = Answer(body=page(*PATHS))
    if faults:
        busy = Answer(status=503, body=page(title="busy"))
        pages |= {("a.test", path): busy for path in ("/busy", "/busy?a=1")}
        pages["a.test", "/cut"] = Answer(body=page(), fate="stall", length=9999)
        pages["a.test", "/gone"] = Answer(status=410)
        pages["a.test", "/robots.txt"] = robots("User-agent: *", "Disallow: /private")
    return pages


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Crawled, int]:
    """A crawl of the site with faults, and its port."""
    with Web(web_of(faults=True)) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path_factory.mktemp("faults") / "c", *FAST)
        before = {path: done.states()[web.url("a.test", path)] for path in PATHS}
    assert before == PATHS
    return done, web.port


@pytest.fixture
def first(crawled: tuple[Crawled, int], tmp_path: Path) -> tuple[Crawled, int]:
    """A copy of this crawl."""
    done, port = crawled
    return replace(done, directory=shutil.copytree(done.directory, tmp_path / "c")), port


@pytest.mark.parametrize(
    ("options", "again"),
    [
        (("--state", "failed"), ["/cut"]),
        (("--state", "fetched"), ["/busy", "/busy?a=1", "/gone"]),
        (("--reason", "http 5*"), ["/busy", "/busy?a=1"]),
        (("--reason", "http 5*", "--url", "*a=1"), ["/busy?a=1"]),
        (("--reason", "http 200"), []),
        (("--rule", "[[]traps*"), []),
        (("--rule", "[traps*"), ["/a/a/a/x"]),
        (("--reason", "http 410", "--reason", "trunc*"), ["/cut", "/gone"]),
        (("--host", "b.test"), []),
        (("--host", "HTTP://A.TEST:{port}/", "--reason", "http 410"), ["/gone"]),
        (("--state", "refused", "--reason", "robots.txt"), ["/private/x"]),
    ],
    ids=lambda options: " ".join(options) if isinstance(options, tuple) else "",
)
def test_what_is_named_is_queued_again(first: tuple[Crawled, int], options: tuple[str, ...], again: list[str]) -> None:
    done, port = first
    told = run("requeue", done.directory, *(each.format(port=port) for each in options))
    assert told.returncode == 0, told.stderr
    assert ("1 URL is" if len(again) == 1 else f"{len(again)} URLs are") + " queued again" in told.stdout
    assert verified(done.directory) == ""
    assert [url for (url,) in done.query("SELECT url FROM url WHERE state = 'queued' ORDER BY url")] == [
        f"http://a.test:{port}{path}" for path in again
    ]


def test_for_a_page_that_was_fetched_another_command_is_advised(first: tuple[Crawled, int]) -> None:
    done, _ = first
    told = run("requeue", done.directory, "--url", "/").stdout.splitlines()
    advised = told[1].partition("; ")[2].partition(" lets")[0]
    assert told[0] == "0 URLs are queued again"
    assert "1 URL is due" in run(*shlex.split(advised)[1:]).stdout


def test_a_crawl_that_a_limit_ended_is_sound_without_pages_before_its_last(tmp_path: Path) -> None:
    """The last samples of its growth have the links of later pages."""
    pages = {("a.test", "/"): Answer(body=page("/gone", "/1", "/2")), ("a.test", "/gone"): Answer(status=410)}
    pages |= {("a.test", f"/{n}"): Answer(body=page(f"/{n}/1", f"/{n}/2", title=str(n))) for n in (1, 2)}
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, "--max-pages", "4")
    assert main(["requeue", str(done.directory), "--reason", "http 410"]) == 0
    assert verified(done.directory) == ""


#: What decides about URLs that are queued again -> a command, and the states of /gone and /cut behind it.
DECIDED = {
    "the server is down": (("resume", "DIR"), ("failed", "connection refused"), ("failed", "connection refused")),
    "a rule": (("resume", "DIR", "--exclude", "*/gone"), ("refused", "scope: rule"), ("failed", "connection refused")),
    "why --apply": (("why", "DIR", "--as-if", "exclude=*/gone", "--apply"), ("refused", "scope: rule"), ("queued", "")),
    "a deletion": (("delete", "DIR", "--path", "/gone", "--yes"), ("deleted", "deleted"), ("queued", "")),
    "a repair": (("verify", "DIR", "--repair"), ("queued", ""), ("queued", "")),
}


@pytest.mark.parametrize("name", DECIDED)
def test_what_is_decided_then_is_sound(first: tuple[Crawled, int], name: str) -> None:
    """The answers before it stay, whatever becomes of their URLs without another one."""
    done, port = first
    words, gone, cut = DECIDED[name]
    assert main(["requeue", str(done.directory), "--reason", "http 410", "--reason", "truncated"]) == 0
    options = ("--progress", "none", "--inline", "--no-obey-delay") if words[0] == "resume" else ()
    main([each.replace("DIR", str(done.directory)) for each in (*words, *options)])
    assert [done.states()[f"http://a.test:{port}{path}"] for path in ("/gone", "/cut")] == [gone, cut]
    assert verified(done.directory) == ""


#: How the rows of URLs with an earlier answer alone are damaged -> what is found.
LATER = "page: not later than an earlier answer, or missing"
WITHOUT_DECISION = {
    "fetched": ("state = 'fetched', reason = 'http 410'", "page: missing for an answered URL"),
    "moved": ("state = 'moved', reason = 'http 301'", "page: missing for an answered URL"),
    "failed before it": ("state = 'failed', reason = 'dns', processed = 1", LATER),
    "refused before it": ("state = 'refused', reason = 'scope: rule', processed = 1", LATER),
    "refused, no time": ("state = 'refused', reason = 'scope: rule', processed = NULL", LATER),
    "refused by a response": ("state = 'refused', reason = 'type'", LATER),
    "refused by its size": ("state = 'refused', reason = 'too large'", LATER),
    "refused by a hook": ("state = 'refused', reason = 'hook page: x'", LATER),
    "failed with a response": ("state = 'failed', reason = 'hook page failed: x'", LATER),
    "deleted": ("state = 'deleted', reason = 'deleted'", "url: deleted, with an answer"),
}


@pytest.mark.parametrize("name", WITHOUT_DECISION)
def test_an_answer_without_a_later_decision_is_found(first: tuple[Crawled, int], name: str) -> None:
    done, _ = first
    change, kind = WITHOUT_DECISION[name]
    assert main(["requeue", str(done.directory), "--reason", "http 410"]) == 0
    with closing(sqlite3.connect(done.directory / "crawl.db")) as db, db:
        later = f"UPDATE url SET processed = {time.time()}, {change} WHERE state = 'queued'"
        assert db.execute(later).rowcount == 1
    assert f"{kind}: 1 " in verified(done.directory)


def test_an_answer_of_no_url_and_one_that_is_not_earlier_are_found(first: tuple[Crawled, int]) -> None:
    done, _ = first
    with closing(sqlite3.connect(done.directory / "crawl.db")) as db, db:
        db.execute("INSERT INTO earlier_page SELECT * FROM page WHERE url IN (SELECT url FROM page LIMIT 2)")
        db.execute("UPDATE earlier_page SET url = 999 WHERE url = (SELECT max(url) FROM earlier_page)")
    assert f"{LATER}: 2 (http" in verified(done.directory) and "no URL 999" in verified(done.directory)


@pytest.mark.slow
def test_only_what_is_queued_again_is_requested(first: tuple[Crawled, int]) -> None:
    done, port = first
    again = sorted({*PATHS} - {"/fine"})
    time.sleep(1)  # then its robots.txt is old
    assert run("requeue", done.directory, "--host", f"a.test:{port}").returncode == 0
    with Web(web_of(faults=False), port=port) as web:
        resumed = run("resume", done.directory, "--progress", "none", "--set", "politeness.robots_max_age=1")
        asked = sorted(hit.path for hit in web.log() if hit.path != "/robots.txt")
    assert resumed.returncode == 0, resumed.stderr
    assert asked == again
    after = {path: done.states()[f"http://a.test:{port}{path}"] for path in PATHS}
    assert after == dict.fromkeys(PATHS, ("fetched", "http 200"))
    assert verified(done.directory) == ""
    assert sorted(done.query("SELECT url.url, status FROM earlier_page JOIN url ON url.id = earlier_page.url")) == [
        (f"http://a.test:{port}{path}", status)
        for path, status in (("/busy", 503), ("/busy?a=1", 503), ("/cut", 200), ("/gone", 410))
    ]


@pytest.mark.slow
def test_the_rules_of_the_day_decide_again(first: tuple[Crawled, int]) -> None:
    done, port = first
    assert run("requeue", done.directory, "--reason", "robots.txt").returncode == 0
    with Web(web_of(faults=True), port=port) as web:
        assert run("resume", done.directory, "--progress", "none").returncode == 0
        assert [hit.path for hit in web.log() if hit.path != "/robots.txt"] == []
    assert {path: done.states()[f"http://a.test:{port}{path}"] for path in PATHS} == PATHS
    assert verified(done.directory) == ""


def test_numbers_and_errors(first: tuple[Crawled, int], tmp_path: Path) -> None:
    done, _ = first
    nothing = run("requeue", done.directory)
    assert nothing.returncode == 2 and nothing.stderr.startswith("ttcrawl: name the URLs to queue again: --state,")
    elsewhere = run("requeue", tmp_path, "--state", "failed")
    assert elsewhere.returncode == 2 and "contains no crawl" in elsewhere.stderr
    told = json.loads(run("requeue", done.directory, "--state", "fetched", "--format", "json").stdout)
    assert told == {
        "queued": [
            {"state": "fetched", "reason": "http 410", "urls": 1},
            {"state": "fetched", "reason": "http 503", "urls": 2},
        ],
        "unreachable": 0,
    }
    status = json.loads(run("status", done.directory, "--format", "json").stdout)
    assert (status["state"], status["queued"], status["pages"]) == ("interrupted", 3, 2)
