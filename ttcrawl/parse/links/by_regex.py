"""Links by a regular expression: the last resort if no tree can be built.

It reads all start tags in any context: it also takes links in comments, scripts, templates and text areas. This is
deliberate, because both parsers failed on such a page. The time is linear in the length of any page: quantifiers are
possessive and every start tag matches, so no byte is read from two starting points.
"""

from __future__ import annotations

import html as entities

from ttcrawl.parse.links.attributes import first, value
from ttcrawl.parse.links.inner import Room, markups
from ttcrawl.parse.links.raw_links import RawLinks, Rebased, add_rebased, tidy
from ttcrawl.parse.links.refresh import refresh
from ttcrawl.read.regions import Span
from ttcrawl.vocabulary.region import CONTENT, ELSEWHERE
from ttcrawl.web.late import late

_TAG = late(
    rb"""<(?i:(a|area|base|i?frame|img|meta))(?=[\t\n\f\r /])"""
    rb"""((?:[^>=]++|=[\t\n\f\r ]*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\f\r >]*+))*+)"""
)
_HREF, _SRC, _HTTP_EQUIV, _CONTENT, _META_NAME = map(first, (b"href", b"src", b"http-equiv", b"content", b"name"))
_LONGDESC, _SRCDOC = map(first, (b"longdesc", b"srcdoc"))
_TITLE = late(rb"<(?i:title)(?=[\t\n\f\r />])[^>]*+>?")
_END_OF_TITLE = late(rb"</(?i:title)")
_TITLE_SOURCE = 4096  # bytes; html.unescape rejects numbers of more than 4300 digits


def find(html: bytes, regions: list[Span] | None) -> RawLinks:
    """All possible links in `html` (UTF-8); `regions` are the content regions, None: the complete page is content."""
    reader = _PageReader(html, Room())
    positions = reader.positions
    return RawLinks(
        base=reader.base,
        hrefs=reader.hrefs,
        kinds=b"x" * len(reader.hrefs),
        regions=_regions(positions, regions) if regions is not None else b"",
        title=_title(html),
        metas=reader.metas,
        nofollow=b"",
        rebased=reader.rebased,
    )


class _PageReader:
    """A page, or a document in one of its attributes."""

    def __init__(self, html: bytes, room: Room) -> None:
        self.base: str | None = None
        self.hrefs: list[str] = []
        self.positions: list[int] = []
        self.metas: list[tuple[str, str]] = []
        self.rebased: list[Rebased] = []
        self._room = room
        for tag in _TAG.finditer(html):
            self._tag(tag[1].lower(), tag[2], tag.start())

    def _tag(self, name: bytes, attributes: bytes, position: int) -> None:
        if name == b"base":
            self.base = value(_HREF, attributes) if self.base is None else self.base
            return
        if name == b"meta" and (meta_name := value(_META_NAME, attributes)) is not None:
            self.metas.append((meta_name, value(_CONTENT, attributes) or ""))
        links = _references(name, attributes)
        self.hrefs += links
        self.positions += [position] * len(links)
        if name == b"iframe" and (srcdoc := value(_SRCDOC, attributes)):
            self._document(srcdoc, position)

    def _document(self, srcdoc: str, position: int) -> None:
        for html, _ in markups("iframe", {"srcdoc": srcdoc}, str):
            if not self._room.enter():
                return
            inner = _PageReader(html.encode(), self._room)
            self._room.leave()
            add_rebased(self.rebased, inner.rebased, len(self.hrefs), len(inner.hrefs), inner.base)
            self.hrefs += inner.hrefs
            self.positions += [position] * len(inner.hrefs)


def _references(name: bytes, attributes: bytes) -> list[str]:
    if name in (b"a", b"area"):
        href = value(_HREF, attributes)
        return [] if href is None else [href]
    if name == b"meta":
        if (value(_HTTP_EQUIV, attributes) or "").lower() != "refresh":
            return []
        target = refresh(value(_CONTENT, attributes) or "")
        return [target[1]] if target and target[1] is not None else []
    src = value(_SRC, attributes) if name != b"img" else None
    return [reference for reference in (src, value(_LONGDESC, attributes)) if reference]


def _title(html: bytes) -> str:
    start = _TITLE.search(html)
    if start is None:
        return ""
    end = _END_OF_TITLE.search(html, start.end())
    source = html[start.end() : end.start() if end else len(html)][:_TITLE_SOURCE]
    return tidy(entities.unescape(source.decode("utf-8", "replace")))


def _regions(positions: list[int], regions: list[Span]) -> bytes:
    letters = bytearray()
    spans = iter(regions)
    start, end = next(spans, (0, -1))
    for position in positions:
        while 0 <= end <= position:
            start, end = next(spans, (0, -1))
        letters.append(CONTENT if start <= position < end else ELSEWHERE)
    return bytes(letters)
