"""The tables of a course report: the contents of the sites of the seeds, and of all sites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from ttcrawl.output.layout import PAGES, Row, Section, most
from ttcrawl.report.kinds_of_links import KindsOfLinks
from ttcrawl.report.rows import row, share
from ttcrawl.report.sources import Sources
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.unsettled import CONTENT_DIGEST
from ttcrawl.vocabulary.binary import NOT_DOWNLOADED, is_binary
from ttcrawl.vocabulary.html import HTML_TYPES
from ttcrawl.vocabulary.reason import NO_CONTENT_STATUSES

#: Binary types by their common name.
NAMES = {
    "application/pdf": "PDF",
    "application/postscript": "PostScript",
    "application/msword": "Word (doc)",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word (docx)",
    "application/vnd.ms-excel": "Excel (xls)",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Excel (xlsx)",
    "application/vnd.ms-powerpoint": "PowerPoint (ppt)",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "PowerPoint (pptx)",
    "application/rtf": "RTF",
    "application/vnd.oasis.opendocument.text": "OpenDocument text",
    "application/vnd.oasis.opendocument.spreadsheet": "OpenDocument spreadsheet",
    "application/vnd.oasis.opendocument.presentation": "OpenDocument presentation",
}

HOW = (
    "Seeds: the hosts of the seeds, and the hosts to which they redirect; all: every host."
    f" {PAGES}, and without irrelevant pages of which only the score is stored; HTML pages, binary files and"
    " duplicates have a status of 2xx, and their type is determined from the"
    " bytes; a duplicate has the same bytes (xxh3, 128 bits) as an earlier page; of a page read in the browser, those"
    " of its document after scripts. Duplicates among HTML pages have the same bytes or text as another page, as the"
    " crawl marks them. Binary files are neither HTML nor text; shares are of all of them. Those that are not"
    " downloaded were refused by the type or length that the server stated, and are not among the pages crawled."
    " Images are distinct URLs that HTML pages show, fetched or not."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """Contents of some sites. Pages and files are URLs with a 2xx response."""

    sites: int  # hosts with a fetched URL
    pages: int  # URLs with a response of any status, without redirects
    html: int  # HTML pages
    html_duplicates: int  # of these, marked as duplicates by bytes or by text
    duplicates: int  # URLs with the same body, byte for byte, as an earlier URL
    binary: Mapping[str, int]  # files that are not text, by type, most frequent first; downloaded or not
    not_downloaded: int  # of these, refused by the type or length that the server stated
    images_linked: int  # distinct images that the HTML pages show
    images_mean: float | None  # images per HTML page; None: without HTML pages
    images_shown_mean: float | None  # images per HTML page with an image; None: without such pages
    images_most: int
    images_most_on: str  # the page with the most images
    disallowed: int  # URLs that robots.txt disallows
    how: str = HOW


@dataclass(frozen=True, slots=True, kw_only=True)
class Sites:
    """The contents of the sites of the seeds, and of all sites."""

    seeds: Holding
    all: Holding


def read(sources: Sources) -> Sites:
    db, links, seeds = sources.db, sources.kinds_of_links, sources.seed_sites
    both = _Count(), _Count()
    digests: set[bytes] = set()
    rows = db.execute(
        f"SELECT url.id, site, status, type, {CONTENT_DIGEST}, duplicate.duplicate_of NOTNULL"
        " FROM page JOIN url ON url.id = page.url LEFT JOIN duplicate ON duplicate.url = page.url"
        " WHERE state = 'fetched' ORDER BY page.time, url.id"
    )
    for url, site, status, kind, digest, marked in rows:
        good = 200 <= status < 300 and status not in NO_CONTENT_STATUSES
        copy = good and digest in digests
        if good and digest:
            digests.add(digest)
        for count in both if site in seeds else both[1:]:
            count.add(url, site, kind, links, good=good, copy=copy, marked=bool(marked))
    seen = db.execute(f"SELECT site, type FROM page JOIN url ON url.id = page.url WHERE {NOT_DOWNLOADED}")
    for site, kind in seen:
        for count in both if site in seeds else both[1:]:
            count.add_not_downloaded(kind)
    for site, urls in db.execute("SELECT site, count(*) FROM url WHERE reason = 'robots.txt' GROUP BY 1"):
        for count in both if site in seeds else both[1:]:
            count.disallowed += urls
    of_seeds = sum(links.images.values())
    return Sites(seeds=_holding(db, both[0], of_seeds), all=_holding(db, both[1], len(links.images)))


class _Count:
    """Running counts of some sites."""

    def __init__(self) -> None:
        self.sites: set[int] = set()
        self.pages = self.html = self.html_duplicates = self.duplicates = self.disallowed = self.not_downloaded = 0
        self.images = self.with_images = self.most_images = self.most_images_on = 0
        self.binary: Counter[str] = Counter()

    def add(self, url: int, site: int, kind: str, links: KindsOfLinks, *, good: bool, copy: bool, marked: bool) -> None:
        self.sites.add(site)
        self.pages += 1
        self.duplicates += copy
        if not good:
            return
        if kind in HTML_TYPES:
            self.html += 1
            self.html_duplicates += marked
            images = links.images_shown.get(url, 0)
            self.images += images
            self.with_images += images > 0
            if images > self.most_images:
                self.most_images, self.most_images_on = images, url
        elif is_binary(kind):
            self.binary[NAMES.get(kind, kind)] += 1

    def add_not_downloaded(self, kind: str) -> None:
        if is_binary(kind):
            self.binary[NAMES.get(kind, kind)] += 1
            self.not_downloaded += 1


def _holding(db: View, count: _Count, linked: int) -> Holding:
    row = db.execute("SELECT url FROM url WHERE id = ?", (count.most_images_on,)).fetchone()
    return Holding(
        sites=len(count.sites),
        pages=count.pages,
        html=count.html,
        html_duplicates=count.html_duplicates,
        duplicates=count.duplicates,
        binary=dict(sorted(count.binary.items(), key=lambda each: (-each[1], each[0]))),
        not_downloaded=count.not_downloaded,
        images_linked=linked,
        images_mean=count.images / count.html if count.html else None,
        images_shown_mean=count.images / count.with_images if count.with_images else None,
        images_most=count.most_images,
        images_most_on=row[0] if row else "",
        disallowed=count.disallowed,
    )


def sections(crawls: Sequence[Sites]) -> list[Section]:
    of_each = [holding for crawl in crawls for holding in (crawl.seeds, crawl.all)]
    top, rest = most([crawl.all.binary for crawl in crawls])

    rows = [
        row("Sites with pages", of_each, lambda each: each.sites),
        row("Pages crawled", of_each, lambda each: each.pages),
        row("  HTML pages", of_each, lambda each: each.html),
        row("    duplicates among HTML pages", of_each, lambda each: each.html_duplicates),
        row("  duplicates, byte for byte", of_each, lambda each: each.duplicates),
        row("Binary files", of_each, lambda each: sum(each.binary.values())),
        row("  not downloaded", of_each, lambda each: each.not_downloaded),
        *chain.from_iterable(_of_type(name, [name], of_each) for name in top),
    ]
    if rest:
        rows += _of_type(f"{len(rest):,} other types", rest, of_each)
    rows += [
        row("Images shown by HTML pages (distinct)", of_each, lambda each: each.images_linked),
        row("  per page, mean", of_each, lambda each: each.images_mean),
        row("  per page with an image, mean", of_each, lambda each: each.images_shown_mean),
        row("  per page, maximum", of_each, lambda each: each.images_most),
        row("Disallowed by robots.txt (URLs)", of_each, lambda each: each.disallowed),
    ]
    return [Section(title="Sites", rows=tuple(rows), columns=("seeds", "all"), how=HOW)]


def _of_type(label: str, names: Sequence[str], of_each: Sequence[Holding]) -> tuple[Row, Row]:
    """The binary files of these types, and their share of all."""
    counts = [sum(each.binary.get(name, 0) for name in names) for each in of_each]
    totals = [sum(each.binary.values()) for each in of_each]
    shares = tuple(map(share, counts, totals))
    return Row(label=f"  {label}", values=tuple(counts)), Row(label="    share", values=shares)
