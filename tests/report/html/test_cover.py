"""The cover: panels of crawls of every kind, valid and harmless whatever the pages are called."""

import re
from dataclasses import replace
from itertools import pairwise

import html5lib
import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.report.directories import Directory
from ttcrawl.report.forms import render
from ttcrawl.report.html.cover import cover
from ttcrawl.report.html.law_curve import law_curve
from ttcrawl.report.html.page import Chapter, Drawing, html
from ttcrawl.report.html.ring import Share, ring
from ttcrawl.report.html.site_map import site_map
from ttcrawl.report.html.sparkline import POINTS, sparkline
from ttcrawl.report.laws.heaps import Heaps
from ttcrawl.report.study import study
from ttcrawl.report.summary import Growth

HOSTILE = '</svg><script>alert(1)</script>"\x1b[2J\u202e' + "x" * 10_000


def svg_of(text):
    html5lib.HTMLParser(strict=True).parse(f"<!DOCTYPE html><title>x</title>{text}")
    return html5lib.parse(text, namespaceHTMLElements=False).find("body")


def bytes_of(directory):
    return directory.bytes


CRAWLS = {
    "empty": {},
    "one page": {"http://a.test/": []},
    "two": {"http://a.test/": ["http://a.test/d/1"], "http://a.test/d/1": []},
}


@pytest.mark.parametrize(
    "name, titles",
    [("empty", []), ("one page", ["States of the URLs"]), ("two", ["States of the URLs"])],
)
def test_empty_panels_are_left_out(tmp_path, name, titles):
    crawl = study(crawl_of(tmp_path, CRAWLS[name]))
    panels = cover("x", crawl).panels
    assert [each.title for each in panels if "Growth" not in each.title and "Directories" not in each.title] == titles
    assert all(each.body for each in panels)
    html5lib.HTMLParser(strict=True).parse(render([crawl], ["x"], "html"))


@pytest.mark.parametrize(
    ("words", "titles", "expected"),
    [
        (True, True, ["Growth", "States", "Graph", "terms", "titles", "pages", "bytes"]),
        (True, False, ["Growth", "States", "Graph", "terms", "pages", "bytes"]),
        (False, False, ["Growth", "Graph", "States", "pages", "bytes"]),
    ],
)
def test_panels_fill_their_rows(tmp_path, words, titles, expected):
    """A row takes three panels, of which the graph takes two, as the maps do together."""
    crawl = study(crawl_of(tmp_path, CRAWLS["two"]))
    growth = Growth(pages=(0, 2), seconds=(0.0, 1.0), found=(0, 1), distinct_urls=(1, 2), in_scope=(1, 2))
    directories = tuple(Directory(path=f"a.test/{each}/", pages=1, bytes=9) for each in "ab")
    content = replace(crawl.content, titles={"title": 2} if titles else {}, directories=directories)
    laws = replace(crawl.laws, frequent_words={"word": 2} if words else {})
    crawl = replace(crawl, summary=replace(crawl.summary, growth=growth), content=content, laws=laws)
    graph = Drawing(caption="Graph", svg='<svg viewBox="0 0 9 5"><g id="g"></g></svg>', wide=True)
    text = html([cover("x", crawl)], [Chapter(title="Graph", sections=[], figures=[graph])], ["x"], "1")
    found = re.findall('<p class="title">(?:Most frequent |Directories by )?([a-zA-Z]+)', text)
    assert found == expected and text.count('<div class="twins">') == 1


def test_one_page_has_no_growth(tmp_path):
    """Its seed is no URL in links, and no page came after it."""
    crawl = study(crawl_of(tmp_path, CRAWLS["two"]))
    for pages, grown in (((0, 1), []), ((0, 2), ["Growth of distinct URLs"])):
        growth = Growth(pages=pages, seconds=(0.0, 1.0), found=(0, 1), distinct_urls=(1, 2), in_scope=(1, 2))
        panels = cover("x", replace(crawl, summary=replace(crawl.summary, growth=growth))).panels
        assert [each.title for each in panels if "Growth" in each.title] == grown


