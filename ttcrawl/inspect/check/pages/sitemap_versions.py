"""The versions of pages in other languages that sitemaps list (Google's extension: xhtml:link in an entry)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ttcrawl.inspect.check.pages.hreflang import Versions
from ttcrawl.snapshot import responses
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.snapshot import View
from ttcrawl.web.coding.decode import CodingError, beginning
from ttcrawl.web.mime.kind import GZIP
from ttcrawl.web.sitemaps.entry import ALTERNATE, SITEMAP, Entry
from ttcrawl.web.sitemaps.read import read
from ttcrawl.web.url import key

#: Sitemaps with alternates.
_SITEMAPS = f"""
    SELECT url.id, url.url FROM page JOIN url ON url.id = page.url JOIN outlinks ON outlinks.source = page.url
    WHERE page.parser = 'urlset' AND instr(kinds, x'{ALTERNATE:02x}') ORDER BY url.id"""


def versions_in_sitemaps(db: View, resolve: Callable[[str, str], str | None], unread: list[str]) -> dict[int, Versions]:
    """Key of a URL -> its versions. `resolve`: as in hreflang.versions_of; `unread` receives the URLs of sitemaps that
    cannot be read."""
    versions = dict[int, Versions]()
    for id, url in db.execute(_SITEMAPS):
        try:
            entries = _entries(db, id, url)
        except (NotThere, CodingError):
            unread.append(url)
            continue
        for page, alternates in _with_alternates(entries):
            target = resolve(url, page.href)
            urls = dict.fromkeys(resolve(url, each.href) for each in alternates)
            codes = dict.fromkeys(each.language.strip().lower() for each in alternates)
            if target:
                versions[key(target)] = Versions(codes=tuple(codes), urls=tuple(filter(None, urls)))
    return versions


def _entries(db: View, id: int, url: str) -> tuple[Entry, ...]:
    """Raises NotThere, CodingError."""
    fetch, most = db.config.fetch, db.config.sitemaps.max_bytes
    body = responses.body(responses.response(db, id, url), fetch)
    if body.startswith(GZIP):
        body = beginning(body, "gzip", most, 2 * most, fetch.max_ratio, cut=True)
    listing = read(body, url, maps=True, text=False, feeds=False, most=db.config.sitemaps.max_entries)
    return listing.entries if listing else ()


def _with_alternates(entries: tuple[Entry, ...]) -> Iterator[tuple[Entry, list[Entry]]]:
    """Each entry of a page that has versions, and these; without hreflang an alternate is none."""
    page, alternates = None, list[Entry]()
    for entry in (*entries, Entry("", SITEMAP)):
        if entry.kind == SITEMAP:
            if page is not None and alternates:
                yield page, alternates
            page, alternates = entry, []
        elif entry.kind == ALTERNATE and entry.language:
            alternates.append(entry)
