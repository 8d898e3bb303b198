"""Limits of a crawl that is continued by `recrawl`: those on what is new do not stop visits."""

import re
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.crawls.crawling import crawl, query, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, page

SIZE, LIMIT, WEEK = 30, 10, 604_800

DELAY = ("--set", "politeness.delay=0.02", "--set", "politeness.address_delay=0")
DUE = ("--progress", "none", "--set", "revisit.policy=fixed", "--set", "revisit.interval=500000")
FAQ = (Path(__file__).parents[2] / "docs" / "faq.md").read_text()
TEXT = "<p>" + " words" * 100


@pytest.fixture
def web():
    leaves = [f"/{number}" for number in range(SIZE)]
    pages = {("a.test", path): Answer(body=page(content=f"{TEXT} {path}")) for path in leaves}
    with Web(pages | {("a.test", "/"): Answer(body=page(*leaves, content=TEXT))}) as web:
        yield web


def a_week_later(directory):
    """Let everything in a crawl have happened a week earlier."""
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute(f"UPDATE page SET time = time - {WEEK}")
        db.execute(f"UPDATE url SET processed = processed - {WEEK}")
        db.execute(f"UPDATE revisit SET next = next - {WEEK}, visited = visited - {WEEK}")


def requested(web):
    """Paths of the requests since the last call."""
    hits = [hit.path for hit in web.log()]
    new, web.seen = hits[getattr(web, "seen", 0) :], len(hits)
    return sorted(path for path in new if path != "/robots.txt" and "soft-404" not in path)


def limited(web, tmp_path, *options):
    """A crawl that has ended at a limit, a week ago."""
    done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *DELAY, *options)
    paths = requested(web)
    assert 0 < len(paths) <= SIZE
    a_week_later(done.directory)
    return done, paths


def queued(directory):
    return query(directory, "SELECT count(*) FROM url WHERE state = 'queued'")[0][0]


def cron_line():
    (line,) = re.findall(r"^    0 3 \* \* 1  cd /srv/crawls && \S*ttcrawl (recrawl .*)$", FAQ, re.MULTILINE)
    return shlex.split(line)


def test_the_weekly_line_of_the_faq_visits_after_a_limit(web, tmp_path):
    done, before = limited(web, tmp_path, "--max-pages", LIMIT)
    done.directory.rename(tmp_path / "crawl-example.org")
    for _ in range(2):
        again = run(*cron_line(), cwd=tmp_path)
        assert (again.returncode, requested(web)) == (0, before), again.stderr
        assert "21 URLs stay queued" in again.stderr
        assert queued(tmp_path / "crawl-example.org") == SIZE + 1 - LIMIT
        a_week_later(tmp_path / "crawl-example.org")


#: Limits of the crawl, and those of the visits of its pages: how many runs they take, and the exit status of the first.
CASES = {
    "pages": (("--max-pages", LIMIT), (), 1, 0),
    "pages, in this process": (("--max-pages", LIMIT), ("--inline",), 1, 0),
    "depth": (("--max-depth", 0), (), 1, 0),
    "bytes, and more of them": (("--set", "crawl.max_bytes=9k"), ("--set", "crawl.max_bytes=50k"), 1, 0),
    "bytes of this run": (("--max-pages", LIMIT), ("--set", "crawl.max_bytes=4k"), 2, 3),
    "time of this run": (("--max-pages", LIMIT), ("--max-time", 0.3, "--set", "politeness.delay=0.1"), 10, 3),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_visits_under_a_limit(web, tmp_path, name):
    limits, more, runs, status = CASES[name]
    done, before = limited(web, tmp_path, *limits)
    more = ("--known", *more) if name.startswith("bytes, and") else more
    again = run("recrawl", done.directory, "--once", *DUE, *more)
    visited = requested(web)
    assert again.returncode == status, again.stderr
    for _ in range(runs - 1):  # what was due stays due
        assert 0 < len(visited) < len(before) or sorted(visited) == before
        again = run("recrawl", done.directory, "--once", *DUE)
        visited += requested(web)
    assert sorted(visited) == before, again.stderr
    assert verified(done.directory) == ""


@pytest.mark.slow
def test_a_limit_that_is_reached_in_between_ends_what_is_new(web, tmp_path):
    done, before = limited(web, tmp_path, "--max-pages", LIMIT)
    again = run("recrawl", done.directory, "--once", *DUE, "--max-pages", LIMIT + 3)
    visited = requested(web)
    assert again.returncode == 0, again.stderr
    assert set(before) < set(visited) and len(visited) == len(before) + 3
    assert queued(done.directory) == SIZE + 1 - LIMIT - 3
    assert verified(done.directory) == ""
    rest = run("resume", done.directory, "--progress", "none", "--max-pages", 0)
    assert rest.returncode == 0 and len(requested(web)) == SIZE + 1 - LIMIT - 3, rest.stderr
    assert verified(done.directory) == ""


@pytest.mark.slow
def test_only_known_urls_are_visited(web, tmp_path):
    done, before = limited(web, tmp_path, "--max-pages", LIMIT)
    web.change({("a.test", "/"): Answer(body=page(*[f"/{number}" for number in range(SIZE)], "/new", content=TEXT))})
    again = run("recrawl", done.directory, "--once", "--known", *DUE, "--max-pages", 0)
    assert (again.returncode, requested(web)) == (0, before), again.stderr
    assert done.states()[web.url("a.test", "/new")] == ("queued", "")
    assert verified(done.directory) == ""
    rest = run("recrawl", done.directory, "--once", *DUE)
    assert rest.returncode == 0 and len(requested(web)) == SIZE + 2 - LIMIT, rest.stderr
