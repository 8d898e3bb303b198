"""Whether the tags of a page have too many attributes, or nest too deeply, is the same by the core and by Python."""

import random

import pytest

from tests.fuzz.growth import grows
from tests.fuzz.soak.mutated import mutated
from tests.parse.documents import documents
from tests.parse.links.heavy import HEAVY
from tests.support.cases import one_in
from ttcrawl import core
from ttcrawl.parse.links import weight

pytestmark = pytest.mark.skipif(core.native is None, reason="no compiled core")

NAMES = [
    "a",
    "b",
    "big",
    "code",
    "em",
    "font",
    "i",
    "nobr",
    "s",
    "small",
    "strike",
    "strong",
    "tt",
    "u",
    "p",
    "button",
    "h1",
    "h2",
    "h6",
    "address",
    "div",
    "dl",
    "dd",
    "dt",
    "li",
    "ul",
    "ol",
    "form",
    "hr",
    "xmp",
    "table",
    "tr",
    "td",
    "th",
    "tbody",
    "thead",
    "tfoot",
    "caption",
    "colgroup",
    "col",
    "select",
    "option",
    "optgroup",
    "applet",
    "marquee",
    "object",
    "template",
    "frame",
    "frameset",
    "foreignobject",
    "desc",
    "title",
    "mi",
    "mo",
    "annotation-xml",
    "svg",
    "math",
    "script",
    "style",
    "textarea",
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "ruby",
    "rb",
    "rt",
    "rp",
    "rtc",
    "br",
    "img",
    "wbr",
    "image",
    "span",
    "dialog",
    "html",
    "head",
    "body",
    "input",
    "plaintext",
    "x",
    "y",
    "x-y",
    "P",
    "DIV",
    "Svg",
    "B",
    "sCript",
]
ATTRIBUTES = (
    *(" a=1", ' b="x>y"', " c='<d'", " e", "=", " /", "\t", '"', "'", " f = g/", '="', "/", " h=\n'i' ", ' ="x>"'),
    *(f' j="{"z" * 205}"', " " * 201, ' k="l"' * 9, ' k="l"' * 10, " m" * weight.ATTRIBUTES),
)
OTHERS = (
    *("x", " ", "\n", "<", "<1", "é", "\0", "<!-- x -->", "<!-->", "<!--->", "<!--", "<!x>", "<?x>", "</>", "</ >"),
    *("-->", "--!>", "<!-- a --!>", "<![CDATA[", "<a>x</a>", '<b k="v">y</b>', "<i>z</i", "<em></em>", "<code a=b>"),
    *("<span>x</span>", "</script>", "</title x>", "</STYLE/", "</scripts>", "</"),
)


def tag(chance: random.Random) -> str:
    name = chance.choice(NAMES)
    if chance.random() < 0.7:
        return chance.choice([f"<{name}>", f"</{name}>"])
    attributes = "".join(chance.choices(ATTRIBUTES, k=chance.randrange(5)))
    return chance.choice(["<", "</"]) + name + attributes + chance.choice([">", ">", "/>", " / >", ""])


def pages(count: int):
    chance = random.Random(40)
    trees = [each.encode("utf-8", "replace") for each in documents()]
    for _ in range(count):
        yield mutated(chance.choice(trees), chance) * chance.choice([1, 3, 40])
        others = [chance.choice(OTHERS) for _ in range(chance.randrange(10))]
        pieces = [tag(chance) for _ in range(chance.randrange(40))] + others
        chance.shuffle(pieces)
        yield "".join(pieces).encode() * chance.choice([1, 1, 5, 40])


def by_python(monkeypatch, judge, every):
    with monkeypatch.context() as patch:
        patch.setattr(core, "native", None)
        return [judge(each) for each in every]


@pytest.mark.parametrize("count", [25, pytest.param(2000, marks=pytest.mark.slow)])
def test_pages_as_python_has_them(monkeypatch, count):
    every = list(pages(count))

    def judge(page):
        return weight.has_many(page), [weight.too_nested(page, deepest) for deepest in (3, 20, 512)]

    found = [judge(each) for each in every]
    assert by_python(monkeypatch, judge, every) == found
    assert {many for many, _ in found} == {True, False}
    assert len({why for _, whys in found for why in whys}) >= 4


@pytest.mark.parametrize("name", one_in(3, HEAVY))
def test_pages_that_take_a_parser_minutes(monkeypatch, name):
    page = HEAVY[name][0](100_000).encode()

    def judge(page):
        return weight.has_many(page), weight.too_nested(page, weight.DEEPEST), weight.too_heavy(page)

    assert by_python(monkeypatch, judge, [page]) == [judge(page)]


@pytest.mark.parametrize(
    "page",
    [
        b"<p>" + b"".join(b"<b a=%d>" % each for each in range(300)) + b"</p>" + b"<p>x" * 2000,
        b"<x>" * 500 + b"<li></x><b></i><p></b>" * 20_000,
        b"<dd>" * 400 + b"<dt></ul><li></dl>" * 9000,
        b"<div/>" * 500 + b"<b></div><div>" * 9000,
    ],
    ids=["copies", "many looks", "lists", "lost"],
)
def test_limits_of_a_page(monkeypatch, page):
    assert by_python(monkeypatch, lambda each: weight.too_nested(each, 512), [page]) == [weight.too_nested(page, 512)]


@pytest.mark.parametrize(
    "piece", ["<script>", "</script ", "<!--", "<!-- -", "<a>", "<a b=", '<a b="', "<b a=1></p>", "<b><i></b>", "<p>x"]
)
def test_the_time_is_linear(piece):
    grows(lambda page: core.native.nesting(page, 1 << 30), lambda n: piece.encode() * n)
    grows(lambda page: core.native.has_many_attributes(page, 1 << 30), lambda n: piece.encode() * n)


def test_other_arguments_are_refused():
    with pytest.raises(ValueError, match="depth"):
        core.native.nesting(b"", 0)
    with pytest.raises(ValueError, match="attributes"):
        core.native.has_many_attributes(b"", -1)
