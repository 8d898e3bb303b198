"""What the compiled reader and the Python reader make of a page, in the same form."""

from __future__ import annotations

from typing import Any

from ttcrawl.config import Config
from ttcrawl.parse.compiled import CompiledPage, CompiledReader
from ttcrawl.parse.links import by_lexbor
from ttcrawl.parse.links.raw_links import RawLinks
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.read.blocks import Lines, lines
from ttcrawl.read.declarations import Attributes, Declarations, declarations
from ttcrawl.read.landmarks import mark_blocks
from ttcrawl.read.tree import flatten
from ttcrawl.vocabulary.kind import LETTERS
from ttcrawl.web.charset.detect import UTF8

URL = "http://docs.example/dir/page.html"
#: Text links are found in the tree alone.
EVERYTHING = Wanted(kinds=frozenset(map(ord, LETTERS.values())) - {ord("T")}, landmarks=True, anchors=True)


def reader(wanted: Wanted = EVERYTHING) -> CompiledReader:
    return CompiledReader(wanted, Config())


def by_core(page: CompiledPage) -> dict[str, Any]:
    assert page.declarations is not None and page.lines is not None
    return _of_links(page.links) | _of_declarations(page.declarations) | _of_lines(page.lines)


def by_python(html: bytes, wanted: Wanted = EVERYTHING) -> dict[str, Any]:
    links = by_lexbor.find(html, URL, False, wanted, UTF8)
    assert links.tree is not None
    flat = flatten(links.tree, html)
    assert flat is not None and flat.body is not None
    declared = declarations(flat)
    mark_blocks(flat)
    return _of_links(links) | _of_declarations(declared) | _of_lines(lines(flat.body))


def _of_links(links: RawLinks) -> dict[str, Any]:
    names = ("base", "hrefs", "kinds", "landmarks", "nofollow", "anchors", "metas", "title")
    return {name: getattr(links, name) for name in names}


def _of_declarations(declared: Declarations) -> dict[str, Any]:
    return {
        "meta": [(_plain(attributes), is_of_other) for attributes, is_of_other in declared.metas],
        "time": [(_plain(attributes), is_of_other) for attributes, is_of_other in declared.times],
        "link": list(map(_plain, declared.links)),
        "html": _plain(declared.html),
        "scripts": declared.scripts,
        "headings": declared.headings,
    }


def _of_lines(page_lines: Lines) -> dict[str, Any]:
    names = ("lines", "blocks", "blanks", "count", "preformatted")
    return {name: getattr(page_lines, name) for name in names}


def _plain(attributes: Attributes) -> dict[str, str]:
    """Names in SVG have other letter case in the tree."""
    return {name.lower(): value or "" for name, value in attributes.items()}
