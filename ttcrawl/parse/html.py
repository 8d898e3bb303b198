"""The reader of HTML."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from selectolax.lexbor import LexborHTMLParser

from ttcrawl.canon import Canon
from ttcrawl.config import Config
from ttcrawl.parse.answer import Answer, Content
from ttcrawl.parse.charset import to_utf8
from ttcrawl.parse.directives import NOFOLLOW, directives
from ttcrawl.parse.links.extract import Extraction, extract
from ttcrawl.parse.links.follow import Follower
from ttcrawl.parse.links.header import with_headers
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.parse.record.read import read_record
from ttcrawl.traps import Contents


class HtmlReader:
    """`follower` is shared by the readers of a process."""

    def __init__(self, config: Config, canon: Canon, follower: Follower) -> None:
        self._parser = config.links.parser
        self._wanted = wanted(config.links)
        self._agent = config.agent.name
        self._settings = config.record
        self._canon = canon
        self._follower = follower
        self._contents = Contents() if config.traps.same_content else None

    def read(self, answer: Answer) -> Content:
        url = answer.request.url
        html, charset, declared, decided = to_utf8(answer.body, answer.charset, url)
        page = extract(html, url, self._parser, self._wanted)
        page = with_headers(page, answer.head.headers, url, self._wanted)
        asked = directives(page.metas, answer.head.headers, self._agent)
        links = self._follower.follow(answer.request, page, not asked.isdisjoint(NOFOLLOW))
        tree, anchors, resolve = self._tree(page, html), frozenset(page.anchors), partial(self._resolved, page.base)
        record, text = read_record(tree, html, answer.headers, anchors, resolve, self._settings)
        return Content(
            charset=charset,
            declared_charset=declared,
            charset_from=decided,
            title=page.title,
            robots=asked,
            parser=page.parser,
            error=page.error,
            links=links,
            says=self._contents.of(url, html) if self._contents else 0,
            record=record,
            text=text,
        )

    def _tree(self, page: Extraction, html: bytes) -> LexborHTMLParser | None:
        """Which parser finds the links is one thing, what a page says of itself another."""
        settings = self._settings
        asked = settings.metadata or settings.text or settings.main or settings.language
        if page.tree is not None or self._parser == "lexbor" or not asked:
            return page.tree
        with suppress(Exception):  # as in ttcrawl.parse.links.extract
            return LexborHTMLParser(html)
        return None

    def _resolved(self, base: str, href: str) -> str:
        return self._canon.resolve(base, href) or ""
