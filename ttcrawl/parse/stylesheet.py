"""The reader of style sheets: their URLs, resolved against the URL of the style sheet."""

from __future__ import annotations

import re

from ttcrawl.config import Config
from ttcrawl.parse.answer import Answer, Content
from ttcrawl.parse.directives import NOFOLLOW, directives
from ttcrawl.parse.files import FileReader
from ttcrawl.parse.links.css import urls
from ttcrawl.parse.links.element import CSS
from ttcrawl.parse.links.extract import no_page
from ttcrawl.parse.links.follow import Follower
from ttcrawl.parse.links.header import with_headers
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.web.charset.detect import Decoded, to_utf8

#: CSS Syntax Level 3, section 3.2: exactly this form, at the very beginning.
_AT_CHARSET = re.compile(rb'@charset "([A-Za-z0-9._:-]{1,40})";')


class StylesheetReader:
    """`follower` is shared by all readers of a process."""

    def __init__(self, config: Config, files: FileReader, follower: Follower) -> None:
        self._files = files
        self._follower = follower
        self._agent = config.agent.name
        self._wanted = wanted(config.links)

    def read(self, answer: Answer) -> Content:
        document = self._files.document(answer)
        if CSS not in self._wanted.kinds:
            return Content(document=document, uses_page_url=False, url_independent=True)
        utf8, charset, declared, decided = style_utf8(answer.body, answer.charset, answer.request.url)
        robots = directives((), answer.head.headers, self._agent)
        url = answer.request.url
        page = no_page(url, urls(utf8.decode("utf-8", "replace")), CSS)
        page = with_headers(page, answer.head.headers, url, self._wanted)
        links = self._follower.follow(answer.request, page, not robots.isdisjoint(NOFOLLOW))
        return Content(
            charset=charset,
            declared_charset=declared,
            charset_from=decided,
            robots=robots,
            links=links,
            document=document,
            uses_page_url=links.uses_page_url,
        )


def style_utf8(body: bytes, charset: str, url: str) -> Decoded:
    """A style sheet as UTF-8, as `to_utf8`; `charset`: of its header, "" if none. Its @charset counts as a meta
    element."""
    rule = _AT_CHARSET.match(body) if not charset else None
    decoded = to_utf8(body, rule[1].decode() if rule else charset, url, markup=False)
    return decoded._replace(decided="meta") if rule and decoded.decided == "header" else decoded
