"""Forms that are read as one document: sitemaps, feeds, OPML; bookmarks and other HTML; HAR and other JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from json import detect_encoding
from typing import Any

import msgspec
from selectolax.lexbor import LexborHTMLParser

from ttcrawl.web.charset.detect import to_utf8
from ttcrawl.web.seed_lists.entry import Entry, NoListError
from ttcrawl.web.sitemaps import read
from ttcrawl.web.sitemaps.coding import utf8
from ttcrawl.web.sitemaps.entry import ENTRY, NESTED, SITEMAP
from ttcrawl.web.sitemaps.jsonfeed import is_json_feed
from ttcrawl.web.sitemaps.xml import Attributes, Handler, Reader, Unknown

#: Entries that are read.
MOST = 1_000_000

#: Members that have the URL of an object in JSON, such as a bookmark.
_MEMBERS = ("url", "uri")

#: Attributes of an outline of OPML that have a URL (http://opml.org/spec2.opml).
_OUTLINE = ("htmlUrl", "xmlUrl", "url")

#: Root of an XML document -> elements whose texts are URLs. The second root is the one of our Alvis and Dublin Core.
_TEXTS = {"opml": (), "documentCollection": ("url", "identifier")}


def xml(data: bytes, column: str, say: Callable[[str], None]) -> Iterator[Entry]:
    """The URLs of a sitemap, of the sitemaps in an index, of the entries of a feed, of the outlines of OPML."""
    listing = read.read(data, "", maps=True, text=False, feeds=True, most=MOST)
    if listing is None:
        yield from _other_xml(utf8(data).data, say)
        return
    if listing.error:
        say(listing.error)
    kinds = (SITEMAP, NESTED, ENTRY)
    yield from _numbered(each.href for each in listing.entries if each.kind in kinds)


def _other_xml(data: bytes, say: Callable[[str], None]) -> Iterator[Entry]:
    urls: list[str] = []
    try:
        error = Reader(lambda root: _Urls(root, urls)).read(data)
    except Unknown as unknown:
        raise NoListError("is XML, but no sitemap, feed or OPML") from unknown
    if error:
        say(error)
    yield from _numbered(urls)


class _Urls(Handler):
    """Collects the URLs of a document with a known root."""

    def __init__(self, root: str, urls: list[str]) -> None:
        if root not in _TEXTS:
            raise Unknown
        self._texts: tuple[str, ...] = _TEXTS[root]
        self._urls = urls

    def start(self, name: str, own: bool, attributes: Attributes) -> bool:
        if name == "outline":
            self._urls += [attributes[each] for each in _OUTLINE if attributes.get(each)]
        return name in self._texts

    def end(self, name: str, own: bool, text: str) -> None:
        if name in self._texts and text:
            self._urls.append(text)


def html(data: bytes, column: str, say: Callable[[str], None]) -> Iterator[Entry]:
    """The links of bookmarks as browsers export them (NETSCAPE-Bookmark-file-1), and of any other page.

    Only absolute ones: the URL of the page is unknown. Bookmarks may also be programs and pages of the browser.
    """
    links = LexborHTMLParser(to_utf8(data, "").utf8).css("a[href]")
    hrefs = ((link.attributes.get("href") or "").strip() for link in links)
    yield from _numbered(href for href in hrefs if href.lower().startswith(("http://", "https://", "ftp://")))


class _Request(msgspec.Struct):
    url: str
    method: str = "GET"


class _Exchange(msgspec.Struct):
    request: _Request


class _Log(msgspec.Struct):
    entries: list[_Exchange]


class Har(msgspec.Struct):
    """HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/): of each request, its URL."""

    log: _Log


def json(data: bytes, column: str, say: Callable[[str], None]) -> Iterator[Entry]:
    """The GET requests of a HAR file, the entries of a JSON Feed, or the URLs of other JSON: texts in arrays, and
    members named url or uri of objects, such as bookmarks of Chromium and Firefox; a table of arrays has a header."""
    data = data.decode(detect_encoding(data), "replace").encode()
    try:
        if is_json_feed(data):
            listing = read.read(data, "", maps=False, text=False, feeds=True, most=MOST)
            yield from _numbered(each.href for each in (listing.entries if listing else ()) if each.kind == ENTRY)
            return
        har = None if column else _har(data)
        urls = har if har is not None else _urls(msgspec.json.decode(data), (column,) if column else _MEMBERS)
        yield from _numbered(urls)
    except (msgspec.MsgspecError, RecursionError) as broken:
        raise NoListError(f"is broken JSON: {broken}") from broken


def _har(data: bytes) -> list[str] | None:
    try:
        exchanges = msgspec.json.decode(data, type=Har).log.entries
    except msgspec.ValidationError:
        return None
    urls = (each.request.url for each in exchanges if each.request.method == "GET")
    return list(filter(_is_url, urls))


def _urls(value: Any, members: tuple[str, ...]) -> Iterator[str]:
    """In the order of the document; without recursion, for its depth is up to who wrote it. Texts in other arrays than
    the outermost may be anything, such as tags."""
    if (table := _rows(value, members)) is not None:
        yield from table
        return
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            yield each.strip()
        elif isinstance(each, list):
            waiting += reversed([item for item in each if each is value or not isinstance(item, str) or _is_url(item)])
        elif isinstance(each, dict):
            own = [each[name] for name in members if isinstance(each.get(name), str)][:1]
            waiting += reversed([*own, *(item for item in each.values() if isinstance(item, list | dict))])


def _is_url(text: str) -> bool:
    return text.startswith(("http://", "https://"))


def _rows(value: Any, members: tuple[str, ...]) -> list[str] | None:
    """The column of an array of arrays whose first has the names, as CDX servers answer; None: it is none."""
    names = value[0] if isinstance(value, list) and value and isinstance(value[0], list) else []
    index = next((names.index(name) for name in (*members, "original") if name in names), None)
    if index is None:
        return None
    rows = (row for row in value[1:] if isinstance(row, list) and len(row) > index)
    return [row[index] for row in rows if isinstance(row[index], str)]


def _numbered(urls: Iterable[str]) -> Iterator[Entry]:
    return (Entry(number, url) for number, url in enumerate(urls, 1))
