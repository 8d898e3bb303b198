"""Items by selectors, JSON-LD, microdata and tables: each case is a page and its items."""

from types import SimpleNamespace

import pytest
from selectolax.lexbor import LexborHTMLParser

from ttcrawl.parse.extract.css import Selected
from ttcrawl.parse.extract.jsonld import JsonLd
from ttcrawl.parse.extract.microdata import Microdata
from ttcrawl.parse.extract.table import Tables
from ttcrawl.parse.extract.words import words

WORDS = (
    ("€<b>5</b>.<i>99</i>", "€5.99"),
    ("a<br>b<div>c</div>d", "a b c d"),
    ("<ul><li>a<li>b</ul>", "a b"),
    ("H<sub>2</sub>O \n is <script>x</script><style>y</style>wet", "H2O is wet"),
    ("<table><tr><td>1<td>2</table>", "1 2"),
    ("", ""),
    ("<p></p><p>x</p>", "x"),
    ("<div><div><div>deep</div></div></div> end", "deep end"),
)


@pytest.mark.parametrize("html,text", WORDS)
def test_the_words_of_an_element(html, text):
    assert words(LexborHTMLParser(html).body) == text


def test_words_stop_at_the_end_of_the_element():
    tree = LexborHTMLParser("<p id=a>one <b>two</b></p><p>three</p>")
    assert words(tree.css_first("#a")) == "one two" and words(tree.css_first("b")) == "two"


def items(extract, html, url="http://a.test/dir/page"):
    return [*extract(SimpleNamespace(tree=LexborHTMLParser(html), url=url))]


SELECTORS = (
    (["name=h1"], "", "<h1>A  <b>b</b></h1>", [{"name": "A b"}]),
    (["name=h1", "price=.p"], "", "<h1>A</h1>", [{"name": "A", "price": None}]),
    (["name=h1"], "", "<p>x", []),
    (["name=h1"], "", "<h1></h1>", []),
    (["u=a::attr(href)"], "", "<a href='x?a=1'>", [{"u": "http://a.test/dir/x?a=1"}]),
    (["u=a::attr( HREF )"], "", "<base href='/b/'><a href=x>", [{"u": "http://a.test/b/x"}]),
    (["u=a::attr(href)"], "", "<a href='http://[x'>", [{"u": "http://[x"}]),
    (["id=a::attr(data-id)"], "", "<a data-id=7>", [{"id": "7"}]),
    (["id=a::attr(data-id)"], "", "<a>", []),
    (["t[]=li"], "", "<li>1<li>2", [{"t": ["1", "2"]}]),
    (["t[]=li"], "", "<p>", []),
    (["n=b", "p=i"], ".c", "<b>no</b><div class=c><b>1</b></div><div class=c><i>2</i></div><p class=c>", None),
    (["n=a[href='/x=1']"], "", "<a href='/x=1'>y</a>", [{"n": "y"}]),
)


@pytest.mark.parametrize("columns,each,html,expected", SELECTORS)
def test_columns_by_selectors(columns, each, html, expected):
    expected = expected if expected is not None else [{"n": "1", "p": None}, {"n": None, "p": "2"}]
    assert items(Selected(columns, each), html) == expected


def script(text):
    return f'<script type="application/ld+json">{text}</script>'


PRODUCT = '{"@context": {"a": {"@type": "Product"}}, "@type": "Product", "name": "x", "offers": {"@type": "Offer"}}'
AS_ITEM = {"@type": "Product", "name": "x", "offers": {"@type": "Offer"}}
JSONLD = (
    (["Product"], script(PRODUCT), [AS_ITEM]),
    (["Product"], script(f"[{PRODUCT}, {PRODUCT}]"), [AS_ITEM, AS_ITEM]),
    (["Product"], script(f'{{"@graph": [{{"@type": "ItemList", "item": [{PRODUCT}]}}]}}'), [AS_ITEM]),
    (["Offer"], script(PRODUCT), [{"@type": "Offer"}]),
    (["Product", "Offer"], script(PRODUCT), [AS_ITEM]),
    (["Event"], script(PRODUCT), []),
    (["Product"], script('{"@type": ["http://schema.org/Product", "Thing"]}'), None),
    (["*"], script('{"@graph": [{"@type": "A"}, {"@type": "B"}]}'), [{"@type": "A"}, {"@type": "B"}]),
    (["Product"], script("{broken"), []),
    (["Product"], '<script type="Application/LD+JSON">{"@type": "Product"}</script>', [{"@type": "Product"}]),
)


