"""Bytes -> the kind of sitemap or feed, and its entries."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from ttcrawl.web.sitemaps.coding import utf8
from ttcrawl.web.sitemaps.entry import SITEMAP, Entry, Listing
from ttcrawl.web.sitemaps.feed import Feed
from ttcrawl.web.sitemaps.jsonfeed import is_json_feed, json_feed
from ttcrawl.web.sitemaps.urlset import Urlset
from ttcrawl.web.sitemaps.xml import MAX_TEXT, Handler, Reader, Unknown, mended

MAPS = frozenset({"urlset", "sitemapindex"})
FEEDS = {"rss": "rss", "RDF": "rdf", "feed": "atom"}

#: The forms of all sitemaps and feeds.
FORMS = MAPS | {*FEEDS.values(), "text", "json"}


_URL = re.compile(rb"""(?:https?|ftp)://[^<>"]++\Z""", re.IGNORECASE)


def read(
    data: bytes, url: str, *, charset: str = "", maps: bool, text: bool, feeds: bool, most: int = 50_000
) -> Listing | None:
    """The entries of `data`, fetched from `url`; None: it is neither a sitemap nor a feed, or not of a requested kind.
    Never raises.

    `maps`: XML sitemaps are requested; `text`: a text is a sitemap with one URL per line; `feeds`: RSS, Atom, JSON
    Feed. `charset` is from the HTTP header, `most` the maximum number of entries.
    """
    plain, charset, declared, decided = utf8(data, charset)
    listing = _listing(plain, url, maps, text, feeds, most)
    return listing and replace(listing, charset=charset, declared=declared, decided=decided)


def _listing(data: bytes, url: str, maps: bool, text: bool, feeds: bool, most: int) -> Listing | None:
    if data.startswith(b"<"):
        return _xml(data, url, maps, feeds, most)
    if feeds and is_json_feed(data):
        listing = json_feed(data, most)
        return replace(listing, entries=_short(listing.entries))
    return _text(data, most) if text else None


def _xml(data: bytes, url: str, maps: bool, feeds: bool, most: int) -> Listing | None:
    form = ""
    handler: Urlset | Feed | None = None

    def root(name: str) -> Handler:
        nonlocal form, handler
        if maps and name in MAPS:
            form, handler = name, Urlset(name, most)
        elif feeds and name in FEEDS:
            form, handler = FEEDS[name], Feed(url, most)
        else:
            raise Unknown
        return handler

    try:
        error = Reader(root).read(data)
        if error.startswith("broken XML"):
            again = mended(data)
            error = error if again == data else Reader(root).read(again)
    except Unknown:
        return None
    if handler is None:
        return Listing(form=form, entries=(), error=error)
    handler.finish()
    return Listing(form=form, entries=_short(handler.entries), title=handler.title, error=error)


def _short(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    return tuple(each for each in entries if len(each.href) <= MAX_TEXT)


def _text(data: bytes, most: int) -> Listing | None:
    """One URL per line (sitemaps.org, "Text file"); a few other lines are skipped. None: most lines are not URLs."""
    entries: list[Entry] = []
    error, others = "", 0
    for line in filter(None, map(bytes.strip, data.splitlines())):
        if not _URL.match(line) or len(line) > MAX_TEXT:
            others += 1
        elif len(entries) == most:
            error = f"only the first {most:,} entries are read"
            break
        else:
            entries.append(Entry(line.decode("utf-8", "replace"), SITEMAP))
    return Listing(form="text", entries=tuple(entries), error=error) if len(entries) > others else None
