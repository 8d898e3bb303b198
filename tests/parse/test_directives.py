from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.parse.directives import LENGTH, directives, joined
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.vocabulary.html import PARSERS

METAS = [
    # name, content, what is recorded
    ("robots", "noindex, nofollow", "nofollow, noindex"),
    ("ROBOTS", "NOINDEX,NoFollow", "nofollow, noindex"),
    (" robots ", " none ", "none"),
    ("TTcrawl", "nofollow", "nofollow"),
    ("otherbot", "nofollow", ""),
    ("description", "nofollow", ""),
    ("robots", "", ""),
    ("robots", ",, ,", ""),
    ("robots", "noindex nofollow", "nofollow, noindex"),  # not as it is written down, and meant all the same
    ("robots", "max-snippet:50, max-image-preview: large", "max-image-preview: large, max-snippet:50"),
    ("robots", "unavailable_after: Sunday, 01-Feb-26 08:49:37 GMT, nofollow",
     "nofollow, unavailable_after: sunday 01-feb-26 08:49:37 gmt"),
]  # fmt: skip

HEADERS = [
    # values of X-Robots-Tag, what is recorded
    (["noindex"], "noindex"),
    (["noindex", "NOFOLLOW"], "nofollow, noindex"),
    (["noindex, nofollow"], "nofollow, noindex"),
    (["ttcrawl: nofollow"], "nofollow"),
    (["TTCRAWL : nofollow , noindex"], "nofollow, noindex"),
    (["otherbot: noindex, nofollow"], ""),
    (["otherbot: noindex, nofollow", "noarchive"], "noarchive"),
    (["noarchive, otherbot: noindex, nofollow"], "noarchive"),
    (["otherbot: noindex, ttcrawl: nofollow, noarchive"], "noarchive, nofollow"),
    (["ttcrawl: noarchive, otherbot: none"], "noarchive"),
    (["ttcrawler: none", "ttcraw: none"], ""),
    (["unavailable_after: 25 Jun 2026 15:00:00 PST"], "unavailable_after: 25 jun 2026 15:00:00 pst"),
    (["unavailable_after: Wed, 25 Jun 2026 15:00:00 GMT, none"],
     "none, unavailable_after: wed 25 jun 2026 15:00:00 gmt"),
    (["otherbot: unavailable_after: 25 Jun 2026 15:00:00 PST, nofollow"], ""),
    (["ttcrawl: max-snippet: 0, nofollow"], "max-snippet: 0, nofollow"),
    (["max-video-preview:-1"], "max-video-preview:-1"),
    (["", ":", ",", "nofollow:"], ":"),  # "nofollow:" is a robot of that name
]  # fmt: skip

PAGES = [
    # page, metas that have a name, rel=nofollow of each link
    ("<meta name=robots content=nofollow><a href=1>", [("robots", "nofollow")], [0]),
    ("<META NAME='Robots' CONTENT='no&#102;ollow'>", [("Robots", "nofollow")], []),
    ("<body><p><meta content=none name=robots>", [("robots", "none")], []),  # anywhere in the page
    ("<meta name=robots><meta content=none><meta name>", [("robots", ""), ("", "")], []),
    ("<meta name=robots content=none http-equiv=refresh>", [("robots", "none")], []),
    ("<meta name=robots content='5;url=1' http-equiv=refresh>", [("robots", "5;url=1")], [0]),
    ("<meta name=robots content=none href=x src=y>", [("robots", "none")], []),
    ("<a href=1 rel=nofollow><a href=2 rel='me NoFollow\tugc'><a href=3 rel=follow>", [], [1, 1, 0]),
    ("<a href=1 rel=nofollowed><a href=2 rel='no follow'><a href=3 rel>", [], [0, 0, 0]),
    ("<area href=1 rel=nofollow><iframe src=2 rel=nofollow></iframe><a rel=nofollow>", [], [1, 0]),
    ("<template><meta name=robots content=none><a href=1 rel=nofollow></template>", [], []),
    ("<svg><a href=1 rel=nofollow></a></svg>", [], [1]),
]


@pytest.mark.parametrize(("name", "content", "expected"), METAS)
def test_meta(name: str, content: str, expected: str) -> None:
    assert joined(directives([(name, content)], [], "ttcrawl")) == expected


@pytest.mark.parametrize(("values", "expected"), HEADERS)
def test_header(values: list[str], expected: str) -> None:
    headers = [("Content-Type", "none"), *(("x-robots-TAG", value) for value in values)]
    assert joined(directives([], headers, "TTcrawl")) == expected


def test_all_places_hold_together() -> None:
    metas = [("robots", "noindex"), ("ttcrawl", "noarchive"), ("otherbot", "all")]
    assert directives(metas, [("X-Robots-Tag", "nofollow")], "ttcrawl") == {"noindex", "noarchive", "nofollow"}


@pytest.mark.slow
@given(st.text(max_size=100), st.text(alphabet="a:, 0-\t\xa0none", max_size=LENGTH * 2))
def test_anything_may_stand_there(name: str, text: str) -> None:
    found = directives([("robots", text)], [("X-Robots-Tag", text)], name)
    assert len(joined(found)) <= LENGTH and "" not in found


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(("html", "metas", "rels"), PAGES)
def test_found_in_the_page(html: str, metas: list[tuple[str, str]], rels: list[int], parser: str) -> None:
    """The regular expression knows nothing of rel, nor of templates and SVG."""
    page = extract(html.encode(), "http://a.test/", parser)
    assert page.parser == parser and len(page.nofollow) == len(page.hrefs)
    if parser != "regex":
        assert (page.metas, list(page.nofollow)) == (metas, rels)
    elif "template" not in html:
        assert page.metas == metas and not any(page.nofollow)


@pytest.mark.parametrize("parser", PARSERS)
def test_marks_of_regions_do_not_show(parser: str) -> None:
    html = b"[<meta name='<a robots' content='<meta none'><a href=1 rel='<a nofollow'>]"
    page = extract(html, "http://a.test/", parser, Wanted(markers=(b"[", b"]")))
    assert page.metas == [("<a robots", "<meta none")]
    assert page.regions == b"c" and list(page.nofollow) == [parser != "regex"]
