"""A crawl that continues with more seeds and other rules, seen from the server's log, the tables and verify."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.crawls.crawling import Crawled, crawl, options_for, query, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, at, moved, page

WEB = {
    ("a.test", "/"): Answer(body=page("/docs/1", "/images/1", at("b.test", "/"), at("b.test", "/deep"))),
    ("a.test", "/docs/1"): Answer(body=page("/docs/2")),
    ("a.test", "/docs/2"): Answer(body=page()),
    ("a.test", "/images/1"): Answer(body=page("/images/2")),
    ("a.test", "/images/2"): Answer(body=page()),
    ("b.test", "/"): Answer(body=page("/more")),
    ("b.test", "/more"): Answer(body=page()),
    ("b.test", "/deep"): Answer(body=page()),
}


def requested(web: Web) -> list[str]:
    return sorted(hit.host.partition(":")[0] + hit.path for hit in web.log() if hit.path != "/robots.txt")


def resumed(web: Web, done: Crawled, *options: object) -> list[str]:
    """The requests of a run that continues the crawl."""
    before = requested(web)
    again = run("resume", done.directory, "--progress", "none", "--no-obey-delay", *options)
    assert again.returncode == 0, again.stderr
    assert verified(done.directory) == ""
    after = requested(web)
    for each in before:
        after.remove(each)
    return after


@pytest.mark.slow
def test_a_seed_that_was_out_of_scope_is_requested(tmp_path: Path) -> None:
    with Web(WEB) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
        b = web.url("b.test", "/")
        assert done.states()[b] == ("refused", "scope: host")
        assert resumed(web, done, b) == ["b.test/", "b.test/more"]
        assert done.query(f"SELECT depth FROM url WHERE url = '{b}'") == [(0,)]
        assert resumed(web, done) == []  # it stays a seed
        assert run("requeue", done.directory, "--reason", "scope: host").returncode == 0
        assert resumed(web, done) == ["b.test/deep"]


def test_a_file_of_seeds_and_a_new_address(tmp_path: Path) -> None:
    with Web({**WEB, ("c.test", "/"): Answer(body=page("/x")), ("c.test", "/x"): Answer(body=page())}) as web:
        one = [entry for entry in web.resolve if not entry.startswith("c.test")]
        begin = [part for entry in one for part in ("--resolve", entry)]
        begin += ["--progress", "none", "--no-obey-delay"]
        done = run("crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *begin)
        assert done.returncode == 0, done.stderr
        (tmp_path / "more.txt").write_text(f"{web.url('c.test', '/')}\nno seed\n")
        crawled = Crawled(status=0, out="", err="", directory=tmp_path / "c")
        (address,) = set(web.resolve) - set(one)
        more = resumed(web, crawled, "--seeds", tmp_path / "more.txt", "--resolve", address)
        assert more == ["c.test/", "c.test/x"]


@pytest.mark.slow
def test_rules_are_added(tmp_path: Path) -> None:
    with Web(WEB) as web:
        begin = ("--no-obey-delay", "--exclude", "*/images/*", "--max-pages", 1)
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *begin)
        assert resumed(web, done, "--exclude", "*/docs/2", "--set", "crawl.max_pages=0") == ["a.test/docs/1"]
        reasons = {url.rpartition("test")[2].partition("/")[2]: why for url, why in done.states().items()}
        assert reasons["images/1"] == reasons["docs/2"] == ("refused", "scope: rule")
        assert run("requeue", done.directory, "--reason", "scope: rule").returncode == 0
        assert resumed(web, done) == []  # the rules still hold
        assert run("requeue", done.directory, "--reason", "scope: rule").returncode == 0
        assert resumed(web, done, "--allow", "*/docs/*") == ["a.test/docs/2"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (("no seed",), 2, "is not an http or https URL"),
        (("http://nowhere.invalid/",), 1, "the host nowhere.invalid does not resolve"),
        (("http://c.test/x.pdf", "--exclude", "*.pdf"), 2, "the seed http://c.test/x.pdf is out of scope"),
        (("--set", "url.sort_query=yes"), 2, "it cannot change during a crawl"),
    ],
)
def test_what_cannot_be_added_changes_nothing(tmp_path: Path, options: tuple[str, ...], status: int, said: str) -> None:
    with Web(WEB) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
        before = query(done.directory, "SELECT * FROM crawl"), (done.directory / "config.ini").read_text()
        again = run("resume", done.directory, "--progress", "none", *options_for(web), *options)
    assert again.returncode == status and said in again.stderr and len(again.stderr.splitlines()) == 1
    assert (query(done.directory, "SELECT * FROM crawl"), (done.directory / "config.ini").read_text()) == before


@pytest.mark.parametrize(
    "first", [Answer(status=404), Answer(status=401), moved("ftp://a.test/")], ids=lambda answer: answer.status
)
def test_a_crawl_without_a_page_says_how_to_try_again(tmp_path: Path, first: Answer) -> None:
    with Web({("a.test", "/"): [first, Answer(body=page("/more"))], ("a.test", "/more"): Answer(body=page())}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
        assert done.status == 1 and requested(web) == ["a.test/"]
        commands = [
            each.split() for each in re.findall(r"ttcrawl ((?:requeue|resume) \S+(?: --reason '\*')?) ", done.err)
        ]
        assert [each[0] for each in commands] == ["requeue", "resume", "resume"], done.err
        assert run(*(word.strip("'") for word in commands[0])).returncode == 0
        assert run(*commands[1], "--progress", "none").returncode == 0
        assert requested(web) == ["a.test/", "a.test/", "a.test/more"]


NOTHING = "ttcrawl: nothing is queued, so nothing is requested: ttcrawl recrawl c visits pages again; ttcrawl requeue c"


def told(directory: Path, *options: str) -> list[str]:
    done = run("resume", "c", "--progress", "none", *options, cwd=directory)
    assert done.returncode in (0, 3), done.stderr
    return [line for line in done.stderr.splitlines() if line.startswith(NOTHING)]


@pytest.mark.slow
def test_a_crawl_that_has_ended_says_that_nothing_is_queued(tmp_path: Path) -> None:
    """Only where that is so: not with a limit, a seed that was added, or URLs that were put back."""
    with Web(WEB) as web:
        assert crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--max-pages", 1).status == 3
        assert told(tmp_path, "--max-pages", "1") == []
        assert told(tmp_path, "--max-pages", "0") == []
        before = requested(web)
        assert len(told(tmp_path)) == 1 and requested(web) == before
        assert len(told(tmp_path, "--exclude", "*/docs/*")) == 1
        assert told(tmp_path, web.url("b.test", "/")) == []
        assert run("requeue", "c", "--reason", "scope: host", cwd=tmp_path).returncode == 0
        assert told(tmp_path) == []
        again = run("recrawl", "c", "--once", "--set", "revisit.policy=fixed", "--progress", "none", cwd=tmp_path)
        assert again.returncode in (0, 3) and NOTHING not in again.stderr


@pytest.mark.slow
def test_links_that_were_only_recorded_are_named_where_nothing_is_queued(tmp_path: Path) -> None:
    with Web(WEB) as web:
        crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--set", "links.new=record")
        (line,) = told(tmp_path)
        assert "were refused, with --recorded those whose links were only recorded; ttcrawl why c" in line
        assert run("requeue", "c", "--recorded", cwd=tmp_path).returncode == 0
        assert told(tmp_path) == []
