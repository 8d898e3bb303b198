"""The main text that is read from a page: with the fixture `reader`, by both readers."""

from __future__ import annotations

import zlib

from ttcrawl import config
from ttcrawl.parse.compiled import CompiledPage, CompiledReader
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.read.blocks import words
from ttcrawl.read.page import read_compiled, read_page

SENTENCE = "The quick brown fox jumps over the lazy dog, and nobody minds at all."
LONG = " ".join([SENTENCE] * 3)
LINKS = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("Home", "News", "Products", "Contact"))
WANTED = wanted(config.Links())


def main(html: str) -> str:
    body = html.encode()
    compiled = CompiledReader(WANTED, config.Config()).read(body)
    if isinstance(compiled, CompiledPage):
        metadata, text, _ = read_compiled(compiled.texts, compiled.declarations, {}, str, config.Record())
    else:
        page = extract(body, "http://a.test/", "lexbor", WANTED)
        metadata, text, _ = read_page(page.tree, body, {}, frozenset(page.anchors), str, config.Record())
    central = zlib.decompress(text.packed if text.main is None else text.main).decode()
    assert metadata.main_words == words(central) and text.main_size == len(central.encode())
    return central
