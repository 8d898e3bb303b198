"""Whatever a sitemap or a feed holds: nothing is raised, little is kept, and time grows as its bytes do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.growth import grows
from ttcrawl.web.sitemaps.coding import utf8
from ttcrawl.web.sitemaps.dates import moment
from ttcrawl.web.sitemaps.read import read
from ttcrawl.web.sitemaps.xml import MAX_TEXT

BASE = "http://a.test/map.xml"
PIECES = (
    *(
        "<urlset>",
        "</urlset>",
        "<url>",
        "</url>",
        "<loc>",
        "</loc>",
        "<lastmod>",
        "<priority>",
        "<sitemapindex>",
        "<sitemap>",
    ),
    *(
        "<rss>",
        "<channel>",
        "<item>",
        "</item>",
        "<link>",
        "</link>",
        "<title>",
        "<guid isPermaLink='false'>",
        "<feed>",
    ),
    *(
        "<entry xml:base='//[::1'>",
        "<link href='//[::1]:9/'/>",
        "<enclosure url='é'/>",
        "<rdf:RDF xmlns:rdf='r'>",
        "</rss>",
    ),
    *(
        "<?xml version='1.0' encoding='utf-16'?>",
        "<!DOCTYPE a [",
        "<!ENTITY a 'b'>",
        "]>",
        "&a;",
        "&",
        "&#0;",
        "&#x110000;",
    ),
    *(
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "xmlns='x'",
        "<a:b xmlns:a=''>",
        "\0",
        "\ud800",
        "http://a.test/\n",
        "{",
        "</",
    ),
    *('{"version": "https://jsonfeed.org/version/1", "items": [', '{"url": "\\ud800"}', "]}", "NaN", ",", "2004-01-01"),
)
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=25).map("".join)
DATA = st.one_of(TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")), st.binary(max_size=200))


@pytest.mark.slow
@pytest.mark.parametrize(
    "start", [b"", b"<urlset>", b"<rss><channel><item>", b'{"version":"jsonfeed.org/version/1","items":[']
)
@given(data=DATA, charset=st.sampled_from(["", "utf-16", "iso-2022-jp", "replacement", "x-user-defined", "é"]))
def test_whatever_it_is(start, data, charset):
    listing = read(start + data, BASE, charset=charset, maps=True, text=True, feeds=True, most=5)
    if listing is None:
        return
    assert len(listing.entries) <= 5 * (len(start + data) + 1) and len(listing.title) <= 500
    for each in listing.entries:
        assert each.href == each.href.strip() != "" and len(each.href) <= MAX_TEXT and 0 <= each.priority <= 1
        (each.href + each.title + listing.error).encode()


@pytest.mark.slow
@given(text=st.one_of(st.text(max_size=70), st.from_regex(r"\d{1,5}[-/]\d{1,3}[-/]\d{1,3}[T ]?\d?\d?:?\d\d.{0,9}")))
def test_dates(text):
    found = moment(text)
    assert found is None or -1e12 < found < 1e12


GROWING = {
    **{repr(piece): piece.__mul__ for piece in PIECES},
    "entries": lambda n: "<urlset>" + "<url><loc>/x</loc></url>" * (n // 24) + "</urlset>",
    "bare ampersands": lambda n: "<urlset><url><loc>" + "&a" * (n // 2) + "</loc></url></urlset>",
    "mended in vain": lambda n: "<urlset>" + "<url>&</url>" * (n // 12) + "<",
    "images": lambda n: "<urlset><url>" + "<i:loc>/x</i:loc>" * (n // 17) + "</url></urlset>",
    "links of an item": lambda n: "<rss><channel><item>" + "<link>/x</link>" * (n // 15) + "</item></channel></rss>",
    "bases": lambda n: "<feed>" + "<link xml:base='x/' href='y'/>" * (n // 30) + "</feed>",
    "bases in bases": lambda n: "<feed>" + "<entry xml:base='xxxx/'>" * (n // 24),
    "a long base": lambda n: f"<feed xml:base='{'x' * (n // 2)}/'>" + "<link href='y'/>" * min(50, n // 32) + "</feed>",
    "prefixes in each element": lambda n: (
        "<urlset>" + ("<a " + " ".join(f"xmlns:a{i}=''" for i in range(99)) + ">") * (n // 1200)
    ),
    "prefixes": lambda n: "<urlset>" + "".join(f"<a{i}:b xmlns:a{i}='c'/>" for i in range(n // 24)) + "</urlset>",
    "attributes": lambda n: "<urlset " + " ".join(f"a{i}=''" for i in range(n // 8)) + "/>",
    "characters in pieces": lambda n: "<urlset><url><loc>" + "&lt;" * (n // 4) + "</loc></url></urlset>",
    "declaration": lambda n: "<?xml " + "encoding " * (n // 9),
    "lines": lambda n: "http://a.test/\n" * (n // 15),
    "blank lines": lambda n: "\n" * n,
    "priorities": lambda n: "<urlset><url><priority>" + "9" * n + "</priority></url></urlset>",
}


@pytest.mark.slow
@pytest.mark.parametrize("make", GROWING.values(), ids=GROWING)
def test_growth(make):
    def work(data):
        for charset in ("", "gb18030"):
            utf8(data, charset)
        read(data, BASE, maps=True, text=True, feeds=True)
        read(b"<urlset>" + data, BASE, maps=True, text=True, feeds=True)
        read(b"<rss><channel>" + data, BASE, maps=True, text=True, feeds=True)

    grows(work, lambda n: make(n).encode("utf-8", "replace"))
