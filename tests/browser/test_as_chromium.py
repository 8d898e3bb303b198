"""What the crawl finds on pages made by scripts, beside what the same Chromium shows through a plain script."""

import contextlib

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.pages_of_chromium import OTHERS, PAGES
from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web
from ttcrawl.browser.program import program
from ttcrawl.config import Browser

sync_api = pytest.importorskip("playwright.sync_api")
Error = sync_api.Error

#: The links of a document.
LINKS = "(() => { const links = []; for (const a of document.links) links.push(a.href); return links })()"

#: Pages that are open at once, and the milliseconds for their scripts.
AT_ONCE, TIME = 12, 3200

#: What a plain script cannot see, or does not do: closed shadow roots, frames in frames, scrolling in an element.
BESIDES = {
    "closed-root": {"/found/closed-root"},
    "frames-in-frames": {"/found/deep"},
    "rows": {f"/found/row{n}" for n in range(60)},
    "reused-rows": {f"/found/row{n}" for n in range(60)},
    "upwards": {f"/found/up{n}" for n in range(30)},
    "upwards-fetched": {f"/found/reverse{n}" for n in range(1, 5)},
    "close": {"/found/close", "/found/closed"},  # its page is gone
    "self-close": {"/found/self-close"},
    "clobbered-functions": {"/found/clobbered-functions"},  # a plain script shares the functions of the page
}

FOUND = """
    SELECT page.url, found.url FROM link
    JOIN url AS page ON page.id = link.source JOIN url AS found ON found.key = link.target"""


def opened(context, url):
    page, seen = context.new_page(), []
    page.on("dialog", lambda dialog: (seen.append(1), dialog.accept() if seen[10:] else dialog.dismiss()))
    with contextlib.suppress(Error):  # it is a download
        page.goto(url, wait_until="commit")
    return page


def of(page):
    with contextlib.suppress(Error):  # it has closed itself
        links = {each.split("/", 3)[3] for each in page.evaluate(LINKS)}
        page.close()
        return links
    return set()


def shown(web, playwright):
    """Name -> the paths of the links that Chromium shows."""
    chromium = playwright.chromium.launch(
        executable_path=program(Browser(use="yes")),
        chromium_sandbox=False,
        args=["--host-resolver-rules=MAP a.test 127.0.0.1, MAP b.test 127.0.0.2"],
    )
    context, links = chromium.new_context(accept_downloads=False), {}
    for first in range(0, len(PAGES), AT_ONCE):
        names = list(PAGES)[first : first + AT_ONCE]
        pages = {name: opened(context, web.url("a.test", f"/page/{name}")) for name in names}
        next(iter(pages.values())).wait_for_timeout(TIME)
        links |= {name: of(page) for name, page in pages.items()}
    chromium.close()
    return {name: {f"/{path}" for path in paths} for name, paths in links.items()}


@needs_chromium
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_pages_have_the_links_that_chromium_shows(tmp_path):
    site = {("a.test", "/"): Answer(body="".join(f"<a href=/page/{name}>x</a>" for name in PAGES).encode())}
    site |= {("a.test", f"/page/{name}"): answer for name, answer in PAGES.items()} | OTHERS
    options = ("--set", "browser.use=path:/page/", "--set", "browser.resources=all", "--set", "browser.scrolls=20")
    options += ("--max-depth", "1", "--no-obey-delay", "--set", "duplicates.exact=no", "--set", "duplicates.near=no")
    with Web(site) as web:
        crawled = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options, timeout=500)
        hits = web.log()
    with Web(site) as web, sync_api.sync_playwright() as playwright:
        expected = shown(web, playwright)
    assert crawled.status == 0, crawled.err
    found = {name: set() for name in PAGES}
    for page, link in crawled.query(FOUND):
        if "/page/" in page and "/found/" in link:
            found[page.rpartition("/")[2]].add("/" + link.split("/", 3)[3])
    expected = {name: paths | BESIDES.get(name, set()) for name, paths in expected.items()}
    expected["attachment"] = {"/found/attachment"}  # a person would get a file
    assert {name: paths for name, paths in found.items() if paths != expected[name]} == {}, expected
    assert {hit.method for hit in hits} <= {"GET", "HEAD", "OPTIONS"}
