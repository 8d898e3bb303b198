"""The reader of HTML."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser

from ttcrawl.config import Config
from ttcrawl.config.needed import needs_page
from ttcrawl.parse.answer import Answer, Content
from ttcrawl.parse.compiled import CompiledPage, CompiledReader
from ttcrawl.parse.directives import HEADER, NOFOLLOW, directives
from ttcrawl.parse.links.by_lexbor import OPTIONS
from ttcrawl.parse.links.extract import Extraction, extract, extraction
from ttcrawl.parse.links.follow import Follower
from ttcrawl.parse.links.header import NAMES, titles_in_headers, with_headers
from ttcrawl.parse.links.icon import with_icon
from ttcrawl.parse.links.media import media_urls, with_media, without_unwanted
from ttcrawl.parse.links.query import with_query
from ttcrawl.parse.links.references import look
from ttcrawl.parse.links.removed import with_removed
from ttcrawl.parse.links.resolver import needs_file_name
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.parse.links.weight import too_heavy
from ttcrawl.parse.repeated_content import Contents
from ttcrawl.parse.xhtml import as_html
from ttcrawl.read.page import read_compiled, read_page
from ttcrawl.vocabulary.reader import COMPILED
from ttcrawl.web.canon import Canon
from ttcrawl.web.charset.detect import Decoded, to_utf8
from ttcrawl.web.traps.url_patterns import NOTHING
from ttcrawl.web.url import without_fragment


class HtmlReader:
    """`follower` is shared by all readers of a process."""

    def __init__(self, config: Config, canon: Canon, follower: Follower) -> None:
        self._parser = config.links.parser
        self._page_requisites = config.links.page_requisites
        self._wanted = wanted(config.links, nearby=config.frontier.best_first)
        self._agent = config.agent.name
        self._settings, self._compared = config.record, config.duplicates
        self._reads = needs_page(config.record, config.duplicates)  # more than links
        self._canon = canon
        self._follower = follower
        self._contents = Contents() if config.traps.same_content else None
        self._shells = config.traps.same_bytes > 0
        self._found = with_media(self._wanted) if config.duplicates.exact else self._wanted
        self._compiled = CompiledReader(self._found, config)

    def read(self, answer: Answer) -> Content:
        url = answer.request.url
        html, charset, declared, decided = _decoded(answer)
        html = as_html(html, answer.mime)
        linked = "link" in answer.headers
        titles = titles_in_headers(answer.head.headers, url, self._found) if linked else ()
        read_or_left = self._compiled.read(html, titles)
        compiled, reader = (read_or_left, COMPILED) if isinstance(read_or_left, CompiledPage) else (None, read_or_left)
        if compiled is None:
            page = extract(html, url, self._parser, self._found, charset)
        else:
            page = extraction(compiled.links, url, self._parser, [], charset)
        if answer.static:
            static = extract(as_html(answer.static, answer.mime), url, self._parser, self._found, charset)
            page = with_removed(page, static, self._found)
        found = page
        if not answer.headers.keys().isdisjoint(NAMES):
            found = with_headers(page, answer.head.headers, url, self._found)
        page = without_unwanted(found, self._wanted)
        page = with_icon(page, url, self._wanted) if self._page_requisites else page
        robots = directives(page.metas, answer.head.headers if HEADER in answer.headers else (), self._agent)
        links = self._follower.follow(answer.request, page, not robots.isdisjoint(NOFOLLOW))
        hrefs = list[str]()
        tree = self._tree(page, html) if compiled is None else None
        images = media_urls(found, tree) if self._compared.exact else ()
        metadata, text, compared = None, None, None
        if self._reads:
            resolve = partial(self._resolved, page.base, charset, hrefs)
            read = (
                partial(read_page, tree, html, answer.headers, frozenset(found.anchors))
                if compiled is None
                else partial(read_compiled, compiled.texts, compiled.declarations, answer.headers)
            )
            metadata, text, compared = read(resolve, self._settings, self._compared, answer.time)
        return Content(
            charset=charset,
            declared_charset=declared,
            charset_from=decided,
            title=page.title,
            robots=robots,
            parser=page.parser,
            reader=reader,
            error=page.error,
            links=links,
            content_hashes=self._contents.of(url, html, compared=answer.request.compared)
            if self._contents
            else NOTHING,
            look=partial(look, page.hrefs, compared.folded) if self._shells and compared else None,
            metadata=metadata,
            text=text,
            fingerprint_input=compared and replace(compared, title=page.title, images=images),
            uses_page_url=links.uses_page_url or any(map(needs_file_name, hrefs)) or self._by_name(answer),
        )

    def _by_name(self, answer: Answer) -> bool:
        """Whether the extension of the URL may have decided that this is HTML."""
        return "html" not in answer.declared

    def _tree(self, page: Extraction, html: bytes) -> LexborHTMLParser | None:
        """The tree for metadata and text. It is separate from the parser that finds the links."""
        if page.tree is not None or page.treeless or self._parser == "lexbor" or not self._reads:
            return page.tree
        if self._parser == "regex" and too_heavy(html):
            return None
        with suppress(Exception):  # as in ttcrawl.parse.links.extract
            return LexborHTMLParser(html, options=OPTIONS)
        return None

    def _resolved(self, base: str, charset: str, hrefs: list[str], href: str) -> str:
        hrefs.append(without_fragment(href))
        return self._canon.resolve(base, with_query(href, charset)) or ""


def _decoded(answer: Answer) -> Decoded:
    if (encoding := answer.encoding) is not None:
        return Decoded(answer.body, encoding.charset, encoding.declared, encoding.decided)
    return to_utf8(answer.body, answer.charset, answer.request.url)
