"""Duplicate pages: how many pages are marked and why, what that saved, the largest groups, and the hosts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ttcrawl.errors import ConfigError
from ttcrawl.output.layout import Row, Section, Value
from ttcrawl.report.laws.lsh import Bands
from ttcrawl.report.rows import row, row_of, share
from ttcrawl.report.sources import Sources
from ttcrawl.ring.columns import BYTES, NEAR, TEXT
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.unsettled import copies, groups, unsettled

MOST_GROUPS, MOST_HOSTS = 10, 20

HOW = (
    "From the marks of the crawl. Of pages that are the same, the first by depth, rank in sitemaps and URL is the"
    " original; the others are its duplicates: by bytes, by text (without markup, white space and case), or nearly, by"
    " the Jaccard similarity of the word shingles of their main texts. Shares are of the pages with a status of 2xx."
)
HOW_GROUPS = "ttcrawl duplicates DIR URL lists all URLs of a group."


@dataclass(frozen=True, slots=True, kw_only=True)
class Largest:
    """An original, the number of its duplicates, and one of them as an example."""

    original: str  # its URL
    bytes: int  # its duplicates by bytes
    text: int  # by text
    near: int  # nearly
    example: str  # the URL of one of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A host with duplicates."""

    host: str
    pages: int  # with a status of 2xx
    duplicates: int  # of `pages`


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicates:
    """The pages that are the same as others."""

    pages: int  # with a status of 2xx
    bytes: int  # pages with the same bytes as another page
    text: int  # pages with the same text, and other bytes
    near: int  # pages with nearly the same main text
    similarity: float | None  # mean similarity of near duplicates; None: there are none
    similarities: tuple[int, ...]  # number of near duplicates with similarity from 0.00, 0.01, ... 1.00 on
    revisits: int  # responses whose bytes were archived before ...
    saved: int  # ... and their bytes
    groups: int  # of pages that are the same
    largest: tuple[Largest, ...]  # most duplicates first
    hosts: tuple[Share, ...]  # most duplicates first
    unsettled: int  # pages whose marks may change until a run ends
    settings: Bands | None  # from config.ini; None: unreadable, or near duplicates are off
    how: str = HOW  # how the figures were computed

    @property
    def marked(self) -> int:
        return self.bytes + self.text + self.near


def read(sources: Sources) -> Duplicates:
    db = sources.db
    marked = copies(db)
    by = Counter(each.same for each in marked)
    near = [each.similarity for each in marked if each.same == NEAR]
    counts = Counter(min(100, max(0, int(100 * similarity + 1e-9))) for similarity in near)
    revisits, saved = db.execute("SELECT count(*), coalesce(sum(length), 0) FROM page WHERE payload NOTNULL").fetchone()
    pages, hosts = _hosts(db)
    all_groups = groups(marked)
    return Duplicates(
        pages=pages,
        bytes=by[BYTES],
        text=by[TEXT],
        near=by[NEAR],
        similarity=sum(near) / len(near) if near else None,
        similarities=tuple(counts[percent] for percent in range(101)),
        revisits=revisits,
        saved=saved,
        groups=len(all_groups),
        largest=tuple(
            Largest(
                original=db.url_of(group.original),
                bytes=group.count(BYTES),
                text=group.count(TEXT),
                near=group.count(NEAR),
                example=db.url_of(group.copies[-1].url),  # the least similar one shows the most
            )
            for group in all_groups[:MOST_GROUPS]
        ),
        hosts=hosts,
        unsettled=unsettled(db),
        settings=_settings(db),
    )


def _hosts(db: View) -> tuple[int, tuple[Share, ...]]:
    """(number of pages, hosts with duplicates)."""
    rows = db.execute(
        "SELECT site.host, count(*), count(duplicate.url) FROM page JOIN url ON url.id = page.url"
        " JOIN site ON site.id = url.site LEFT JOIN duplicate ON duplicate.url = page.url"
        " WHERE state = 'fetched' AND status BETWEEN 200 AND 299 GROUP BY site.id"
    ).fetchall()
    shares = [Share(host=host, pages=pages, duplicates=marked) for host, pages, marked in rows if marked]
    ordered = sorted(shares, key=lambda each: (-each.duplicates, each.host))
    return sum(pages for _, pages, _ in rows), tuple(ordered)


def _settings(db: View) -> Bands | None:
    """The settings, or None: a report is useful without config.ini too."""
    try:
        options = db.config.duplicates if db.config_path.is_file() else None
    except ConfigError:
        return None
    if options is None or not options.near:
        return None
    return Bands(permutations=options.permutations, bands=options.bands, verify=options.verify)


def sections(crawls: Sequence[Duplicates]) -> list[Section]:
    result = [_marks(crawls)]
    if any(crawl.largest for crawl in crawls):
        result += [_groups(crawls), _shares(crawls)]
    return result


def _marks(crawls: Sequence[Duplicates]) -> Section:
    def counted(label: str, count: Callable[[Duplicates], int]) -> Row:
        return row(label, crawls, count, lambda each: share(count(each), each.pages))

    def single(label: str, value: Callable[[Duplicates], Value]) -> Row:
        return row(label, crawls, value, lambda each: None)

    rows = [
        counted("Duplicates", lambda each: each.marked),
        counted("  by bytes", lambda each: each.bytes),
        counted("  by text", lambda each: each.text),
        counted("  nearly", lambda each: each.near),
        single("    similarity, mean", lambda each: each.similarity),
        single("Groups of pages that are the same", lambda each: each.groups),
        single("Responses not archived again", lambda each: each.revisits),
        single("  bytes", lambda each: each.saved),
    ]
    if any(each.unsettled for each in crawls):
        rows.append(single("Pages whose marks may change until a run ends", lambda each: each.unsettled))
    return Section(title="Duplicate pages", rows=tuple(rows), columns=("pages", "share"), how=HOW)


def _groups(crawls: Sequence[Duplicates]) -> Section:
    """Side by side if several crawls have the same original."""
    tables = [{each.original: each for each in crawl.largest} for crawl in crawls]
    sizes = {name: max(_size(table[name]) for table in tables if name in table) for table in tables for name in table}
    top = sorted(sizes, key=lambda name: (-sizes[name], name))[:MOST_GROUPS]
    rows = [row_of(name, [_group(table.get(name)) for table in tables]) for name in top]
    columns = ("bytes", "text", "near", "for example")
    return Section(
        title="Originals with most duplicates", rows=tuple(rows), columns=columns, subject="page", how=HOW_GROUPS
    )


def _group(each: Largest | None) -> tuple[Value, ...]:
    return (each.bytes, each.text, each.near, each.example) if each else (None, None, None, None)


def _size(group: Largest) -> int:
    return group.bytes + group.text + group.near


def _shares(crawls: Sequence[Duplicates]) -> Section:
    tables = [{each.host: each for each in crawl.hosts} for crawl in crawls]
    most = {
        host: max(table[host].duplicates for table in tables if host in table) for table in tables for host in table
    }
    top = sorted(most, key=lambda host: (-most[host], host))[:MOST_HOSTS]
    rows = [row_of(host, [_host(table.get(host)) for table in tables]) for host in top]
    return Section(
        title="Hosts with most duplicates", rows=tuple(rows), columns=("pages", "duplicates", "share"), subject="host"
    )


def _host(each: Share | None) -> tuple[Value, ...]:
    return (each.pages, each.duplicates, each.duplicates / each.pages) if each else (None, None, None)
