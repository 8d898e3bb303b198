"""The tables of a course report: the contents of the sites of the seeds, and of all sites."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from ttcrawl.output.layout import PAGES, Row, Section, Value, most
from ttcrawl.report.study.links import Links
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.unsettled import CONTENT_DIGEST
from ttcrawl.vocabulary.binary import NOT_DOWNLOADED, is_binary
from ttcrawl.vocabulary.html import HTML_TYPES
from ttcrawl.vocabulary.reason import NO_CONTENT_STATUSES
from ttcrawl.vocabulary.state import MOVED, REFUSED

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
    images_mean: float | None  # images per HTML page; None: there are no HTML pages
    images_shown_mean: float | None  # images per HTML page with an image; None: there are no such pages
    images_most: int
    images_most_on: str  # the page with the most images
    disallowed: int  # URLs that robots.txt disallows
    how: str = HOW


@dataclass(frozen=True, slots=True, kw_only=True)
class Sites:
    """The contents of the sites of the seeds, and of all sites."""

    seeds: Holding
    all: Holding


def seed_sites(db: View) -> frozenset[int]:
    """The sites of the seeds, and of the targets of redirects from seeds: http://a.example/ is often www.a.example."""
    rows = db.execute(
        "SELECT id, site, state FROM url WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(db.seed_ids.values())),),
    ).fetchall()
    sites = {site for _, site, _ in rows}
    reached = {url for url, _, _ in rows}
    moved = [url for url, _, state in rows if state == MOVED]
    while moved:
        led = db.execute(
            "SELECT url.id, url.site, url.state FROM outlinks, json_each(outlinks.targets) AS place"
            f" JOIN url ON url.id = {db.id_of('place.value')} WHERE source = ?",
            (moved.pop(),),
        )
        for url, site, state in led.fetchall():
            if state != REFUSED:
                sites.add(site)
            if state == MOVED and url not in reached:
                moved.append(url)
            reached.add(url)
    return frozenset(sites)


def html_pages(db: View) -> dict[int, bool]:
    """Ids of the HTML pages -> whether on the site of a seed."""
    seeds = seed_sites(db)
    rows = db.execute(
        "SELECT url.id, site, type FROM page JOIN url ON url.id = page.url"
        " WHERE state = 'fetched' AND status BETWEEN 200 AND 299"
    )
    return {url: site in seeds for url, site, kind in rows if kind in HTML_TYPES}


def read(db: View, links: Links) -> Sites:
    seeds = seed_sites(db)
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

    def add(self, url: int, site: int, kind: str, links: Links, *, good: bool, copy: bool, marked: bool) -> None:
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

    def row(label: str, *values: Value) -> Row:
        return Row(label=label, values=values)

    rows = [
        row("Sites with pages", *(each.sites for each in of_each)),
        row("Pages crawled", *(each.pages for each in of_each)),
        row("  HTML pages", *(each.html for each in of_each)),
        row("    duplicates among HTML pages", *(each.html_duplicates for each in of_each)),
        row("  duplicates, byte for byte", *(each.duplicates for each in of_each)),
        row("Binary files", *(sum(each.binary.values()) for each in of_each)),
        row("  not downloaded", *(each.not_downloaded for each in of_each)),
        *chain.from_iterable(_of_type(name, [name], of_each) for name in top),
    ]
    if rest:
        rows += _of_type(f"{len(rest):,} other types", rest, of_each)
    rows += [
        row("Images shown by HTML pages (distinct)", *(each.images_linked for each in of_each)),
        row("  per page, mean", *(each.images_mean for each in of_each)),
        row("  per page with an image, mean", *(each.images_shown_mean for each in of_each)),
        row("  per page, maximum", *(each.images_most for each in of_each)),
        row("Disallowed by robots.txt (URLs)", *(each.disallowed for each in of_each)),
    ]
    return [Section(title="Sites", rows=tuple(rows), columns=("seeds", "all"), how=HOW)]


def _of_type(label: str, names: Sequence[str], of_each: Sequence[Holding]) -> tuple[Row, Row]:
    """The binary files of these types, and their share of all."""
    counts = [sum(each.binary.get(name, 0) for name in names) for each in of_each]
    totals = [sum(each.binary.values()) for each in of_each]
    shares = (count / total if total else None for count, total in zip(counts, totals, strict=True))
    return Row(label=f"  {label}", values=tuple(counts)), Row(label="    share", values=tuple(shares))
