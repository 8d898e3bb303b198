"""Parts of the main text that are outside of the elements which HTML has for it."""

from __future__ import annotations

import pytest

from tests.read.pages import LINKS, LONG, SENTENCE, main

pytestmark = pytest.mark.usefixtures("reader")

PROSE = f"<p>{LONG}</p>"
MENU = "<a href=/a>Home</a>"

#: A page describes itself before its articles, which have less than most of the text.
PARTS = {
    "several articles and a description": (
        f"<div class=content><h1>Module</h1>{PROSE}<article>{PROSE * 2}</article><article>{PROSE * 2}</article></div>",
        "\n".join(["Module", *[LONG] * 5]),
    ),
    "one article with less than most of the text": (
        f"<div class=content>{PROSE * 2}<article>{PROSE * 2}</article></div>",
        "\n".join([LONG] * 4),
    ),
    "one article with most of the text": (
        f"<div class=content><p>{SENTENCE}<article>{PROSE * 2}</article></div>",
        "\n".join([LONG] * 2),
    ),
    "articles with nearly all of the text": (
        f"<div class=content>Three news<article>{PROSE}</article><article>{PROSE}</article></div>",
        "\n".join([LONG] * 2),
    ),
    "text outside the element": (
        f"{PROSE * 2}<div class=content><article>{PROSE}</article><article>{PROSE}</article></div>",
        "\n".join([LONG] * 2),
    ),
    "a thread": (
        f"<main><div class=post><article>{PROSE * 3}</article></div>By me<article>{PROSE}</article></main>",
        "\n".join([LONG] * 4),
    ),
    "an article and what is much shorter": (
        f"<main><article>{PROSE * 4}</article><article>{PROSE}</article></main>",
        "\n".join([LONG] * 4),
    ),
    "an article with a body": (
        f"<div class=content>{PROSE * 2}<article><h1>T</h1><div class=entry-content>{PROSE}</div></article></div>",
        LONG,
    ),
}

HEADERS = {
    "a title and prose": (f"<header><h1>T</h1>{PROSE}<p>End</header>{PROSE}", ["T", LONG, LONG]),
    "short lines before the last prose": (
        f"<header>Site<h1>T</h1>{PROSE}<p>%a: a day{PROSE}</header>{PROSE}",
        ["T", LONG, "%a: a day", LONG, LONG],
    ),
    "a menu before prose": (
        f"<header><h1>T</h1><nav>{LINKS}</nav>{PROSE}</header>{PROSE}",
        ["T", LONG, LONG],
    ),
    "prose before the title": (f"<header>{PROSE}<h1>T</h1></header>{PROSE * 2}", ["T", LONG, LONG]),
    "no title": (f"<header>{PROSE}</header>{PROSE * 2}", [LONG, LONG]),
    "beside main": (f"<header><h1>T</h1>{PROSE}</header><main>{PROSE * 2}</main>", [LONG, LONG]),
}

BEFORE_HEADING = {
    "links in brackets": (
        f"<p>[<a href=1>Prev</a>][<a href=2>Next page</a>]<p>Manual<h1>Title</h1>{PROSE}",
        ["Title", LONG],
    ),
    "with spaces between": (
        f"<p>[ <a href=1>Prev</a> ] [ <a href=2>Next page</a> ]<h1>Title</h1>{PROSE}",
        ["Title", LONG],
    ),
    "one link": (f"{MENU}<h2>Title</h2>{PROSE}", ["Title", LONG]),
    "more text than links": (
        f"{MENU}<p>All that is new<h1>Title</h1>{PROSE}",
        ["Home", "All that is new", "Title", LONG],
    ),
    "brackets in code": (f"<p>a[i][j]<h1>Title</h1>{PROSE}", ["a[i][j]", "Title", LONG]),
    "headings that link to the page itself": (
        f"<a href=#1>Name</a><p><a href=#2>Use</a>"
        f"<h1 id=1><a href=#top>Name</a></h1><p>x is y<h1 id=2><a>Use</a></h1>{PROSE}",
        ["Name", "x is y", "Use", LONG],
    ),
    "headings that link to other pages": (
        f"<h2><a href=/1>Name</a></h2><h2><a href=/2>Use</a></h2>{PROSE}",
        [LONG],
    ),
    "no heading": (f"{MENU}{PROSE}", ["Home", LONG]),
}


@pytest.mark.parametrize("name", PARTS)
def test_articles_that_are_part_of_an_element(name: str) -> None:
    html, expected = PARTS[name]
    assert main(html) == expected


@pytest.mark.parametrize("name", HEADERS)
def test_the_introduction_in_a_header(name: str) -> None:
    html, expected = HEADERS[name]
    assert main(html).split("\n") == expected


@pytest.mark.parametrize("name", BEFORE_HEADING)
def test_links_before_the_heading(name: str) -> None:
    html, expected = BEFORE_HEADING[name]
    assert main(html).split("\n") == expected
