"""Only pages whose tree is not deep are called regular."""

import random

import pytest

from tests.fuzz.growth import grows
from tests.fuzz.soak.mutated import mutated
from tests.parse.documents import documents
from tests.parse.links.heavy import HEAVY, depth
from tests.support.cases import one_in
from ttcrawl.parse.links.regular import DEEPEST, is_regular

REGULAR = (
    '<?xml version="1.0"?><!DOCTYPE html><html lang=en><head><meta charset="utf-8"/><title>a <b></title></head><body>x',
    "<ul><li>a<li><a href='x'><code><span>y</span></code></a></ul>",
    "<dl><dt>a<dd><p>b<p>c</dl>",
    "<div><p>a < b, c <= d</p></p></div>",
    "<table><tr><td><p><b>a</b></td></tr></table>",
    "<div><!-- <b> --><script>if (a<b) x('<div>')</script><style>a{}</style></div>",
    "<form><select name=a><option value=1>b<option>c</option></select></form>",
    '<p><svg width="1"><path d="M0"/><circle r="1"></circle></svg></p>',
    "<div>" * DEEPEST + "</div>" * DEEPEST,
    "<div>" * (DEEPEST - 1),
)
UNKNOWN = (
    "<div><xdiv>" * DEEPEST,
    *("<div></span>", "<b><div></b></div>", "<a><p>x</p></a>", "<p><b>x</p>", "<DIV></DIV>", "<x></x>", "</div>"),
    *("<b><i></b></i>", "<p><table></table>", "<button></button>", "<ul></li></ul>", "</br>", "<div <p>", "<div"),
    *("<body a=1><body b=2>", "<svg><path></svg>", "<svg><g></g></svg>", "<select><p></select>", "</select>"),
    *("<!--><b>-->", "<!-- --!><div> -->", "<!--->", "<a title='<b>'>x</a>", '<a title=x"y>', "<![CDATA[<b>]]>"),
    *("<script>x</SCRIPT><div></script>", "<svg><path d=x/></svg>", "<template></template>", "<font></font>"),
    "<div>" * (DEEPEST + 1) + "</div>" * (DEEPEST + 1),
    "<b>" * (DEEPEST + 9) + "</b>" * (DEEPEST + 9),
)


@pytest.mark.parametrize("html", REGULAR)
def test_regular(html: str) -> None:
    assert is_regular(html.encode())


@pytest.mark.parametrize("html", UNKNOWN)
def test_unknown(html: str) -> None:
    assert not is_regular(html.encode())


@pytest.mark.parametrize("name", one_in(3, HEAVY))
def test_heavy_pages_are_not_regular(name: str) -> None:
    # an attribute alone makes a tag no less regular: `weight` counts them before
    assert not is_regular(HEAVY[name][0](100_000).encode()) or name.startswith("attributes")


@pytest.mark.slow
@pytest.mark.long
def test_trees_of_regular_pages_are_not_deep() -> None:
    """Pages of all kinds, and changed at random, each many times over: the depth is limited to 6 elements."""
    chance, regular, deep = random.Random(17), 0, []
    pages = [html.encode() for html in REGULAR[:-2]]
    pages += [text.lower().encode("utf-8", "replace") for text in documents()]
    pages += [mutated(chance.choice(pages), chance) for _ in range(1500)]
    for html in pages:
        if is_regular(html * 40, deepest=6):
            regular += 1
            deep += [html] if depth(html * 40) > 3 * (6 + len(("html", "body", "a", "code", "b", "text"))) else []
    assert deep == [] and regular > 100


@pytest.mark.parametrize(
    "piece",
    ["<script>", "<script></script ", "<svg>", "<select><option>", "<!--", "<!-- -", "<a>", "<a><code><span>", "<a b="],
)
def test_the_time_is_linear(piece: str) -> None:
    grows(is_regular, lambda n: piece.encode() * n)
