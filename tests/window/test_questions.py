"""Four questions, each answered within three clicks from the start page."""

import re

import pytest

from tests.library.sample_crawl import GONE, HOME, OTHER, make
from tests.support.window import Watched, chromium, window
from ttcrawl.store.lock import Lock

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("questions")
    make(folder / "crawl")
    make(folder / "other")
    with window(folder) as each, chromium() as browser:
        lock = Lock(folder / "crawl")  # it runs
        watched = Watched(browser, each)
        yield watched.page
        assert watched.trouble == []
        lock.close()


@pytest.fixture
def clicked(page):
    """Clicks on links by their text, from the start page; the text of the page that they lead to."""

    def follow(*names):
        page.goto(re.match("http://[^/]+/", page.url)[0])
        for name in names:
            page.locator("main, nav").get_by_role("link", name=name, exact=True).first.click()
            page.wait_for_load_state()
            page.wait_for_selector("head > meta[http-equiv=refresh]", state="detached")
        return page.inner_text("main")

    return follow


def test_which_pages_failed_and_why(clicked):
    text = clicked("crawl", "All URLs that have failed")
    assert GONE in text and "dns" in text


def test_who_links_to_this_page(clicked):
    text = clicked("crawl", "URLs", OTHER)
    assert HOME in text.partition("Links to it")[2].partition("Its links")[0]


def test_what_would_this_rule_exclude(clicked, page):
    clicked("crawl", "What if")
    page.get_by_label("Rule").fill("exclude=*/b")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Would be refused")
    page.wait_for_selector("head > meta[http-equiv=refresh]", state="detached")
    assert OTHER in page.inner_text("main")


def test_is_it_still_going_and_when_will_it_end(clicked):
    text = clicked("crawl")
    assert "running" in text and re.search(r"It ends in .* at the earliest|When it ends is unknown", text)
