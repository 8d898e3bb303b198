"""Hand-made pages: what is left of them when the menus are gone."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.parse.reading import read
from tests.read.pages import LINKS, LONG, SENTENCE, main

pytestmark = pytest.mark.usefixtures("reader")

P = f"<p>{SENTENCE}</p>" * 3
TEXT = "\n".join([SENTENCE] * 3)
MENU = "".join(f"<p>Menu entry number {number}, which is no link but opens a list</p>" for number in range(40))
CONTENTS = "".join(
    f"<li><a href=/{number}>{number}. The chapter about something or other</a></li>" for number in range(60)
)
SHORT = "<h2>Bits</h2><p>There is nothing to set up here.</p>"
BITS = "Bits\nThere is nothing to set up here."

PAGES = {
    "nothing to leave out": (P, TEXT),
    "nav": (f"<nav><ul>{LINKS}</ul>Menu</nav>{P}", TEXT),
    "footer": (f"{P}<footer>© 2026 Somebody</footer>", TEXT),
    "header and footer": (f"<header>Site name</header>{P}<footer>Imprint</footer>", TEXT),
    "a header that holds the title": (f"<article><header><h1>Title</h1></header>{P}</article>", f"Title\n{TEXT}"),
    "aside": (f"{P}<aside><h2>Also read</h2><p>Something else.</aside>", TEXT),
    "roles": (f"<div role=navigation>Menu</div><div role=main>{P}</div><div role=contentinfo>Imprint</div>", TEXT),
    "main": (f"<div>Somewhere</div><main>{P}</main><div>Something short</div>", TEXT),
    "an empty main": (f"<main></main><div>{P}</div>", TEXT),
    "two articles": (f"<article>{P}</article><article>{P}</article>", f"{TEXT}\n{TEXT}"),
    "class names": (f"<div class=sphinxsidebar>Contents</div>{P}<div class='page-footer x'>Imprint</div>", TEXT),
    "camel case": (f"<div id=leftSideNav>Contents</div>{P}<div class=mainMenu>Menu</div>", TEXT),
    "no name of a menu": (f"<div class=navigable>a</div><div class=submenus>b</div>{P}", f"a\nb\n{TEXT}"),
    "content by id": (f"<div>Somewhere</div><div id=content>{P}</div><div>Something</div>", TEXT),
    "a class that hides another element": (
        f"<div class=x>{P}</div><div class=field-label-hidden>Text</div><div class=hidden>x</div>",
        f"{TEXT}\nText",
    ),
    "cookies": (f"<div id=cookie-banner><p>We value your privacy.<button>Accept</button></div>{P}", TEXT),
    "dialogs": (f"<dialog>Subscribe!</dialog><div role=dialog>Buy!</div><noscript>No script!</noscript>{P}", TEXT),
    "a form of the page": (f"<form id=aspnet>{P}<input></form>", TEXT),
    "a form to search": (f"<form>Search: <input><button>Go</button></form>{P}", TEXT),
    "links at the beginning": (f"<ul>{LINKS}</ul>{P}", TEXT),
    "links at the end": (f"{P}<ul>{LINKS}</ul>", TEXT),
    "links in a line": (
        f"<p><a href=1>Prev</a> | <a href=2>Up</a> | <a href=3>Next</a></p><p><a href=4>Top</a>{P}",
        TEXT,
    ),
    "links in a table": (f"<table><tr><td><a href=1>Prev</a><td>|<td><a href=3>Next</a></table>{P}", TEXT),
    "links within the text": (
        f"{P}<ul>{LINKS}</ul>{P}",
        f"{TEXT}\nHome\nNews\nProducts\nContact\n{TEXT}",
    ),
    "a long list of links within the text": (f"{P}<ul>{LINKS * 3}</ul>{P}", f"{TEXT}\n{TEXT}"),
    "links in a sentence": (f"<p>See <a href=1>here</a>.</p>{P}", f"See here.\n{TEXT}"),
    "a page of links": (f"<ul>{LINKS}</ul>", "Home\nNews\nProducts\nContact"),
    "everything is a menu": (f"<nav>{P}</nav>", TEXT),
    "everything is named as one": (f"<div class=sidebar><div class=menu>{P}</div></div>", TEXT),
    "a menu around the page": (f"<div class=nav-open><ul>{LINKS}</ul><main>{P}</main></div>", TEXT),
    "the title in a banner": (f"<div class=banner><h1>Title</h1></div>{P}", f"Title\n{TEXT}"),
    "nested": (f"<div class=wrap><div class=header></div><nav><div class=menu>a</div>b</nav>{P}</div>", TEXT),
    "nothing": ("", ""),
}

#: What a page says of itself in the words of HTML, ARIA or schema.org wins, however long the rest is.
EXPLICIT = {
    "a nav longer than main": (f"<nav>{MENU}</nav><main>{SHORT}</main>", BITS),
    "a menu of links longer than main": (f"<div><ul>{CONTENTS}</ul></div><main>{SHORT}</main>", BITS),
    "text longer than main": (f"<div>{MENU}</div><main>{SHORT}</main>", BITS),
    "text longer than what has the role main": (f"<div>{MENU}</div><div role=main>{SHORT}</div>", BITS),
    "of several roles the first that is known": (f"<div>{MENU}</div><div role='x Main article'>{SHORT}</div>", BITS),
    "a role counts more than the element": (f"<div>{MENU}</div><aside role=main>{SHORT}</aside>", BITS),
    "a nav longer than a page without main": (f"<nav>{MENU}</nav>{SHORT}", BITS),
    "navigation": (f"<div role=navigation>{MENU}</div>{SHORT}", BITS),
    "a table of contents": (f"<section role=doc-toc>{MENU}</section>{SHORT}", BITS),
    "a search": (f"<div role=search>{MENU}</div>{SHORT}", BITS),
    "a header": (f"<header>{MENU}</header>{SHORT}", BITS),
    "a banner": (f"<div role=banner>{MENU}</div>{SHORT}", BITS),
    "a footer": (f"{SHORT}<footer>{MENU}</footer>", BITS),
    "an aside": (f"{SHORT}<aside>{MENU}</aside>", BITS),
    "a complementary part": (f"{SHORT}<div role=complementary>{MENU}</div>", BITS),
    "an aside with an article of its own": (f"{SHORT}<aside><article>{MENU}</article></aside>", BITS),
    "a nav within main": (f"<main><nav>{MENU}</nav>{SHORT}</main>", BITS),
    "a nav that holds main": (f"<nav><ul>{LINKS}</ul><main>{SHORT}</main></nav>", BITS),
    "the name of the site in a header": (f"<header><h1>Site</h1>{MENU}</header>{SHORT}", f"Site\n{BITS}"),
    "of two main elements the larger": (f"<main>{SHORT}</main><main>{P}</main><main>{SHORT}</main>", TEXT),
    "of two the one that is shown": (f"<main hidden>{P}</main><main>{SHORT}</main>", BITS),
    "main in what is hidden": (f"<div style='display:none'><main>{P}</main></div>{SHORT}", BITS),
    "main in a template": (f"<template><main>{P}</main></template>{SHORT}", BITS),
    "main that a script fills": (
        f"<main>Loading, please wait...</main><div>{P}</div>",
        f"Loading, please wait...\n{TEXT}",
    ),
    "main of links": (
        f"<div>{MENU}</div><main><ul>{LINKS * 3}</ul></main>",
        "\n".join(["Home", "News", "Products", "Contact"] * 3),
    ),
    "main of links in a page of links": (
        f"<ul>{CONTENTS}</ul><main><ul>{LINKS * 3}</ul></main>",
        "\n".join(["Home", "News", "Products", "Contact"] * 3),
    ),
    "an article": (f"<div>Somewhere else, and not short</div><article>{P}</article><div>{LINKS}</div>", TEXT),
    "an article in main": (f"<main><div>{LINKS} Share this with all</div><article>{P}</article></main>", TEXT),
    "an article and teasers": (f"<article>{P}</article>" + "<article>A teaser of another page</article>" * 3, TEXT),
    "an index of articles": (
        f"<div>About me</div><article>{SHORT}</article><article>{P}</article><article>{P}</article>",
        f"{BITS}\n{TEXT}\n{TEXT}",
    ),
    "an article with comments": (
        f"<article>{P}<article>I do not think so</article></article>",
        f"{TEXT}\nI do not think so",
    ),
    "the body of an article": (
        f"<article><h1>T</h1><p>By somebody</p><div itemprop='articleBody x'>{P}</div>Tags</article>",
        TEXT,
    ),
    "the body by its class": (f"<div class=content>By somebody<div class=entry-content>{P}</div>Tags</div>", TEXT),
}

#: Generators of documentation that know no such elements: classes and ids, and what is no link.
NAMED = {
    "contents longer than the text": (
        f"<div id=main>{SHORT}<div id=footer>{SENTENCE}</div></div>"
        f"<div id=tocframe><div class=contents><ul>{CONTENTS}</ul></div></div>",
        BITS,
    ),
    "a heading with the words of a link": (
        "<div id=main><h2>4. The chapter about something or other</h2></div>"
        f"<div class=contents><ul>{CONTENTS}</ul></div>",
        "4. The chapter about something or other",
    ),
    "a list of links under a heading": (
        f"<div class=content><h1>Title</h1>{P}<h2>Methods</h2><ul>{LINKS * 2}</ul><h2>More</h2>{P}</div>",
        "\n".join(("Title", TEXT, "Methods", *("Home", "News", "Products", "Contact") * 2, "More", TEXT)),
    ),
    "a menu under a heading before the title": (
        f"<div class=content><p>Site</p><h2>Menu</h2><ul>{LINKS * 2}</ul><h1>Title</h1>{P}</div>",
        f"Site\nMenu\nTitle\n{TEXT}",
    ),
    "where MediaWiki says what a page is part of": (
        f"<div id=content><h1>Title</h1><div id=siteSub>From the wiki</div><div id=contentSub>Manual</div>{P}</div>",
        f"Title\n{TEXT}",
    ),
    "of two names the one with text": (f"<div class=content>{SHORT}</div><div class=content>{P}</div>", TEXT),
    "a sidebar longer than the text": (f"<div class=sidebar>{MENU}</div><div class=content>{SHORT}</div>", BITS),
    "a sidebar around the text": (f"<div class=has-sidebar><h2>Site</h2><div class=content>{P}</div></div>", TEXT),
    "contents of a doxygen page": (
        f"<div class=header>Main Page</div><div class=contents>{P}</div><hr>Generated by it",
        TEXT,
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_main_text(name):
    html, expected = PAGES[name]
    assert main(html) == expected


@pytest.mark.parametrize("name", EXPLICIT)
def test_what_a_page_says_of_itself_wins(name):
    html, expected = EXPLICIT[name]
    assert main(html) == expected


@pytest.mark.parametrize("name", NAMED)
def test_documentation_without_landmarks(name):
    html, expected = NAMED[name]
    assert main(html) == expected


#: Nothing is said: of a page like this only the prose is main text.
TEASERS = "".join(
    f"<div><a href=/{n}>Something else that happened on day {n}</a></div><div>{n} comments</div>" for n in range(9)
)
JAPANESE = "私はその人を常に先生と呼んでいた。だからここでもただ先生と書くだけで本名は打ち明けない。"
UNNAMED = {
    "an article between links": (
        f"<div>{TEASERS}</div>{f'<div>{LONG}</div>' * 4}<div>{TEASERS}</div>",
        "\n".join([LONG] * 4),
    ),
    "with short lines in it": (
        f"{TEASERS}{f'<p>{LONG}' * 3}<p>So what?{f'<p>{LONG}' * 3}{TEASERS}",
        "\n".join([*[LONG] * 3, "So what?", *[LONG] * 3]),
    ),
    "a title, a date and a heading before it": (
        f"{TEASERS}<a href=/up>Up</a><h1>Notes</h1><p>4 May<h2>Fixes</h2>{f'<p>{LONG}' * 4}{TEASERS}",
        "\n".join(["Notes", "4 May", "Fixes", *[LONG] * 4]),
    ),
    "what is cut off has links": (
        f"<p>A title<p>A date{f'<p>{LONG}' * 4}",
        "\n".join(["A title", "A date", *[LONG] * 4]),
    ),
    "no prose": (
        "".join(f"<dt>word {n}<dd>is a word" for n in range(40)),
        "\n".join(f"word {n}\nis a word" for n in range(40)),
    ),
    "prose of a script without spaces": (f"{TEASERS}{f'<p>{JAPANESE}' * 4}{TEASERS}", "\n".join([JAPANESE] * 4)),
}


@pytest.mark.parametrize("name", UNNAMED)
def test_prose_where_nothing_is_said(name):
    html, expected = UNNAMED[name]
    assert main(html) == expected


#: Wrappers of an article: their names tell what it has or stands beside.
WRAPPERS = (
    "has-sidebar no-sidebar with-sidebar content-with-sidebar content-with-sidebar-wrp content-sidebar related-layout"
    " page-menu-layout comments-open menu-open layout--sidebar-right post-with-comments__body noSidebar hasRelatedPosts"
    " search-results cookie-recipes sidebar-page comment"
)
#: What is cut, wherever it is: the complete name or its end, without words for its parts.
ASIDES = (
    "sidebar sidebar-left leftSidebar region-sidebar-second sidebar-1 main-menu nav__list nav--wide header__nav footer"
    " page-footer footer-wrapper footer__logo related-posts relatedArticles share-buttons social-tools cookie-notice"
    " site-search-form newsletter-signup comments comments-area comment-list post-comments nav-panel prev-next"
    " user-comment comment-item printfooter related-content relatedposts author-bio post-tags"
    " catlinks"
)
ARTICLE = "".join(f"<p>{LONG} Part {part}.</p>" for part in range(6))
ARTICLE_TEXT = "\n".join(f"{LONG} Part {part}." for part in range(6))
OTHER = "".join(f"<div><h3>Other news {n}</h3><p>{SENTENCE} This is a teaser of page {n}.</p></div>" for n in range(30))


@pytest.mark.parametrize("name", WRAPPERS.split())
def test_an_article_is_not_lost_for_the_name_of_its_wrapper(name):
    wrapper = f"<div class='{name}'>{ARTICLE}</div><p>Photo: A. Nobody</p>"
    text = f"{ARTICLE_TEXT}\nPhoto: A. Nobody"
    assert main(f"<div role=main><article>{wrapper}</article></div><div>{OTHER}</div>") == text
    assert ARTICLE_TEXT in main(f"<div>{wrapper}</div><div>{OTHER}</div>")


@pytest.mark.parametrize("name", ASIDES.split())
def test_names_of_asides(name):
    aside = f"<div class='{name}'><p>Something short</p><p>and more</p></div>"
    assert main(f"<article>{ARTICLE}{aside}</article>") == ARTICLE_TEXT
    assert main(f"{ARTICLE}{aside}{ARTICLE}") == f"{ARTICLE_TEXT}\n{ARTICLE_TEXT}"


REMARK = f"<p>{LONG} So says a reader.</p>"
BOX = f"<p>{LONG} This is in a box.</p>"
BOX_TEXT = f"{LONG} This is in a box."
HEADLINE = "<a href=/other>Something else that happened on that day</a>"
INSIDE = {
    "a box of a manual": (
        f"<h2>Routing</h2>{ARTICLE}<div class=sidebar>{BOX}</div>",
        f"Routing\n{ARTICLE_TEXT}\n{BOX_TEXT}",
    ),
    "a box that is short": (f"{ARTICLE}<div class=sidebar><p>Follow us today</div>", ARTICLE_TEXT),
    "a box with a headline": (f"{ARTICLE}<div class=sidebar>{HEADLINE}{BOX}</div>", ARTICLE_TEXT),
    "the element, prose": (f"<main>{ARTICLE}<aside>{BOX}</aside></main>", f"{ARTICLE_TEXT}\n{BOX_TEXT}"),
    "the element, a teaser": (f"<main>{ARTICLE}<aside>{HEADLINE}{BOX}</aside></main>", ARTICLE_TEXT),
    "the element, a note": (
        f"<main>{ARTICLE}<aside role=note>Mind the gap.</aside></main>",
        f"{ARTICLE_TEXT}\nMind the gap.",
    ),
    "the element, outside": (f"{ARTICLE}<aside>{BOX}</aside>", ARTICLE_TEXT),
    "comments longer than the article": (
        f"<article>{ARTICLE}<div id=comments>{REMARK * 20}</div></article>",
        ARTICLE_TEXT,
    ),
    "comments that are articles": (
        f"<article>{ARTICLE}<ol class=comment-list>{f'<li><article>{REMARK}</article>' * 20}</ol></article>",
        ARTICLE_TEXT,
    ),
    "an article that is a comment": (
        f"<article>{ARTICLE}{f'<article class=comment>{REMARK}</article>' * 5}</article>",
        ARTICLE_TEXT,
    ),
    "a page of comments": (
        f"<article><h1>T</h1><div class=comments>{REMARK * 3}</div></article>",
        "\n".join(["T", *[REMARK[3:-4]] * 3]),
    ),
    "a cookie banner": (f"<article><div class=cookie-consent>{BOX}</div>{ARTICLE}</article>", ARTICLE_TEXT),
    "teasers after it": (f"<article>{ARTICLE}<h3>More</h3>{TEASERS}</article>", ARTICLE_TEXT),
    "teasers beside one line of prose": (
        f"<article><p>{LONG}</p>{TEASERS}</article>",
        "\n".join(
            [LONG, *(line for n in range(9) for line in (f"Something else that happened on day {n}", f"{n} comments"))]
        ),
    ),
    "a header with links": (
        f"<div class=header><p>Next: <a href=1>Strings</a></div><h3>Numbers</h3>{ARTICLE}",
        f"Numbers\n{ARTICLE_TEXT}",
    ),
    "a header with a heading": (
        f"<div class=header><h2>Numbers</h2>By me</div>{ARTICLE}",
        f"Numbers\nBy me\n{ARTICLE_TEXT}",
    ),
    "the title of a Doxygen page without more": (
        "<div class=top>Project</div><div class=headertitle><div class=title>A Class of it</div></div>"
        "<div class=contents></div><hr>Generated by it",
        "A Class of it",
    ),
    "the title of a Doxygen page": (
        "<div class=header><div class=headertitle><div class=title>A Class</div></div></div>"
        f"<div class=contents>{P}</div><hr>Generated by it",
        f"A Class\n{TEXT}",
    ),
}


@pytest.mark.parametrize("name", INSIDE)
def test_asides_inside_the_main_text(name):
    html, expected = INSIDE[name]
    assert main(html) == expected


INTRODUCTION = f"<h1>Guides</h1><p>{SENTENCE}</p>"
CONTENTS_TEXT = "\n".join(f"{n}. The chapter about something or other" for n in range(60))
DESCRIBED = "".join(f"<dt><a href=/{n}>Directive {n}</a><dd>Sets value {n}" for n in range(9))
DESCRIBED_TEXT = "\n".join(f"Directive {n}\nSets value {n}" for n in range(9))
MODULES = "".join(f"<li><a href=/{n}>library.{n:03}</a>" for n in range(12))
INDEXES = {
    "under the heading": (f"<div id=x>{INTRODUCTION}<ul>{CONTENTS}</ul></div>", f"Guides\n{SENTENCE}\n{CONTENTS_TEXT}"),
    "beside navigation": (
        f"<nav>{LINKS}</nav>{INTRODUCTION}<ul>{CONTENTS}</ul>",
        f"Guides\n{SENTENCE}\n{CONTENTS_TEXT}",
    ),
    "in an article": (f"<article>{INTRODUCTION}<ul>{CONTENTS}</ul></article>", f"Guides\n{SENTENCE}\n{CONTENTS_TEXT}"),
    "a menu before the heading, but little else": (
        f"<ul>{LINKS}</ul>{INTRODUCTION}<ul>{CONTENTS}</ul>",
        f"Guides\n{SENTENCE}\n{CONTENTS_TEXT}",
    ),
    "after an article": (f"<h1>Guides</h1>{ARTICLE}<ul>{CONTENTS}</ul>", f"Guides\n{ARTICLE_TEXT}"),
    "not a menu by name that has a heading, beside little text": (
        f"<div id=navigation><h1>The site</h1><h2>Contents</h2><ul>{MODULES}</ul></div>{SHORT}",
        f"The site\nContents\n{BITS}",
    ),
    "with descriptions, after prose": (
        f"<div id=content>{ARTICLE}<dl>{DESCRIBED}</dl></div><p>Imprint of the site",
        f"{ARTICLE_TEXT}\n{DESCRIBED_TEXT}",
    ),
}


@pytest.mark.parametrize("name", INDEXES)
def test_a_list_of_links_that_is_the_content(name):
    html, expected = INDEXES[name]
    assert main(html) == expected


HOSTILE = {
    "main elements": "<main><nav>x</nav><header><h1>t</h1></header>abc d e f</main>" * 15_000,
    "articles": "<article><h1>a b c</h1><div itemprop=articleBody>some text here and there</div></article>" * 15_000,
    "asides in one another": "<div class=menu>abc" * 390 + "<header><h1>x</h1></header>" * 15_000,
    "named ones in one another": "<div class=menu>" * 390 + "<div class=content>abc</div>" * 15_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_many_parts_take_linear_time(name):
    """The first took a minute and a half when each part was looked for in each."""
    began = time.process_time()
    main(HOSTILE[name])
    assert time.process_time() - began < 15


def test_links_in_headers_have_texts_too(tmp_path: Path) -> None:
    body = f"<p>Up | Next</p>{f'<p>{LONG}</p>' * 3}<ul>{LINKS}</ul>".encode()
    headers = (("Content-Type", "text/html; charset=utf-8"), ("Link", '</a>; rel=next; title="Next"'))
    plain = read(tmp_path / "plain", "http://a.test/", body)
    linked = read(tmp_path / "linked", "http://a.test/", body, headers=(*headers, ("Link", '</b>; rel=up; title="Up"')))
    words = [page.reading.metadata.main_words for page in (plain, linked) if page.reading.metadata]
    assert words[0] - words[1] == 3
