"""What the compiled reader and the Python reader make of a page, in the same form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from ttcrawl import core
from ttcrawl.config import Config, Duplicates
from ttcrawl.parse.compiled import CompiledPage, CompiledReader, Rules
from ttcrawl.parse.links import by_lexbor
from ttcrawl.parse.links.raw_links import RawLinks
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.read.blocks import Block, lines
from ttcrawl.read.declarations import Attributes, Declarations, declarations
from ttcrawl.read.landmarks import mark_blocks
from ttcrawl.read.texts import page_texts
from ttcrawl.read.tree import flatten
from ttcrawl.vocabulary.kind import LETTERS
from ttcrawl.web.charset.detect import UTF8

URL = "http://docs.example/dir/page.html"
#: Text links are found in the tree alone.
EVERYTHING = Wanted(kinds=frozenset(map(ord, LETTERS.values())) - {ord("T")}, landmarks=True, anchors=True)
#: So that short texts have shingles.
COMPARED = Duplicates(min_words=1)


def reader(wanted: Wanted = EVERYTHING) -> CompiledReader:
    return CompiledReader(wanted, replace(Config(), duplicates=COMPARED))


@cache
def native_reader(wanted: Wanted) -> core.native.Reader:
    config = Config()
    return core.native.Reader(Rules(wanted, config.record, config.duplicates))


def by_core(page: CompiledPage, html: bytes, wanted: Wanted = EVERYTHING) -> dict[str, Any]:
    assert page.declarations is not None and page.texts is not None
    found = native_reader(wanted).lines(html)
    assert not isinstance(found, str)
    texts, blocks, preformatted = found
    lines_of_page = {
        "lines": texts,
        "blocks": [Block(*block) for block in blocks],
        "preformatted": preformatted,
        "texts": page.texts,
    }
    return _of_links(page.links) | _of_declarations(page.declarations) | lines_of_page


def by_python(html: bytes, wanted: Wanted = EVERYTHING) -> dict[str, Any]:
    links = by_lexbor.find(html, URL, False, wanted, UTF8)
    assert links.tree is not None
    flat = flatten(links.tree, html)
    assert flat is not None and flat.body is not None
    declared = declarations(flat)
    mark_blocks(flat)
    found = lines(flat.body)
    texts = page_texts(found, frozenset(links.anchors), Config().record, COMPARED)
    lines_of_page = {
        "lines": found.lines,
        "blocks": found.blocks,
        "preformatted": list(found.preformatted),
        "texts": texts,
    }
    return _of_links(links) | _of_declarations(declared) | lines_of_page


def _of_links(links: RawLinks) -> dict[str, Any]:
    names = ("base", "kinds", "landmarks", "nofollow", "metas", "title")
    texts = {"hrefs": list(links.hrefs), "anchors": list(links.anchors)}
    return texts | {name: getattr(links, name) for name in names}


def _of_declarations(declared: Declarations) -> dict[str, Any]:
    return {
        "meta": [(_plain(attributes), is_of_other) for attributes, is_of_other in declared.metas],
        "time": [(_plain(attributes), is_of_other) for attributes, is_of_other in declared.times],
        "link": list(map(_plain, declared.links)),
        "html": _plain(declared.html),
        "scripts": declared.scripts,
        "headings": declared.headings,
    }


def _plain(attributes: Attributes) -> dict[str, str]:
    """Names in SVG have other letter case in the tree."""
    return {name.lower(): value or "" for name, value in attributes.items()}


def differing(pages: Iterable[bytes], wanted: Wanted = EVERYTHING) -> list[bytes]:
    """The pages on which the readers disagree; a page that is left to Python is none."""
    compiled = reader(wanted)
    read = ((html, compiled.read(html)) for html in pages)
    of_core = ((html, page) for html, page in read if isinstance(page, CompiledPage))
    return [html for html, page in of_core if by_core(page, html, wanted) != by_python(html, wanted)]
