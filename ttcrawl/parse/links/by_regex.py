"""Links by a regular expression: the last resort if no tree can be built.

It reads all start tags in any context: it also takes links in comments, scripts, templates and text areas. This is
deliberate, because both parsers failed on such a page. The time is linear in the length of any page: quantifiers are
possessive and every start tag matches, so no byte is read from two starting points.
"""

from __future__ import annotations

import html as entities
import re

from ttcrawl.parse.links.attributes import first, value
from ttcrawl.parse.links.found import Found, Rebased, add_rebased, tidy
from ttcrawl.parse.links.inner import Room, markups
from ttcrawl.parse.links.refresh import refresh
from ttcrawl.read.regions import Span
from ttcrawl.vocabulary.region import CONTENT, ELSEWHERE

_TAG = re.compile(
    rb"""<(?i:(a|area|base|i?frame|img|meta))(?=[\t\n\f\r /])"""
    rb"""((?:[^>=]++|=[\t\n\f\r ]*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\f\r >]*+))*+)"""
)
_HREF, _SRC, _HTTP_EQUIV, _CONTENT, _META_NAME = map(first, (b"href", b"src", b"http-equiv", b"content", b"name"))
_LONGDESC, _SRCDOC = map(first, (b"longdesc", b"srcdoc"))
_TITLE = re.compile(rb"<(?i:title)(?=[\t\n\f\r />])[^>]*+>?")
_END_OF_TITLE = re.compile(rb"</(?i:title)")
_TITLE_SOURCE = 4096  # bytes; html.unescape rejects numbers of more than 4300 digits


def find(html: bytes, regions: list[Span] | None) -> Found:
    """All possible links in `html` (UTF-8); `regions` are the content regions, None: the complete page is content."""
    reading = _Reading(html, Room())
    places = reading.places
    return Found(
        base=reading.base,
        hrefs=reading.hrefs,
        kinds=b"x" * len(reading.hrefs),
        regions=_regions(places, regions) if regions is not None else b"",
        title=_title(html),
        metas=reading.metas,
        nofollow=b"",
        rebased=reading.rebased,
    )


class _Reading:
    """A page, or a document in one of its attributes."""

    def __init__(self, html: bytes, room: Room) -> None:
        self.base: str | None = None
        self.hrefs: list[str] = []
        self.places: list[int] = []
        self.metas: list[tuple[str, str]] = []
        self.rebased: list[Rebased] = []
        self._room = room
        for tag in _TAG.finditer(html):
            self._tag(tag[1].lower(), tag[2], tag.start())

    def _tag(self, name: bytes, attributes: bytes, place: int) -> None:
        if name == b"base":
            self.base = value(_HREF, attributes) if self.base is None else self.base
            return
        if name == b"meta" and (named := value(_META_NAME, attributes)) is not None:
            self.metas.append((named, value(_CONTENT, attributes) or ""))
        found = _references(name, attributes)
        self.hrefs += found
        self.places += [place] * len(found)
        if name == b"iframe" and (srcdoc := value(_SRCDOC, attributes)):
            self._document(srcdoc, place)

    def _document(self, srcdoc: str, place: int) -> None:
        for html, _ in markups("iframe", {"srcdoc": srcdoc}, str):
            if not self._room.enter():
                return
            inner = _Reading(html.encode(), self._room)
            self._room.leave()
            add_rebased(self.rebased, inner.rebased, len(self.hrefs), len(inner.hrefs), inner.base)
            self.hrefs += inner.hrefs
            self.places += [place] * len(inner.hrefs)


def _references(name: bytes, attributes: bytes) -> list[str]:
    if name in (b"a", b"area"):
        href = value(_HREF, attributes)
        return [] if href is None else [href]
    if name == b"meta":
        if (value(_HTTP_EQUIV, attributes) or "").lower() != "refresh":
            return []
        sent = refresh(value(_CONTENT, attributes) or "")
        return [sent[1]] if sent and sent[1] is not None else []
    src = value(_SRC, attributes) if name != b"img" else None
    return [found for found in (src, value(_LONGDESC, attributes)) if found]


def _title(html: bytes) -> str:
    start = _TITLE.search(html)
    if start is None:
        return ""
    end = _END_OF_TITLE.search(html, start.end())
    source = html[start.end() : end.start() if end else len(html)][:_TITLE_SOURCE]
    return tidy(entities.unescape(source.decode("utf-8", "replace")))


def _regions(places: list[int], regions: list[Span]) -> bytes:
    letters = bytearray()
    spans = iter(regions)
    start, end = next(spans, (0, -1))
    for place in places:
        while 0 <= end <= place:
            start, end = next(spans, (0, -1))
        letters.append(CONTENT if start <= place < end else ELSEWHERE)
    return bytes(letters)
