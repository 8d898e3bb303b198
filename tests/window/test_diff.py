"""What differs in two crawls of a window: what `ttcrawl diff` finds, and one URL in both."""

import re
from urllib.parse import quote

import pytest

import ttcrawl
from tests.inspect.changes.dated_crawl import BASE, Dated, make
from tests.support.window import window
from ttcrawl.inspect.changes.diff import LISTED

EVIL = "<script>alert(1)</script>\x1b[2J"
BEFORE = {
    "/": [Dated(time=0, title="Home", text="one two three", links=["/same", "/gone", "/bytes"])],
    "/same": [Dated(time=1, text="same")],
    "/gone": [Dated(time=2, text="was there")],
    "/bytes": [Dated(time=3, body=b"a", text="x")],
    "/old": [Dated(time=4, text="a page that moves with its words")],
}
AFTER = {
    "/": [Dated(time=100, title=EVIL, text="one two four", links=["/same", "/added"])],
    "/same": [Dated(time=101, text="same")],
    "/bytes": [Dated(time=103, body=b"b", text="x")],
    "/added": [Dated(time=104, text="added")],
    "/new": [Dated(time=105, text="a page that moves with its words")],
}


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    directory = tmp_path_factory.mktemp("two")
    return make(directory / "before", BEFORE), make(directory / "after", AFTER)


@pytest.fixture(scope="module")
def opened(pair):
    with window(*pair) as each:
        yield each


def settled(opened, path):
    """The page when the comparison is over."""
    while "are compared" in (page := opened.get(path).text):
        pass
    return page


def test_the_pages_are_those_of_the_command(opened, pair):
    with ttcrawl.open(pair[0]) as first, ttcrawl.open(pair[1]) as second:
        want = {(change.change, change.url) for change in first.diff(second)}
    assert {change for change, _ in want} == {*LISTED}
    found = set()
    for kind in LISTED:
        page = settled(opened, f"/before/diff?with=after&change={kind}")
        found |= {(kind, url) for url in re.findall(r'<th scope="row"><a href="[^"]*">([^<]*)</a>', page)}
        assert f"--where change={kind}" in page
    assert found == want


def test_one_url_in_both(opened):
    page = opened.get(f"/before/diff/url?with=after&u={quote(BASE + '/')}").text
    assert "Differs: title, main text, links" in page
    assert "<del>-one two three</del>" in page and "<ins>+one two four</ins>" in page
    assert f"{BASE}/added" in page and f"{BASE}/gone" in page and "<script>alert" not in page
    assert "not discovered" in opened.get(f"/before/diff/url?with=after&u={quote(BASE + '/gone')}").text
    assert opened.get("/before/diff/url?with=after&u=x").status == 200


def test_addresses_that_name_no_other_crawl(opened):
    assert opened.get("/before/diff?with=none").status == 404
    assert opened.get("/before/diff").status == 400
    assert opened.get("/before/diff?with=before").status == 400


def test_each_crawl_leads_to_the_comparison(opened):
    assert "/before/diff?with=after" in opened.get("/before/urls").text
