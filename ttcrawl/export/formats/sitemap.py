"""Sitemaps of the crawled sites (https://www.sitemaps.org/protocol.html)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain, groupby, islice
from pathlib import Path
from urllib.parse import quote, urljoin
from xml.sax.saxutils import escape

from ttcrawl.errors import UsageError
from ttcrawl.export.format import Format, Options, selected
from ttcrawl.export.output import Output, output
from ttcrawl.export.sources import BY_SITE
from ttcrawl.export.xml import DECLARATION
from ttcrawl.output.steps import Progress
from ttcrawl.read.dates import iso_of_header, latest_day
from ttcrawl.ring.columns import NEAR
from ttcrawl.snapshot.page_records import PageRecord
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.html import PARSERS
from ttcrawl.vocabulary.state import FETCHED

#: Maximum URLs of a sitemap.
MOST = 50_000

#: Maximum length of a URL in a sitemap.
LONGEST = 2048

_XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def is_listed(page: PageRecord) -> bool:
    """Whether a sitemap has this page: HTML of its own, no frame of others, that search engines may index."""
    return (
        page.state == FETCHED
        and len(page.url) <= LONGEST
        and page.depth is not None
        and page.status == 200
        and page.parser in PARSERS
        and page.same in (None, NEAR)
        and not page.soft_404
        and page.canonical in (None, "", page.url)
        and not {"noindex", "none"} & {each.strip() for each in page.robots.lower().split(",")}
    )


def sitemap(pages: Iterable[PageRecord], most: int = MOST) -> Iterator[bytes]:
    """The sitemap of one host. Raises UsageError for pages of several hosts, or more than a sitemap may have."""
    listed = filter(is_listed, pages)
    first = next(listed, None)
    rest = [] if first is None else chain([first], listed)

    def checked() -> Iterator[PageRecord]:
        for number, page in enumerate(rest):
            if first is not None and page.host != first.host:
                raise UsageError(
                    f"a sitemap is of one host: select one (--where host={first.host}), or name a directory that exists"
                )
            if number == most:
                raise UsageError(f"a sitemap has at most {most:,} URLs: name a directory that exists, for several")
            yield page

    return _urlset(checked())


def sitemaps(pages: Iterable[PageRecord], directory: Path, most: int = MOST) -> list[Path]:
    """HOST/sitemap.xml for each host; with more than `most` pages, an index of HOST/sitemap-1.xml and so on.

    The index expects them in the root of the host. `pages` are ordered by host.
    """
    listed = filter(is_listed, pages)
    return [_sitemaps_of(directory / quote(host, safe=""), pages, most) for host, pages in groupby(listed, _host)]


def _sitemaps_of(directory: Path, pages: Iterable[PageRecord], most: int) -> Path:
    """Write the sitemaps of a host; return the one to begin with."""
    directory.mkdir(exist_ok=True)
    first, begin = "", directory / "sitemap.xml"
    names: list[str] = []
    rest = iter(pages)
    while group := list(islice(rest, most)):
        first = first or group[0].url
        names.append(f"sitemap-{len(names) + 1}.xml")
        _write(directory / names[-1], _urlset(group))
    if len(names) == 1:
        os.replace(directory / names[0], begin)
    else:
        _write(begin, _index(urljoin(first, f"/{name}") for name in names))
    return begin


def _host(page: PageRecord) -> str:
    return page.host


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    with output(path, binary=False) as file:
        file.writelines(pieces)


def _urlset(pages: Iterable[PageRecord]) -> Iterator[bytes]:
    yield f"{DECLARATION}<urlset {_XMLNS}>\n".encode()
    for page in pages:
        date = changed(page)
        lastmod = f"<lastmod>{date}</lastmod>" if date else ""
        yield f"<url><loc>{escape(page.url)}</loc>{lastmod}</url>\n".encode()
    yield b"</urlset>\n"


def _index(urls: Iterable[str]) -> Iterator[bytes]:
    yield f"{DECLARATION}<sitemapindex {_XMLNS}>\n".encode()
    for url in urls:
        yield f"<sitemap><loc>{escape(url)}</loc></sitemap>\n".encode()
    yield b"</sitemapindex>\n"


def changed(page: PageRecord) -> str:
    """When a page says that it was changed, as a W3C date; "": it does not say."""
    text = page.modified or page.published or ""
    try:
        date = datetime.fromisoformat(text)
        if text == date.date().isoformat():
            return text
        if (date.utcoffset() or timedelta()) % timedelta(minutes=1):  # XML Schema has no seconds in an offset
            date = date.astimezone(UTC)
        return date.replace(tzinfo=date.tzinfo or UTC).isoformat()
    except (ValueError, OverflowError):
        pass
    try:
        return datetime.fromisoformat(iso_of_header(page.last_modified, latest_day(page.time))).isoformat()
    except (ValueError, OverflowError):
        return ""


def _write_all(db: View, options: Options, progress: Progress) -> list[Path]:
    pages = selected(db, BY_SITE, options, progress, Output())
    if options.directory is not None:
        return sitemaps(pages, options.directory)
    pieces = list(sitemap(pages))  # complete, or an error and nothing on stdout
    with output(options.out, binary=False) as file:
        file.writelines(pieces)
    return [options.out] if options.out else []


FORMAT = Format(about="the sitemap of a host", directory="a sitemap for each host", write=_write_all)
