"""Pages that are quadratic for every parser are known before one sees them; honest ones, however large, are parsed."""

from __future__ import annotations

import os
import resource
import time
from html import escape

import pytest

from tests.parse.documents import documents
from tests.parse.links.heavy import DEPTH, HEAVY, MANY, depth
from tests.support import long_tables
from tests.support.cases import one_in
from ttcrawl.config import Duplicates, Links, Record
from ttcrawl.parse.links import weight
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.wanted import Wanted, wanted
from ttcrawl.parse.links.weight import too_heavy
from ttcrawl.read.page import read_page
from ttcrawl.ring.limits import limit_memory
from ttcrawl.vocabulary.kind import LETTERS

EVERY = Wanted(kinds=frozenset(map(ord, LETTERS.values())), landmarks=True, anchors=True)
MEGABYTE = 1_000_000
#: These have a tree, and it does not take long.
LONG = {
    **{
        piece: lambda n, piece=piece: piece * (n // len(piece))
        for piece in (
            *(
                "<p>",
                "<p>x</p>\n",
                "<a href=x>",
                "<a href=x>t</a>",
                "<li>",
                "<dd>",
                "<td>",
                "<br>",
                "<meta>",
                "<h1><h2>",
            ),
            *("<table><tr><td>x</table>", "<tr><td>x", "<option>", "<svg><path d='M0'/></svg>", "<img src=x>", "</p>"),
            *("<!--x-->", "<", "<a", "</", "&amp;", "<b>x</b>", "<p><b>x</b>", "<div><i>x</i></div>", "<!", "<?"),
            *("<p><font color=red>x</font>", "<span class='k'>x</span> ", "<b><p>x</p></b>", "<nobr>"),
        )
    },
    "a table": lambda n: "<table>" + "<tr><td><b>x<td><p>y" * (n // 20),
    "a list": lambda n: "<ul>" + "<li><p>x <a href=x>y</a>" * (n // 24),
    "a script": lambda n: "<script>" + "if (a <b && c >d) e(" * (n // 20) + "</script><a href=x>",
    "attributes of many elements": lambda n: ("<p " + "".join(f"a{i}=b " for i in range(100)) + ">") * (n // 800),
    "one long attribute": lambda n: "<a href=x title='" + "a b=c " * (n // 6) + "'>",
    "a comment": lambda n: "<!--" + "<div>" * (n // 5) + "-->",
    "distinct formatting that ends": lambda n: "".join(f"<b a={i}>x</b>" for i in range(n // 16)),
}
ALL = {name: make for name, (make, _) in HEAVY.items()} | LONG


def read(html: bytes, parser: str = "lexbor") -> str:
    """The reading of a page in a process of its own that may take ten seconds: what served, and why not others."""
    out, into = os.pipe()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
        limit_memory(Links().max_memory)
        page = extract(html, "http://a.test/", parser, EVERY)
        read_page(page.tree, html, {}, frozenset(page.anchors), str, Record(), Duplicates())
        os.write(into, f"{page.parser} {page.error}".encode())
        os._exit(0)
    os.close(into)
    with os.fdopen(out, "rb") as pipe:
        said = pipe.read().decode()
    os.waitpid(child, 0)
    return said


@pytest.mark.slow
@pytest.mark.parametrize("name", one_in(3, ALL, long_tables.LONG))
def test_a_megabyte_of_anything_is_read(name: str) -> None:
    expected = f"regex lexbor: {HEAVY[name][1]}" if name in HEAVY else "lexbor "
    assert read(ALL[name](MEGABYTE).encode()) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", ["attributes", "<ul><li>", "<b></p>", "copies", "<p>", "a table"])
def test_a_megabyte_of_some_of_these(name: str) -> None:
    test_a_megabyte_of_anything_is_read(name)


@pytest.mark.parametrize("name", one_in(3, HEAVY))
def test_why(name: str) -> None:
    assert too_heavy(HEAVY[name][0](MEGABYTE).encode()) == HEAVY[name][1]


@pytest.mark.parametrize("name", one_in(3, LONG))
def test_why_not(name: str) -> None:
    assert too_heavy(LONG[name](MEGABYTE // 4).encode()) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", HEAVY)
def test_short_pages_need_no_look(name: str) -> None:
    """What is too short to be counted is read in the time that there is."""
    size = weight.LARGE if HEAVY[name][1] == MANY else weight.TAGS * 3
    assert read(HEAVY[name][0](size - 1000).encode()) != ""


def test_links_of_a_heavy_page_are_found() -> None:
    html = b"<title>Deep</title>" + b"<a href=/first></a>" + b"<ul><li>" * 100_000 + b"<a href=/last></a>"
    page = extract(html, "http://a.test/", "lexbor", EVERY)
    assert (page.parser, page.hrefs, page.title) == ("regex", ["/first", "/last"], "Deep")
    assert page.error == f"lexbor: {DEPTH}" and page.treeless and page.tree is None


@pytest.mark.slow
def test_the_estimate_is_not_too_small() -> None:
    """html5lib's documents of tree construction, each many times over: those that lexbor nests deeply are told."""
    missed, told, deep = [], 0, 0
    for document in documents():
        html = document.encode("utf-8", "replace") * 60
        real, why = depth(html), too_heavy(html, tags=0, deepest=40)
        told, deep = told + bool(why), deep + (real > 60)
        if real > 60 and not why:
            missed.append((real, document))
    assert missed == [] and 0 < deep <= told


@pytest.mark.parametrize("inner", ["<b><i>" * 170_000, "<a " + " ".join(f"a{n}" for n in range(100_000)) + ">"])
@pytest.mark.parametrize(
    "around", ['<iframe srcdoc="{}"></iframe>', "<noframes>{}</noframes>", "<noembed>{}</noembed>"]
)
def test_what_a_page_hides_in_an_attribute_or_in_text_is_bounded_too(inner, around):
    """Markup that is no part of the tree is parsed on its own (ttcrawl.parse.links.inner)."""
    page = "<p><a href=/x>x</a>" + around.format(escape(inner))
    started = time.process_time()
    found = extract(page.encode(), "http://a.test/", "lexbor", wanted(Links()))
    assert found.hrefs == ["/x"] and time.process_time() - started < 5.0
