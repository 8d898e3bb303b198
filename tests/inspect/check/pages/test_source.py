"""Positions of references: in whatever form an attribute is written, and nowhere else."""

import pytest

from ttcrawl.inspect.check.pages.source import Lines, references, tags, text_of


def all_references(html):
    return (each for tag in tags(html) for each in references(html, tag))


CASES = [
    ('<a href="x">', [("a", "x", 9)]),
    ("<a href='x y'>", [("a", "x y", 9)]),
    ("<a href=x>", [("a", "x", 8)]),
    ("<A HREF = x >", [("a", "x", 10)]),
    ('<a\n  class="c"\n  href="x">', [("a", "x", 23)]),
    ('<a title="href=y" href="x">', [("a", "x", 24)]),
    ('<a title="a > b" href="x">', [("a", "x", 23)]),
    ("<a title='>' href=x>", [("a", "x", 18)]),
    ('<a href="a&amp;b">', [("a", "a&b", 9)]),
    ("<a/href=x>", [("a", "x", 8)]),
    ("<br/><img src=x/>", [("img", "x/", 14)]),
    ('<a href=""><a href>', [("a", "", 9)]),
    ('<img srcset="a.png 1x, b.png 2x">', [("img", "a.png", 13), ("img", "b.png", 13)]),
    ('<meta http-equiv=refresh content="0; url=x">', [("meta", "x", 34)]),
    ('<meta name=description content="href=x">', []),
    ('<!-- <a href="x"> --><a href="y">', [("a", "y", 30)]),
    ('<!--><a href="x">', []),
    ('<script>"<a href=x>"</script><a href=y>', [("a", "y", 37)]),
    ("<style>a{}</STYLE><a href=y>", [("a", "y", 26)]),
    ('<script src="s.js"></script>', [("script", "s.js", 13)]),
    ("<title><a href=x></title><a href=y>", [("a", "y", 33)]),
    ("<script><a href=x>", []),
    ("text < a href=x> 1<2 </a href=x>", []),
    ("<svg><image xlink:href=x /></svg>", [("image", "x", 23)]),
]


@pytest.mark.parametrize(("html", "expected"), CASES, ids=[html for html, _ in CASES])
def test_references(html, expected):
    assert [(each.element, each.value, each.offset) for each in all_references(html)] == expected


def test_lines_end_as_in_html():
    lines = Lines("a\nb\r\nc\rd𝄞e")
    assert [lines.position(at) for at in (0, 1, 2, 5, 7, 9)] == [(1, 1), (1, 2), (2, 1), (3, 1), (4, 1), (4, 3)]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<a href=x>some\n <b>bold</b> &amp; more</a> after", "some bold & more"),
        ('<a href=x><img alt="a picture" src=y></a>', "a picture"),
        ("<a href=x title='>'>t</a>", "t"),
        ("<a href=x>never closed", "never closed"),
        ("<a href=x><b></b><img src=y alt=one></a>", "one"),
        ('<a href=x><img title=\' alt="no"\' alt="yes"></a>', "yes"),
        ("before <a href=x", ""),
    ],
)
def test_texts(html, text):
    assert text_of(html, next(all_references(html))) == text


@pytest.mark.parametrize(
    "part", ["<", "<!--", "<a ", '<a href="', "<a href='x", "<script>", "<a x=", "<a / / ", "&amp;"]
)
def test_any_page_is_read_to_its_end(part):
    """A quadratic pattern would need hours for a megabyte."""
    assert sum(1 for _ in all_references(part * (1_000_000 // len(part)))) <= 1_000_000


@pytest.mark.parametrize("part", ['<a href=x ="', "<a href=x><img "])
def test_the_text_of_a_link_costs_the_same_on_any_page(part):
    html = part * (100_000 // len(part))
    assert {text_of(html, each) for each in all_references(html)} == {""}
