"""The words near a link, by both parsers that make trees."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.nearby import WORDS
from ttcrawl.parse.links.wanted import Wanted

TREES = ("lexbor", "html5lib")
NEAR = Wanted(anchors=True, nearby=True)
LONG = " ".join(f"word{number}" for number in range(50))


def near(html, parser="lexbor", wanted=NEAR):
    """The words near each link of a page."""
    page = extract(html.encode(), "http://a.test/", parser, wanted)
    assert page.parser == parser
    assert all(page.nearby.values())
    return [page.nearby.get(index, "") for index in range(len(page.hrefs))]


@pytest.mark.parametrize("parser", TREES)
@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>one two <a href=x>link</a> three, four</p>", ["one two three, four"]),
        ("<p>one <b>two <i><a href=x>link</a></i></b> <code>three</code></p>", ["one two three"]),
        ("<p>one <!-- no --> <a href=x>link</a> <!-- no --> two</p>", ["one two"]),
        ("<p>one <a href=x>first</a> or <a href=y>second</a></p>", ["one or second", "one first or"]),
        ("<p>no</p><p><a href=x>link</a></p><p>no</p>", [""]),
        ("<div><p>no</p><a href=x>link</a> yes<p>no</p></div>", ["yes"]),
        ("no<br>yes <a href=x>link</a> yes<br>no", ["yes yes"]),
        ("<ul><li>no<li><a href=x>link</a> yes<li>no</ul>", ["yes"]),
        (
            "<table><tr><td>no<tr>\n<th>a</th>\n<td><a href=x>link</a></td>\n<td>b <p>c</td><td>d<tr><td>no</table>",
            ["a b c d"],
        ),
        ("<dl><dt>no<dd>no<dt><a href=x>link</a>\n<dd>what it is<dt>no</dl>", ["what it is"]),
        ("<dl><dt>sundew<dd><a href=x>link</a><dd>no</dl>", ["sundew"]),
        ("<p>un<a href=x>link</a>ed", ["un ed"]),
        (f"<p>{LONG} <a href=x>link</a> {LONG}", [" ".join([*LONG.split()[-WORDS:], *LONG.split()[:WORDS]])]),
        (f"<p>{'x' * 300} <a href=x>link</a> {'y' * 300}", [""]),
        ("<p>one <a href=x>outer <b><a href=y>next</a></b></a> two", ["one next two", "one outer two"]),
        ("<p>one <script>no</script><a href=x>link</a><style>no</style> two", [""]),
        ("<p>one <img src=i alt=no> <a href=x>link</a>", ["", "one"]),
        ("<p>mail <a href=x></a> us <area href=y> here", ["mail us", ""]),
        ("<p>one <a>no link</a> <a href=x>link</a>", ["one no link"]),
        ("<p>one <svg><text>no</text><a href=x>link</a></svg> two", [""]),
        ("<iframe srcdoc='<p>in <a href=x>link</a> side'></iframe><p><a href=y>link</a> here", ["in side", "here"]),
    ],
)
def test_words_near_links(html, expected, parser):
    assert near(html, parser) == expected


def test_they_are_read_only_on_demand():
    html = "<p>one <a href=x>link</a> two"
    assert near(html, wanted=Wanted(anchors=True)) == [""]
    assert near(html, "regex") == [""]


PIECES = [
    "<a href=x>",
    "</a>",
    "<b>",
    "</b>",
    "<p>",
    "</p>",
    "<td>",
    "<tr>",
    "<table>",
    "</table>",
    "<dl>",
    "<dt>",
    "<dd>",
    "</dl>",
    "<li>",
    "<br>",
    "<span>",
    "</span>",
    "<!--c-->",
    "<img src=i>",
    "one ",
    "two",
    " three",
    "\n",
    "<div>",
    "</div>",
]


@pytest.mark.slow
@settings(max_examples=200)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_both_trees_give_the_same(html):
    by_lexbor, by_html5lib = (extract(html.encode(), "http://a.test/", parser, NEAR) for parser in TREES)
    if by_html5lib.parser == "html5lib" and by_lexbor.hrefs == by_html5lib.hrefs:
        assert by_lexbor.nearby == by_html5lib.nearby


@pytest.mark.slow
@pytest.mark.parametrize(
    "html",
    [
        "<p>" + "x y " * 250_000 + "<a href=x></a>" * 20_000,
        "<i>" + "x" * 1_000_000 + "</i>" + "<b><a href=x></a></b>" * 20_000,
        "<i>" * 400 + "<a href=x></a>" * 20_000,
        ("<i>" * 15 + "<a href=x>l</a>" + "</i>" * 15) * 1_500,
    ],
    ids=["text", "element", "deep", "nested"],
)
def test_a_page_takes_linear_time(html):
    def seconds(wanted):
        start = time.process_time()
        near(html, wanted=wanted)
        return time.process_time() - start

    assert seconds(NEAR) < seconds(Wanted(anchors=True)) + 2
