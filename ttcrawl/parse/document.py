"""The reader of documents: PDF, Office files and other types in [converters]."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import structs
from msgspec.structs import replace

from ttcrawl.config import Config
from ttcrawl.parse.answer import Answer, Content
from ttcrawl.parse.directives import NOFOLLOW, directives
from ttcrawl.parse.files import FileReader
from ttcrawl.parse.links.element import TEXT
from ttcrawl.parse.links.extract import Extraction, no_page
from ttcrawl.parse.links.follow import Follower
from ttcrawl.parse.links.header import with_headers
from ttcrawl.parse.links.plain import urls
from ttcrawl.parse.links.raw_links import anchor_text, tidy
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.read.dates import iso_until, latest_day
from ttcrawl.read.documents.converted import Converted
from ttcrawl.read.documents.converters import Converters
from ttcrawl.read.metadata import SHORT, of_headers
from ttcrawl.read.page import of_text
from ttcrawl.vocabulary.region import CONTENT
from ttcrawl.web import storable

DOCUMENT = ord("d")

#: Links whose target does not depend on the base URL.
_ABSOLUTE = re.compile("https?://|mailto:", re.IGNORECASE)


class DocumentReader:
    """`converting` is called with the token of a request before its document is converted, which takes time."""

    def __init__(
        self, config: Config, files: FileReader, follower: Follower, converting: Callable[[int], None]
    ) -> None:
        self._files = files
        self._follower = follower
        self._converting = converting
        self._settings, self._compared = config.record, config.duplicates
        self._agent = config.agent.name
        self._wanted = wanted(config.links)
        self._converters = Converters(config.documents, config.converters)

    def read(self, answer: Answer) -> Content:
        document = self._files.document(answer)
        if not self._converters.converts(answer.mime):
            return Content(document=document, uses_page_url=False, url_independent=True)
        self._converting(answer.request.token)
        converted = self._converters.convert(answer.body, answer.mime)
        latest = latest_day(answer.time)
        stated = of_headers(answer.headers, latest)
        if self._settings.metadata:
            published, modified = iso_until(converted.created, latest), iso_until(converted.modified, latest)
            stated = replace(
                stated,
                author=converted.author[:SHORT],
                published=published,
                modified=modified or stated.modified,
            )
        metadata, text, fingerprint_input = of_text(
            converted.text, stated if self._settings.metadata else None, self._settings, self._compared
        )
        robots = directives((), answer.head.headers, self._agent)
        url = answer.request.url
        page = with_headers(self._extraction(converted, url), answer.head.headers, url, self._wanted)
        links = self._follower.follow(answer.request, page, not robots.isdisjoint(NOFOLLOW))
        return Content(
            title=tidy(converted.title),
            robots=robots,
            links=links,
            metadata=metadata,
            text=text,
            fingerprint_input=replace(fingerprint_input, title=tidy(converted.title)) if fingerprint_input else None,
            document=storable.replace(
                document,
                pages=converted.pages,
                converter=converted.converter,
                error="; ".join(filter(None, (converted.error, document.error))),
            ),
            # a conversion that took too much time or memory may succeed under another URL
            uses_page_url=links.uses_page_url or bool(converted.error),
            url_independent=all(_ABSOLUTE.match(href) for href, _ in converted.links),
        )

    def _extraction(self, converted: Converted, url: str) -> Extraction:
        links = converted.links if DOCUMENT in self._wanted.kinds else ()
        anchored = self._wanted.anchors and any(text for _, text in links)
        anchors = tuple(anchor_text(text) for _, text in links) if anchored else ()
        page = no_page(url, [href for href, _ in links], DOCUMENT, anchors, converted.title)
        if TEXT not in self._wanted.kinds:
            return page
        linked = frozenset(page.hrefs)
        plain = [each for each in urls(converted.text) if each not in linked]
        return structs.replace(
            page,
            hrefs=[*page.hrefs, *plain],
            kinds=page.kinds + bytes([TEXT]) * len(plain),
            regions=page.regions + bytes([CONTENT]) * len(plain),
            nofollow=page.nofollow + bytes(len(plain)),
            anchors=anchors and anchors + ("",) * len(plain),
        )
