"""The picture of the graph in a real browser: colours, search, and clicks that open."""

import pytest

from tests.support.crawls.crawl_db import crawl_of
from tests.support.window import Watched, chromium, window

pytestmark = pytest.mark.slow

START = "http://a.test/start"
LINKS = {START: [f"http://a.test/{name}" for name in "bcd"], "http://a.test/b": [START], "http://a.test/c": []}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    crawl = crawl_of(tmp_path_factory.mktemp("graph") / "a", LINKS, titles={START: "<b>Start</b>"})
    (crawl / "config.ini").touch()
    with chromium() as browser, window(crawl) as each:
        # nodes that are still on their way would leave the pointer before the click
        watched = Watched(browser, each, viewport={"width": 1200, "height": 1200}, reduced_motion="reduce")
        watched.page.goto(f"{each.origin}/a/findings/graph?by=url&colour=state")
        watched.page.wait_for_selector("#graph[data-drawn='4']")
        yield watched.page
        assert watched.trouble == []


def test_colours_have_a_legend_with_counts(page):
    assert page.inner_text("#graph-legend").split("\n") == ["fetched (3)", "queued (1)"]
    page.select_option("#graph-colour", "depth")
    assert page.inner_text("#graph-legend").split("\n") == ["depth 0 (1)", "depth 1 (3)"]
    assert "colour=depth" in page.url


def test_a_search_lists_what_it_marks(page):
    page.fill("#graph-find", "START")
    assert page.inner_text("#graph-hits") == "<b>Start</b>" and page.inner_text("#graph-count") == "1 found"
    link = page.get_attribute("#graph-hits a", "href")
    assert link == "/a/url?u=http%3A%2F%2Fa.test%2Fstart"
    page.press("#graph-find", "Enter")  # moves there, and leaves the page as it is
    page.fill("#graph-find", "")
    assert page.inner_text("#graph-hits") == "" and page.inner_text("#graph-count") == ""


def test_the_table_has_the_same_nodes(page):
    assert page.locator("table.rows tbody tr").count() == 4
    assert page.inner_text("#graph-about") == "4 URLs, 3 links between them."


def test_a_node_says_what_it_is_and_opens(page):
    """Nodes are where the pointer changes."""
    page.click("#graph-all")
    box = page.locator("#graph").bounding_box()
    xs = range(int(box["x"]) + 4, int(box["x"] + box["width"]), 6)
    rows = range(int(box["y"]) + 4, int(box["y"] + box["height"]), 6)
    for x, y in ((x, y) for y in rows for x in xs):
        page.mouse.move(x, y)
        if page.evaluate("document.getElementById('graph').style.cursor"):
            break
    assert "in-links" in page.inner_text("#graph-about") and "http://a.test/" in page.inner_text("#graph-about")
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url("**/a/url?u=http%3A%2F%2Fa.test%2F*")
