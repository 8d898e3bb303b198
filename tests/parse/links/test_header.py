"""Links of headers. Cases of RFC 8288 (sections 3.5, 3.4.2 and appendix B) first."""

from __future__ import annotations

import pytest

from ttcrawl.parse.links.extract import extract, no_page
from ttcrawl.parse.links.header import MOST, in_headers, with_headers
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.vocabulary.html import PARSERS

URL = "http://example.com/TheBook/chapter3"
DIR = "http://example.com/TheBook/"

CASES = [
    (
        '<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter"',
        [("p", f"{DIR}chapter2", "previous chapter")],
    ),
    ('</>; rel="http://example.net/foo"', [("l", "http://example.com/", "")]),
    ('</terms>; rel="copyright"; anchor="#foo"', [("l", "http://example.com/terms", "")]),
    (
        "</TheBook/chapter2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel,"
        "</TheBook/chapter4>; rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel",
        [("p", f"{DIR}chapter2", "letztes Kapitel"), ("n", f"{DIR}chapter4", "nächstes Kapitel")],
    ),
    ('<http://example.org/>; rel="start http://example.net/relation/other"', [("l", "http://example.org/", "")]),
    (
        '<https://example.org/>; rel="start", <https://example.org/index>; rel="index"',
        [("l", "https://example.org/", ""), ("l", "https://example.org/index", "")],
    ),
    # ours
    ("<a>; rel=next; rel=prev", [("n", f"{DIR}a", "")]),
    ("<a> ; REL = NEXT ; x", [("n", f"{DIR}a", "")]),
    ('<a,b>; title=", <c>; \\"rel\\"=x"; rel=canonical', [("c", f"{DIR}a,b", ', <c>; "rel"=x')]),
    (
        '<a>; rel=alternate; type="application/rss+xml", ,, <b>; rel=alternate',
        [("F", f"{DIR}a", ""), ("t", f"{DIR}b", "")],
    ),
    ("<a>; rel=next; anchor=other", []),  # a link of another resource
    ('<a>; anchor=""; rel=next', [("n", f"{DIR}a", "")]),
    ('<a>, <b>; rel, <c>; rel="", <d>;rel=next', [("n", f"{DIR}d", "")]),
    ("a; rel=next, <b>; rel=next", []),
    ("<a; rel=next", []),
    ("<http://[>; rel=next", [("n", "http://[", "")]),
    ('<a>; rel="next', [("n", f"{DIR}a", "")]),
    ("<a>; rel=next =; y, <b>; rel=prev", [("n", f"{DIR}a", ""), ("p", f"{DIR}b", "")]),
    ("<\u00c3\u00bc>; rel=next", [("n", f"{DIR}%C3%BC", "")]),  # UTF-8, as it comes
    ("<\u00fc>; rel=next; title*=x'y", [("n", f"{DIR}%FC", "")]),  # no UTF-8: the byte that came
    (
        '<\u00fc/\u00c3\u00bc>; rel=next; title="\u00c3\u00bc"',
        [("n", f"{DIR}%FC/%C3%BC", "\u00fc")],
    ),  # each part for itself
    ("<a>; rel=next; title=plain; title*=iso-8859-1''%fc", [("n", f"{DIR}a", "ü")]),
    ("<a>; rel=next; title=plain; title*=koi8-r''%fc", [("n", f"{DIR}a", "plain")]),
]


@pytest.mark.parametrize(("value", "expected"), CASES)
def test_link(value: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(chr(link.kind), link.href, link.title) for link in in_headers([("LINK", value)], URL)] == expected


def test_refresh() -> None:
    headers = [("Refresh", "0; url=next"), ("refresh", "5"), ("Refresh", "soon"), ("X-Link", "<a>; rel=next")]
    assert [(chr(link.kind), link.href) for link in in_headers(headers, URL)] == [("r", f"{DIR}next")]


@pytest.mark.parametrize("parser", PARSERS)
def test_they_come_before_the_links_of_the_page_and_know_no_base(parser: str) -> None:
    wanted = Wanted(landmarks=True, anchors=True)
    page = extract(b"<base href=/b/><nav><a href=x>text</a></nav>", URL, parser, wanted)
    both = with_headers(page, [("Link", "<y>; rel=next; title=t, <z>; rel=prev")], URL, wanted)
    assert (both.hrefs, both.base) == ([f"{DIR}y", f"{DIR}z", "x"], "http://example.com/b/")
    assert both.kinds == b"np" + page.kinds and both.regions == b"ccc" and both.nofollow == b"\0\0\0"
    assert len(both.landmarks) == len(both.anchors) == 3 and both.anchors[0] == "t" and both.landmarks[:2] == b"--"
    assert with_headers(page, [("Link", "<z>; rel=prev")], URL, Wanted(kinds=frozenset(b"an"))) is page


def test_of_what_is_no_page_and_outside_of_content_regions() -> None:
    found = with_headers(no_page(URL), [("Link", "<y>; rel=canonical")], URL, Wanted(markers=(b"a", b"b")))
    assert (found.hrefs, found.regions, found.landmarks, found.anchors, found.parser) == (
        [f"{DIR}y"],
        b"e",
        b"",
        (),
        "",
    )


def test_there_is_an_end() -> None:
    assert len(in_headers([("Link", "<a>; rel=next," * 2000)], URL)) == MOST
