"""The reader of plain text: the body itself is the text."""

from __future__ import annotations

from ttcrawl.config import Config
from ttcrawl.parse.answer import Answer, Content
from ttcrawl.parse.directives import NOFOLLOW, directives
from ttcrawl.parse.files import FileReader
from ttcrawl.parse.links.element import TEXT
from ttcrawl.parse.links.extract import Extraction, no_page
from ttcrawl.parse.links.follow import Follower
from ttcrawl.parse.links.header import with_headers
from ttcrawl.parse.links.plain import urls
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.read.dates import latest_day
from ttcrawl.read.metadata import of_headers
from ttcrawl.read.page import of_text
from ttcrawl.web.charset.detect import to_utf8


class PlainReader:
    def __init__(self, config: Config, files: FileReader, follower: Follower) -> None:
        self._settings, self._compared = config.record, config.duplicates
        self._files = files
        self._follower = follower
        self._agent = config.agent.name
        self._wanted = wanted(config.links)

    def read(self, answer: Answer) -> Content:
        utf8, charset, declared, decided = to_utf8(answer.body, answer.charset, answer.request.url, markup=False)
        plain = utf8.decode("utf-8", "replace")
        stated = of_headers(answer.headers, latest_day(answer.time)) if self._settings.metadata else None
        metadata, text, fingerprint_input = of_text(plain, stated, self._settings, self._compared)
        robots = directives((), answer.head.headers, self._agent)
        url = answer.request.url
        page = with_headers(self._extraction(plain, url), answer.head.headers, url, self._wanted)
        links = self._follower.follow(answer.request, page, not robots.isdisjoint(NOFOLLOW))
        return Content(
            charset=charset,
            declared_charset=declared,
            charset_from=decided,
            robots=robots,
            links=links,
            metadata=metadata,
            text=text,
            fingerprint_input=fingerprint_input,
            document=self._files.document(answer),
            uses_page_url=links.uses_page_url,
        )

    def _extraction(self, text: str, url: str) -> Extraction:
        hrefs = urls(text) if TEXT in self._wanted.kinds else []
        return no_page(url, hrefs, TEXT)
