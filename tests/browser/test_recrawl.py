"""Pages that `[browser] use = auto` reads are visited again."""

import time

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.forum import AUTO, FORUM, assert_complete, uses
from tests.support.crawls.crawling import crawl
from tests.support.crawls.preforked import run
from tests.support.web.site import Web


@needs_chromium
@pytest.mark.slow
def test_pages_are_visited_again_and_stay_complete(tmp_path):
    directory = tmp_path / "c"
    often = ("--set", "revisit.policy=fixed", "--set", "revisit.interval=1")
    with Web(FORUM) as web:
        done = crawl(web, web.url("a.test", "/"), directory, *AUTO, *often)
        assert done.status == 0, done.err
        before = len(web.log())
        time.sleep(1)  # then the last page is due, too
        again = run("recrawl", directory, "--once", timeout=300)
        assert again.returncode == 0, again.stderr
        paths = [hit.path for hit in web.log()[before:]]
    assert_complete(done)
    pages = set(uses(directory))
    assert pages and [path for path in pages if path not in paths] == []
    assert {used for path, (used, _) in uses(directory).items() if path.startswith("/t/")} <= {"browser", "static"}
