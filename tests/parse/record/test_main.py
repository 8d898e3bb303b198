"""Hand-made pages: what is left of them when the menus are gone."""

from __future__ import annotations

import zlib

import pytest

from ttcrawl import config
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.parse.record.read import read_record

SENTENCE = "The quick brown fox jumps over the lazy dog, and nobody minds at all."
P = f"<p>{SENTENCE}</p>" * 3
TEXT = "\n".join([SENTENCE] * 3)
LINKS = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("Home", "News", "Products", "Contact"))
WANTED = wanted(config.Links())


def main(html: str) -> str:
    body = html.encode()
    page = extract(body, "http://a.test/", "lexbor", WANTED)
    record, text, _ = read_record(page.tree, body, {}, frozenset(page.anchors), str, config.Record())
    central = zlib.decompress(text.packed if text.main is None else text.main).decode()
    assert record.main_words == len(central.split()) and text.main_size == len(central.encode())
    return central


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


@pytest.mark.parametrize("name", PAGES)
def test_main_text(name):
    html, expected = PAGES[name]
    assert main(html) == expected
