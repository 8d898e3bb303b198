"""Real crawls over loopback, stopped, merged and resumed: seen from the server's log, the tables and verify."""

import json
import os
import signal
import sqlite3
import subprocess
import time
from contextlib import closing

import pytest

from tests.support.crawls.crawling import command, crawl, options_for, verified
from tests.support.crawls.preforked import run
from tests.support.faults.killing import settled
from tests.support.web.site import Answer, Web, at, page
from ttcrawl.cli import main
from ttcrawl.config import alias_map, read

NAMES = ("a.test", "www.a.test", "mirror.test")
PAGES = 40
FAST = ("--no-obey-delay", "--scope", "any")


#: Pages of all three to which only other.test links, by the name of the mirror; from the last of them a chain goes on.
EARLY, CHAIN = range(100, 105), range(105, 120)
ALL = [*range(PAGES), *EARLY, *CHAIN]


def path(n):
    return f"/{n or ''}"


def content(n, *more, words="Words"):
    """Two links on, so that pages lie in layers."""
    links = [path(each) for each in (2 * n + 1, 2 * n + 2) if each < PAGES]
    links += [path(n + 1)] if n + 1 in CHAIN else []
    return page(*links, *more, title=f"{words} {n}", content=f"<p>{words} of page {n} and of no other.")


def mirrors(slow=0.03):
    """Three names of one server, two of them slow, and a host with the same paths and the same front page."""
    pages = {
        (name, path(n)): Answer(body=content(n), delay=0.0 if name == "a.test" else slow) for name in NAMES for n in ALL
    }
    for n in range(PAGES):
        links = [at("mirror.test", path(each)) for each in EARLY if n == 1]
        pages["other.test", path(n)] = Answer(body=content(n, *links, words="Other" if n else "Words"))
    return pages


def seeds(web):
    return [web.url(name, "/") for name in (*NAMES, "other.test")]


def everything(directory):
    """All rows of the tables that a merge may write."""
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        tables = {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in ("url", "rule", "queue", "site")}
        return tables | {"crawl": db.execute("SELECT * FROM crawl WHERE name LIKE 'total_%'").fetchall()}


@pytest.fixture
def stopped(tmp_path):
    """The web, and a crawl of it that has fetched most of the fast hosts and about a half of the slow ones."""
    with Web(mirrors()) as web:
        first = crawl(web, seeds(web), tmp_path / "crawl", *FAST, "--max-pages", 150)
        assert first.status == 3, first.err
        yield web, first


def hits(web, *names):
    return [(hit.host, hit.path) for hit in web.log() if hit.path != "/robots.txt" and hit.host.split(":")[0] in names]


@pytest.mark.slow
def test_a_merged_crawl_asks_aliases_for_nothing_more(stopped):
    web, first = stopped
    before = hits(web, *NAMES)
    done = run("aliases", first.directory, "--merge")
    assert done.returncode == 0, done.stderr
    assert verified(first.directory) == ""
    named = alias_map(read(first.directory / "config.ini").url.aliases)
    (canonical,) = set(named.values())
    assert {*named, canonical} == {f"{name}:{web.port}" for name in NAMES}

    resumed = run("resume", first.directory, "--progress", "none", "--set", "crawl.max_pages=0")
    assert resumed.returncode == 0, resumed.stderr
    assert verified(first.directory) == ""
    after = hits(web, *NAMES)[len(before) :]
    assert {f"{name}:{web.port}" for name, _ in after} == {canonical}
    there = {asked for _, asked in before}
    assert there | {asked for _, asked in after} == set(map(path, ALL)), "a content was lost"
    assert [asked for _, asked in after if asked in there] == [], "a content was fetched again"
    assert sorted(asked for _, asked in hits(web, "other.test")) == sorted(map(path, range(PAGES)))


@pytest.mark.slow
def test_a_killed_crawl_is_merged_too(tmp_path):
    place = tmp_path / "crawl"
    with Web(mirrors(slow=0.1)) as web:
        options = (*FAST, "--set", "politeness.connections=2", "--set", "store.commit_seconds=0.05")
        said = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        line = command("crawl", *seeds(web), "-d", place, *options_for(web), "--progress", "none", *options)
        process = subprocess.Popen(line, start_new_session=True, **said)
        while settled(place) < 130:
            assert process.poll() is None
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert run("aliases", place, "--merge").returncode == 0
        before = len(hits(web, *NAMES))
        assert run("resume", place, "--progress", "none").returncode == 0
        assert verified(place) == ""
        assert {name for name, _ in hits(web, *NAMES)[before:]} == {"a.test"}
        assert {asked for _, asked in hits(web, *NAMES)} == set(map(path, ALL))