def test_a_ring_has_an_arc_and_a_row_for_each_share():
    shares = [Share(label=str(n), count=n, colour="text") for n in (0, 1, 10_000)]
    tree = svg_of(ring("States", shares, "10,001 URLs"))
    assert len(list(tree.iter("tr"))) == len(list(tree.iter("{http://www.w3.org/2000/svg}circle"))) == 2
    text = "".join(tree.itertext())
    assert "< 0.1 %" in text and "100.0 %" in text and "10,001" in text
    assert ring("States", shares[:1], "0 URLs") == ""


def test_a_map_has_a_tile_for_each_directory_and_a_name_for_each_host():
    directories = [Directory(path=f"{host}.test/{n}/", pages=n, bytes=0) for host in "ab" for n in (5, 9)]
    tree = svg_of(site_map(directories, "Map", lambda each: each.pages))
    titles = [each.text for each in tree.iter("{http://www.w3.org/2000/svg}title")]
    assert sorted(titles) == [f"{host}.test/{n}/: {n} pages, 0 B" for host in "ab" for n in (5, 9)]
    text = "".join(tree.itertext())
    assert "a.test" in text and "b.test" in text
    assert site_map([], "Map", bytes_of).count("<rect") == 0


@pytest.mark.parametrize(
    "path", [HOSTILE, f"{HOSTILE}/{HOSTILE}/", "", "/", "a.test/\u202e/", "ا.test/ب/", "中文.test/页/"]
)
def test_names_of_directories_are_harmless(path):
    directories = [Directory(path=path, pages=3, bytes=2**60), Directory(path="b.test/", pages=1, bytes=1)]
    tree = svg_of(site_map(directories, "Map", bytes_of))
    assert len(list(tree.iter("script"))) == 0
    assert "\u202e" not in "".join(tree.itertext())


def test_forty_directories_are_a_small_map():
    directories = [Directory(path=f"host-{n}.example/some/directory/", pages=n, bytes=n) for n in range(1, 41)]
    assert len(site_map(directories, "Map", bytes_of)) < 15_000


@pytest.mark.parametrize(
    "across, up, drawn",
    [([], [], False), ([1], [5], False), ([1, 2], [0, 0], False), ([1, 2], [3, 4], True), ([0, 0], [1, 2], False)],
)
def test_a_curve_needs_two_points(across, up, drawn):
    assert bool(sparkline("Growth", across, up)) == drawn


def test_a_long_curve_is_thinned_and_keeps_its_end():
    svg = sparkline("Growth", range(1, 100_000), range(1, 100_000), mark=500)
    (curve,) = (part for part in svg.split("<path ") if part.startswith('class="curve"'))
    assert POINTS * 0.9 < curve.count(",") <= POINTS + 2
    assert "365.0,5.0" in curve and 'class="mark"' in svg


LAW = Heaps(k=2.0, beta=0.5, rmse=0.0, points=4, holds_from=10, holds_to=1000)


def test_a_law_is_a_dashed_line_in_the_curve():
    """V(n) = 2 n^0.5 is straight on logarithmic axes, and the law lies on it."""
    across = [10, 100, 1000, 10_000]
    svg = svg_of(law_curve("<b>", across, [LAW.at(n) for n in across], LAW))[0]
    assert svg.get("aria-label") == "<b>"
    curve, law = (
        [[float(number) for number in point.split(",")] for point in re.findall(r"[\d.]+,[\d.]+", path.get("d"))]
        for path in svg.findall(".//{*}path")
        if path.get("class") in ("curve", "mark")
    )
    assert law[0] == curve[0] and law[1] == curve[2]
    slopes = [(other[1] - one[1]) / (other[0] - one[0]) for one, other in pairwise(curve)]
    assert slopes == pytest.approx([slopes[0]] * 3, abs=0.01)
    assert [text.text for text in svg.findall(".//{*}text")] == ["10", "100", "1,000", "10,000"]


@pytest.mark.parametrize("across, up", [([], []), ([1], [1]), ([1, 1], [1, 1]), ([0, 5], [0, 5])])
def test_a_law_of_too_few_points_is_not_drawn(across, up):
    assert law_curve("x", across, up, LAW) == ""


def test_a_curve_without_a_law_has_no_dashed_line():
    assert "mark" not in law_curve("x", [1, 10], [1, 5], replace(LAW, holds_from=None, holds_to=None))
