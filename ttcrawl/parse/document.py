"""The reader of documents: PDF, Office files and other types in [converters]."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from ttcrawl.config import Config
from ttcrawl.parse.answer import Answer, Content
from ttcrawl.parse.directives import NOFOLLOW, directives
from ttcrawl.parse.files import FileReader
from ttcrawl.parse.links.element import TEXT
from ttcrawl.parse.links.extract import Extraction, no_page
from ttcrawl.parse.links.follow import Follower
from ttcrawl.parse.links.found import tidy
from ttcrawl.parse.links.header import with_headers
from ttcrawl.parse.links.plain import urls
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.read.dates import iso
from ttcrawl.read.documents.converted import Converted
from ttcrawl.read.documents.converters import Converters
from ttcrawl.read.metadata import SHORT, of_headers
from ttcrawl.read.record import of_text
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
            return Content(document=document, bound=False, anywhere=True)
        self._converting(answer.request.token)
        made = self._converters.convert(answer.body, answer.mime)
        said = of_headers(answer.headers)
        if self._settings.metadata:
            modified = iso(made.modified) or said.modified
            said = replace(said, author=made.author[:SHORT], published=iso(made.created), modified=modified)
        record, text, fingerprint_input = of_text(
            made.text, said if self._settings.metadata else None, self._settings, self._compared
        )
        asked = directives((), answer.head.headers, self._agent)
        url = answer.request.url
        page = with_headers(self._extraction(made, url), answer.head.headers, url, self._wanted)
        links = self._follower.follow(answer.request, page, not asked.isdisjoint(NOFOLLOW))
        return Content(
            title=tidy(made.title),
            robots=asked,
            links=links,
            record=record,
            text=text,
            fingerprint_input=replace(fingerprint_input, title=tidy(made.title)) if fingerprint_input else None,
            document=storable.replace(
                document,
                pages=made.pages,
                converter=made.converter,
                error="; ".join(filter(None, (made.error, document.error))),
            ),
            # a conversion that took too much time or memory may succeed under another URL
            bound=links.bound or bool(made.error),
            anywhere=all(_ABSOLUTE.match(href) for href, _ in made.links),
        )

    def _extraction(self, made: Converted, url: str) -> Extraction:
        links = made.links if DOCUMENT in self._wanted.kinds else ()
        anchored = self._wanted.anchors and any(text for _, text in links)
        anchors = tuple(tidy(text) for _, text in links) if anchored else ()
        page = no_page(url, [href for href, _ in links], DOCUMENT, anchors, made.title)
        if TEXT not in self._wanted.kinds:
            return page
        linked = frozenset(page.hrefs)
        plain = [each for each in urls(made.text) if each not in linked]
        return replace(
            page,
            hrefs=page.hrefs + plain,
            kinds=page.kinds + bytes([TEXT]) * len(plain),
            regions=page.regions + bytes([CONTENT]) * len(plain),
            nofollow=page.nofollow + bytes(len(plain)),
            anchors=anchors and anchors + ("",) * len(plain),
        )