@pytest.mark.slow
def test_a_second_merge_changes_nothing(stopped):
    _, first = stopped
    assert main(["aliases", str(first.directory), "--merge"]) == 0
    once, config = everything(first.directory), (first.directory / "config.ini").read_bytes()
    assert {row[6] for row in once["url"]} >= {"alias", "alias: fetched"}
    assert main(["aliases", str(first.directory), "--merge"]) == 0
    assert everything(first.directory) == once
    assert (first.directory / "config.ini").read_bytes() == config


def test_without_merge_nothing_is_written(stopped, capsys):
    _, first = stopped
    before, config = everything(first.directory), (first.directory / "config.ini").read_bytes()
    assert main(["aliases", str(first.directory)]) == 0
    assert "aliases = " in capsys.readouterr().out
    assert everything(first.directory) == before
    assert (first.directory / "config.ini").read_bytes() == config


@pytest.mark.slow
def test_why_tells_what_became_of_an_alias(stopped, capsys):
    web, first = stopped
    main(["aliases", str(first.directory), "--merge"])
    old, new, rule = first.query(
        "SELECT old.url, new.url, text FROM url AS old JOIN url AS new ON new.found_on = old.id"
        " JOIN rule ON rule.id = old.rule WHERE old.reason = 'alias' ORDER BY old.id LIMIT 1"
    )[0]
    assert rule == f"[url] aliases: mirror.test:{web.port}=a.test:{web.port}"
    assert new == old.replace("mirror.test", "a.test")
    capsys.readouterr()
    assert main(["why", str(first.directory), new]) == 0
    assert old in capsys.readouterr().out


@pytest.mark.slow
def test_the_rules_played_again_find_all_that_was_taken_over(stopped, capsys):
    _, first = stopped
    main(["aliases", str(first.directory), "--merge"])
    capsys.readouterr()
    assert main(["why", str(first.directory), "--as-if", "exclude=*.nothing", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["changes"] == []


@pytest.mark.slow
def test_what_failed_under_an_alias_is_tried_under_the_canonical_name(tmp_path, capsys):
    """Where only the alias was met; once."""
    broken, known, out = ["/lost/1", "/lost/2?x=1"], "/lost/known", "/lost/private/x"
    paths = [path(n) for n in range(PAGES)]
    site = {(name, each): Answer(body=page(*paths[1:], title=each)) for name in NAMES[:2] for each in paths}
    here = {each: page(title=each, content=f"<p>Words of page {each}") for each in paths[1:]}
    site |= {(name, each): Answer(body=body) for name in NAMES[:2] for each, body in here.items()}
    site["a.test", "/"] = Answer(body=page(*paths[1:], known))
    site["www.a.test", "/"] = Answer(body=page(*paths[1:], *broken, known, out))
    for each in (*broken, known, out):
        site["www.a.test", each] = Answer(fate="reset")
        site["a.test", each] = Answer(body=page(title=each))
    site["a.test", known] = Answer(fate="reset")
    with Web(site) as web:
        first = crawl(
            web, [web.url(name, "/") for name in NAMES[:2]], tmp_path / "c", *FAST, "--set", "fetch.retries=0",
            "--set", "politeness.backoff=0.001", "--set", "politeness.give_up=100",
        )  # fmt: skip
        assert first.status == 0, first.err
        assert [state for url, (state, _) in first.states().items() if "/lost/" in url] == ["failed"] * 5
        before = len(hits(web, *NAMES))
        config = first.directory / "config.ini"
        config.write_text(config.read_text().replace("\nrules =\n", "\nrules = exclude */private/*\n"))
        assert main(["aliases", str(first.directory), "--merge"]) == 0
        assert "; 2 that failed under an alias are retried under it." in capsys.readouterr().out
        assert verified(first.directory) == ""
        once = everything(first.directory)
        assert main(["aliases", str(first.directory), "--merge"]) == 0
        assert everything(first.directory) == once
        assert main(["resume", str(first.directory), "--progress", "none"]) == 0
        assert sorted(hits(web, *NAMES)[before:]) == [("a.test", each) for each in broken]
        assert verified(first.directory) == ""
        capsys.readouterr()
        assert main(["why", str(first.directory), web.url("a.test", broken[0])]) == 0
        assert web.url("www.a.test", broken[0]) in capsys.readouterr().out
        assert main(["why", str(first.directory), "--as-if", "exclude=*.nothing", "--format", "json"]) == 0
        changes = json.loads(capsys.readouterr().out)["changes"]
        assert [each for each in changes if "private" not in each["examples"][0]] == []  # but by the new rule
