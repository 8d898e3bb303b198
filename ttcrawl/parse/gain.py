"""What only the browser showed of a page: its links and words that the answer has not."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import xxhash
from selectolax.lexbor import LexborHTMLParser

from ttcrawl import config
from ttcrawl.parse.links.by_lexbor import OPTIONS
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.parse.links.weight import too_heavy
from ttcrawl.read.blocks import lines
from ttcrawl.read.stripped import stripped
from ttcrawl.read.tree import flatten
from ttcrawl.ring.browsing import Gain
from ttcrawl.ring.rendering import Rendering
from ttcrawl.web.canon import Canon
from ttcrawl.web.charset.detect import to_utf8

NOTHING = Gain(links=0, words=0, digest=b"")


class GainReader:
    """Compares both readings of a page: links of the kinds that are followed, and the words of the complete text.

    Links and words that the scripts removed, or moved, count for nothing: the static reading has them.
    """

    def __init__(self, links: config.Links, canon: Canon) -> None:
        self._wanted, self._parser = Wanted(kinds=frozenset(config.link_kinds(links.kinds))), links.parser
        self._canon = canon

    def gain(self, url: str, body: bytes, charset: str, rendering: Rendering) -> Gain:
        """`body`: the answer without its codings; `charset`: of its header."""
        before, after = to_utf8(body, charset, url)[0], rendering.dom
        targets = {target for each in rendering.targets if (target := self._canon.resolve(url, each))}
        links = sorted((self._links(after, url) | targets) - self._links(before, url) - {url})
        words = sorted((_words(after) - _words(before)).elements())
        if not links and not words:
            return NOTHING
        shown = "\n".join((*links, "", *words)).encode("utf-8", "replace")
        return Gain(links=len(links), words=len(words), digest=xxhash.xxh3_128_digest(shown))

    def _links(self, html: bytes, url: str) -> set[str]:
        page = extract(html, url, self._parser, self._wanted)
        return {target for each in page.hrefs if (target := self._canon.resolve(page.base, each))}


def _words(html: bytes) -> Counter[str]:
    """The words of the text, and of the title."""
    flat = None
    if not too_heavy(html):
        with suppress(Exception):  # as in ttcrawl.parse.links.extract
            tree = LexborHTMLParser(html, options=OPTIONS)
            title = tree.css_first("title")
            heading = title.text() if title is not None else ""
            flat = flatten(tree, html)
    if flat is None:
        return Counter(stripped(html).split())
    text = "\n".join(lines(flat.body).lines) if flat.body is not None else ""
    return Counter(f"{heading} {text}".split())
