"""[browser] use = auto: nothing is lost, and few pages go through the browser."""

import re

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.forum import AUTO, FORUM, SILENT, THREADS, assert_complete, texts, uses
from tests.support.crawls.crawling import Crawled, crawl, options_for, query, verified
from tests.support.crawls.preforked import run
from tests.support.faults.killing import kill_all, start, until
from tests.support.web.scripted_web import HOST, pages_of, web_of
from tests.support.web.site import Answer, Web

pytestmark = [needs_chromium, pytest.mark.slow]


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("size", [150, pytest.param(1000, marks=pytest.mark.long)])
def test_a_mixed_site_is_complete_with_few_pages_in_the_browser(tmp_path, size):
    pages = pages_of(size)
    with Web(web_of(pages)) as web:
        done = crawl(web, web.url(HOST, "/"), tmp_path / "c", *AUTO, timeout=1700)
        paths = [hit.path for hit in web.log()]
    assert done.status == 0, done.err
    found = texts(done.directory)
    assert [each.path for each in pages if each.path not in found] == []
    assert [
        each.path for each in pages if each.text not in found[each.path] or each.shown not in found[each.path]
    ] == []
    read = uses(done.directory)
    scripted = {each.path for each in pages if each.shown}
    rendered = {path for path, (used, _) in read.items() if used == "browser"}
    assert scripted <= rendered
    # five templates need samples, on a site of any size: of 1,000 pages, a tenth of which need scripts, these are few
    assert len(rendered) <= (0.15 * len(pages) if size == 1000 else len(scripted) + 8 * 5)
    assert {path for path in read if path.startswith("/docs/")} & rendered == set()
    again = {path for path, (_, why) in read.items() if why == "again"}
    assert {path for path in paths if path in read and paths.count(path) > 1} == again
    assert verified(done.directory) == ""


@pytest.fixture(scope="module")
def forum(tmp_path_factory):
    """(The crawl, the paths that the server saw)."""
    with Web(FORUM) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path_factory.mktemp("auto") / "c", *AUTO)
        return done, [hit.path for hit in web.log()]


def test_pages_that_were_read_statically_are_read_again_if_their_template_needs_the_browser(forum):
    done, paths = forum
    assert done.status == 0, done.err
    assert_complete(done)
    again = {path for path, (_, why) in uses(done.directory).items() if why == "again"}
    assert again and {path for path in paths if path.startswith("/t/") and paths.count(path) > 1} == again
    assert max(map(paths.count, again)) == 2
    earlier = query(done.directory, "SELECT count(*) FROM earlier_page")
    assert earlier == [(len(again),)]


def test_the_decision_is_told_and_so_are_costs(forum):
    done, _ = forum
    read = uses(done.directory)
    for path, (used, why) in read.items():
        told = run("why", done.directory, f"{query(done.directory, 'SELECT url FROM url')[0][0][:-1]}{path}").stdout
        (line,) = re.findall(r"^  browser +(\w+): .+$", told, re.MULTILINE)
        assert line == used, (path, why)
        if why == "template" and used == "browser":
            assert re.search(r"template /t/\*: \d+ pages, \d+ in the browser, the next one: browser", told)
            assert "only the browser showed 1 link and 2 words" in told
    report = run("report", done.directory).stdout
    (rendered,) = re.findall(r"^Pages in the browser +(\d+)$", report, re.MULTILINE)
    assert int(rendered) == sum(used == "browser" for used, _ in read.values())
    assert re.search(rf"^Links that only the browser showed +{THREADS - SILENT}$", report, re.MULTILINE)


def test_a_crawl_that_is_killed_goes_on_with_what_it_has_learnt(tmp_path):
    with Web(FORUM) as web:
        options = (*options_for(web), *AUTO, "--set", "store.commit_seconds=0.05")
        process = start(tmp_path, "crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options)
        for path in ("/data/t/1", f"/data/t/{SILENT + 1}"):  # among the samples, and when the template has turned
            until(lambda path=path: any(hit.path == path for hit in web.log()), 300)
            kill_all(process.pid)
            process.communicate()
            process = start(tmp_path, "resume", tmp_path / "c")
        _, err = process.communicate(timeout=400)
        assert process.returncode == 0, err
    assert_complete(Crawled(status=0, out="", err="", directory=tmp_path / "c"))


def test_a_page_on_which_the_browser_fails_is_read_statically(tmp_path):
    pages = {
        ("a.test", "/"): Answer(body=b"<p>%b</p><script>for (;;);</script>" % (b"word " * 40)),
    }
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *AUTO, "--set", "browser.max_time=1")
    assert done.status == 0, done.err
    assert uses(done.directory) == {"/": ("static", "browser failed: stuck")} and "word" in texts(done.directory)["/"]
