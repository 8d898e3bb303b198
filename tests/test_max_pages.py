"""[crawl] max_pages counts what was fetched, whatever becomes of it: a hook that fails on every page costs no site."""

import pytest

from tests.support.crawls.crawling import crawl, query
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, page

SIZE, LIMIT = 30, 5

HOOKS = """
import os
import ttcrawl

def boom(page):
    raise ValueError("boom")

def drop(page):
    return ttcrawl.HookResult(drop="not wanted")

def die(page):
    os._exit(1)
"""


@pytest.fixture(scope="module")
def web():
    leaves = [f"/{number}" for number in range(SIZE)]
    pages = {("a.test", path): Answer(body=page(content=f"<p>page {path}")) for path in leaves}
    with Web(pages | {("a.test", "/"): Answer(body=page(*leaves))}) as web:
        yield web


CASES = {
    **{name: (f"hooks.page=mine:{name}",) for name in ("boom", "drop", "die")},
    "counted": ("topic.terms=terms.txt", "topic.irrelevant=count", "topic.tunnel=-1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_it_stops_at_the_limit(web, tmp_path, name):
    (tmp_path / "mine.py").write_text(HOOKS)
    (tmp_path / "terms.txt").write_text("10: sundew=CP\n")
    options = [part for each in CASES[name] for part in ("--set", each)]
    done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *options, "--max-pages", LIMIT)
    assert done.status == 3 and "stopped (max_pages)" in done.err, done.err
    visits = "SELECT count(DISTINCT url) FROM visit WHERE kind = 'page'"
    assert done.query(visits) == [(LIMIT,)]
    again = run("resume", tmp_path / "c", "--progress", "none", "--max-pages", LIMIT + 3)
    assert again.returncode == 3, again.stderr
    assert query(tmp_path / "c", visits) == [(LIMIT + 3,)]
    fetched = query(tmp_path / "c", "SELECT count(*) FROM url WHERE state = 'fetched'")
    assert query(tmp_path / "c", "SELECT value FROM crawl WHERE name = 'total_pages'") == [(str(fetched[0][0]),)]
