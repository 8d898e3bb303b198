"""A crawl that runs, and one that was killed, read meanwhile and compared with its tables and its server."""

import contextlib
import sqlite3
import time
from contextlib import closing

import pytest

import ttcrawl
from tests.support.crawls.crawling import crawl, options_for
from tests.support.faults.killing import kill_all, start
from tests.support.web.mesh import mesh
from tests.support.web.site import Answer, Web, page

PAGES = 300
HOSTS = ["a.test", "b.test"]
SETTINGS = ("--set", "store.commit_seconds=0.05", "--set", "store.commit_pages=10", "--scope", "any")


def count(directory, table):
    with closing(sqlite3.connect(f"file:{directory}/crawl.db?mode=ro", uri=True, timeout=30)) as db:
        return db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def until(condition):
    for _ in range(2400):
        with contextlib.suppress(Exception):
            if condition():
                return
        time.sleep(0.05)
    raise AssertionError("it did not come")


@pytest.fixture
def running(tmp_path):
    """(web, directory, process) of a crawl that has begun and goes on for some seconds."""
    pages = {
        key: Answer(body=each.body, headers=each.headers, status=each.status)
        for key, each in mesh(HOSTS, PAGES, 3).items()
    }
    with Web(pages) as web:
        directory = tmp_path / "c"
        slow = ("--set", "politeness.delay=0.005", "--obey-delay")
        command = ("crawl", web.url("a.test", "/"), "-d", directory, *options_for(web), *SETTINGS, *slow)
        process = start(tmp_path, *command)
        try:
            until(lambda: count(directory, "page") >= 20)
            yield web, directory, process
        finally:
            kill_all(process.pid)
            process.communicate()


def bodies(web, crawl, urls):
    """Every body that the crawl says it has is the one that the server sends."""
    for url in urls:
        found = crawl.response(url)
        assert found.url == url and len(found.body) == crawl.page(url).page.length


@pytest.mark.slow
def test_while_it_runs(running):
    web, directory, process = running
    opened = ttcrawl.open(directory)
    held = opened.iter_urls()
    first = next(held)
    seen = []
    while process.poll() is None and len(seen) < 8:
        pages, urls, links = opened.pages(), opened.urls(), opened.links(ids=True)  # in this order no page is too new
        seen.append((len(urls), len(pages), len(links)))
        assert set(pages.index) <= set(urls.index)
        assert pages.digest.str.len().max() == 32
        bodies(web, opened, pages.url.tail(3))
        assert sum(1 for _ in opened.iter_links()) >= len(links)
        time.sleep(0.1)
    assert len({pages for _, pages, _ in seen}) > 2, "it did not grow: nothing was tested"
    assert seen == sorted(seen)
    known = 1 + sum(1 for _ in held)  # of its first row's moment, whatever was committed since
    assert first.id == 1 and known <= seen[0][0]
    process.communicate(timeout=100)
    assert process.returncode == 0
    assert len(opened.pages()) == count(directory, "page") >= seen[-1][1]


@pytest.mark.slow
def test_a_killed_one(running):
    web, directory, process = running
    kill_all(process.pid)
    process.wait()
    with ttcrawl.open(directory) as opened:
        pages, urls = opened.pages(), opened.urls()
        assert len(pages) == count(directory, "page") >= 20
        assert dict(urls.state.value_counts())["queued"] > 0
        bodies(web, opened, pages.url)
        known = set(urls.url)
        for link in opened.iter_links():
            assert link.source in known and link.target in known
        assert opened.links().target.notna().all()
        assert opened.summary().pages == (pages.state == "fetched").sum()


EVIL = "\x1b[31m\u202e\x00 \\ud800 '\"<script>"


def test_titles_and_urls_of_a_hostile_site(tmp_path):
    """What comes through the whole crawl: nothing of it breaks a frame."""
    odd = "/" + "".join(
        chr(code) for code in (*range(0x21, 0x7F), 0xE9, 0x202E, 0x1F600) if chr(code) not in "?#\\'\"<>"
    )
    site = {
        ("a.test", "/"): Answer(
            body=page(
                odd, "/%00%1b%e2%80%ae", "/&#xD800;", title=f"{EVIL}&#xD800;&#0;", content="<a href=/x>\xff&#xDFFF;</a>"
            )
        )
    }
    with Web(site) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
        assert done.status == 0, done.err
    opened = ttcrawl.open(done.directory)
    assert len(opened.links()) == len(list(opened.iter_links())) == done.query("SELECT count(*) FROM link")[0][0] >= 4
    assert opened.urls().url.tolist() == [url for (url,) in done.query("SELECT url FROM url ORDER BY id")]
    assert opened.pages().title.tolist() == [title for (title,) in done.query("SELECT title FROM page ORDER BY url")]
