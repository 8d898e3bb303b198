"""A hook that fails on all of its first pages stops the crawl with its error; one that fails now and then does not."""

import re

import pytest

from tests.support.crawls.crawling import options_for, query, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, page
from ttcrawl.engine.hooked import FIRST

PAGES = FIRST + 10
WRONG = "def page(page):\n    return {'price': page.tree.css_first('.price').text()}\n"
AT_FIRST_NOT = "def page(page):\n    if not page.url.endswith('/3'):\n        raise ValueError('no price')\n"


@pytest.fixture(scope="module")
def web():
    pages = {("a.test", "/0"): Answer(body=page(*(f"/{n}" for n in range(1, PAGES)))), ("a.test", "/alone"): Answer()}
    pages |= {("a.test", f"/{n}"): Answer(body=page(title=str(n))) for n in range(1, PAGES)}
    with Web(pages) as web:
        yield web


def crawled(web, seed, directory, hook, *options):
    (directory / "shop.py").write_text(hook)
    keys = ("crawl.fetchers=1", "crawl.parsers=1", "hooks.page=shop:page", "politeness.delay=0")
    sets = [each for key in keys for each in ("--set", key)]
    words = ("-d", directory / "c", *options_for(web), *sets, "--progress", "none", *options)
    return run("crawl", web.url("a.test", seed), *words, cwd=directory)


@pytest.mark.parametrize("options", [pytest.param((), id="processes", marks=pytest.mark.slow), ("--inline",)])
def test_a_hook_that_fails_on_its_first_pages_stops_the_crawl(web, tmp_path, options):
    done = crawled(web, "/0", tmp_path, WRONG, *options)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    line = next(line for line in done.stderr.splitlines() if "first 20 pages" in line)
    where = r"\[hooks\] page = shop:page on http://a\.test:\d+/\d+: AttributeError: .* \(shop\.py, line 2\)"
    assert re.search(where, line) and "ttcrawl requeue DIR --reason 'hook page failed*'" in line
    failed = query(tmp_path / "c", "SELECT count(*) FROM url WHERE reason = 'hook page failed: raised AttributeError'")
    assert failed == [(FIRST,)] and verified(tmp_path / "c") == ""
    ((finished,),) = query(tmp_path / "c", "SELECT value FROM crawl WHERE name = 'finished'")
    assert finished.startswith("failed: the hook for pages failed")

    (tmp_path / "shop.py").write_text("def page(page):\n    return {'length': len(page.body)}\n")
    assert run("requeue", tmp_path / "c", "--reason", "hook page failed*").returncode == 0
    assert run("resume", tmp_path / "c", "--progress", "none", *options, cwd=tmp_path).returncode == 0
    assert query(tmp_path / "c", "SELECT count(*) FROM fields") == [(PAGES,)]


def test_a_hook_that_works_once_may_fail_again(web, tmp_path):
    done = crawled(web, "/0", tmp_path, AT_FIRST_NOT, "--inline")
    assert done.returncode == 0, done.stderr
    failed = query(tmp_path / "c", "SELECT count(*) FROM url WHERE reason = 'hook page failed: raised ValueError'")
    assert failed == [(PAGES - 1,)]


def test_a_hook_that_fails_on_all_of_fewer_pages_is_reported(web, tmp_path):
    done = crawled(web, "/5", tmp_path, WRONG, "--inline")
    assert "the hook for pages failed on 1 page, and on no other" in done.stderr and "shop.py, line 2" in done.stderr