@pytest.mark.parametrize("types,html,expected", JSONLD)
def test_things_in_jsonld(types, html, expected):
    assert items(JsonLd(types), html) == (
        [{"@type": ["http://schema.org/Product", "Thing"]}] if expected is None else expected
    )


# the first is the example of the HTML standard (5.1.1), the third that of itemref (5.2.2)
MICRODATA = (
    (["*"], "<div itemscope><p>My <span itemprop=name>Neil</span></div>", [{"name": "Neil"}]),
    (
        ["*"],
        "<div itemscope><p>Name: <span itemprop=name>A</span><p>Band: <span itemprop=band itemscope>"
        "<span itemprop=name>J</span> (<span itemprop=size>12</span>)</span></div>",
        [{"name": "A", "band": {"name": "J", "size": "12"}}],
    ),
    (
        ["*"],
        "<div itemscope id=amanda itemref='a b'></div><p id=a>Name: <span itemprop=name>A</span></p>"
        "<div id=b itemprop=band itemscope itemref=c></div><div id=c><p><span itemprop=size>12</span></div>",
        [{"name": "A", "band": {"size": "12"}}],
    ),
    (["*"], "<div itemscope><i itemprop=f>1</i><i itemprop='f g'>2</i></div>", [{"f": ["1", "2"], "g": "2"}]),
    (
        ["Offer"],
        "<div itemscope itemtype=http://schema.org/Product><p itemprop=offers itemscope"
        " itemtype=https://schema.org/Offer itemid=urn:1><meta itemprop=price content=' 5 '>"
        "<link itemprop=url href=x><time itemprop=t datetime=2026-01-31>today</time></p></div>",
        [
            {
                "@type": "https://schema.org/Offer",
                "@id": "urn:1",
                "price": "5",
                "url": "http://a.test/dir/x",
                "t": "2026-01-31",
            }
        ],
    ),
    (["Offer"], "<div itemscope itemtype=http://schema.org/Product>", []),
    (["*"], "<div itemscope id=x itemref=x><i itemprop=a itemscope itemref=x></i></div>", None),  # a circle
)


@pytest.mark.parametrize("types,html,expected", MICRODATA)
def test_things_in_microdata(types, html, expected):
    found = items(Microdata(types), html)
    assert found == expected if expected is not None else len(found) == 1


TABLES = (
    ("<table><tr><th>a<th>b<tr><td>1<td>2<tr><td>3", [{"a": "1", "b": "2"}, {"a": "3"}]),
    ("<table><tr><td>1<td>2", [{"column 1": "1", "column 2": "2"}]),
    ("<table><thead><tr><td>a<tbody><tr><th>1", [{"a": "1"}]),
    ("<table><tr><th>a<th>a<tr><td>1<td>", [{"a": "1", "a 2": None}]),
    ("<table><tr><th>a<tr><td>", []),
    ("<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3", [{"a": "1", "b": "2"}, {"a": "1", "b": "3"}]),
    ("<table><tr><th colspan=2>p<tr><th>n<th>g<tr><td>1<td>2", [{"p n": "1", "p g": "2"}]),
    ("<table><tr><th rowspan=2>k<th>p<tr><th>n<tr><td>1<td>2", [{"k": "1", "p n": "2"}]),
    ("<table><tr><th>a<tr><td><table><tr><td>in</table>", [{"a": "in"}, {"column 1": "in"}]),
    ("<table><tr><th>a<th>b<tr><td colspan=9999999>1", [{"a": "1"}]),
    ("<div>no table</div>", []),
)


@pytest.mark.parametrize("html,expected", TABLES)
def test_rows_of_tables(html, expected):
    assert items(Tables(["*"]), html) == expected


def test_only_the_tables_that_are_meant():
    html = "<table class=x><tr><td>1</table><table><tr><td>2</table><p class=x>"
    assert items(Tables([".x"]), html) == [{"column 1": "1"}]


def test_a_page_that_is_no_html_has_none():
    page = SimpleNamespace(tree=None, url="http://a.test/")
    for extract in (Selected(["a=b"], ""), JsonLd(["*"]), Microdata(["*"]), Tables(["*"])):
        assert [*extract(page)] == []
