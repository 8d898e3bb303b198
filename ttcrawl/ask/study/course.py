"""The course of the crawl: duplicates and errors in each tenth of the pages, and the sizes of the hosts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ttcrawl.ask.report.layout import Row, Section, Value
from ttcrawl.ask.view.view import View

STRETCHES = 10
MOST_HOSTS = 20


HOW = (
    "One row for each tenth of the pages, in the order in which they were processed. Errors are responses with a status"
    " of 400 or more (URLs without a response are not pages); duplicates have the same bytes as an earlier page."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenth:
    """A segment: consecutive pages."""

    last: int  # the number of its last page
    errors: int  # pages with a status of 400 or more
    duplicates: int  # pages with the same body as an earlier page


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """A host in figures."""

    host: str
    pages: int
    bytes: int
    errors: int
    duplicates: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    stretches: tuple[Tenth, ...]
    hosts: tuple[Size, ...]  # most pages first
    how: str = HOW


def read(db: View) -> Course:
    (pages,) = db.execute("SELECT count(*) FROM url WHERE state = 'fetched'").fetchone()
    ends = sorted({-(-pages * each // STRETCHES) for each in range(1, STRETCHES + 1)} - {0})
    hosts: dict[int, list[int]] = {}
    stretches: list[Tenth] = []
    digests: set[bytes] = set()
    errors = duplicates = number = 0
    rows = db.execute(
        "SELECT site, status, length, digest FROM page JOIN url ON url.id = page.url WHERE state = 'fetched'"
        " ORDER BY page.time, url.id"
    )
    for number, (site, status, length, digest) in enumerate(rows, 1):
        good, wrong = 200 <= status < 300, status >= 400
        copy = good and digest in digests
        if good and digest:
            digests.add(digest)
        errors, duplicates = errors + wrong, duplicates + copy
        host = hosts.setdefault(site, [0, 0, 0, 0])
        for index, more in enumerate((1, length, wrong, copy)):
            host[index] += more
        if number == ends[len(stretches)]:
            stretches.append(Tenth(last=number, errors=errors, duplicates=duplicates))
            errors = duplicates = 0
    return Course(stretches=tuple(stretches), hosts=_sizes(db, hosts))


def _sizes(db: View, hosts: dict[int, list[int]]) -> tuple[Size, ...]:
    names = dict(db.execute("SELECT id, host FROM site"))
    sizes = [
        Size(host=names[site], pages=pages, bytes=length, errors=errors, duplicates=duplicates)
        for site, (pages, length, errors, duplicates) in hosts.items()
    ]
    return tuple(sorted(sizes, key=lambda each: (-each.pages, each.host)))


def sections(crawls: Sequence[Course]) -> list[Section]:
    return [_tenths(crawls), _hosts(crawls)]


def _tenths(crawls: Sequence[Course]) -> Section:
    rows = []
    for index in range(max((len(crawl.stretches) for crawl in crawls), default=0)):
        values: list[Value] = []
        for crawl in crawls:
            each = crawl.stretches[index] if index < len(crawl.stretches) else None
            values += (each.last, each.errors, each.duplicates) if each else (None, None, None)
        rows.append(Row(label=f"Tenth {index + 1}", values=tuple(values)))
    title = "Errors and duplicates during the crawl"
    return Section(title=title, rows=tuple(rows), columns=("to page", "errors", "duplicates"), how=HOW)


def _hosts(crawls: Sequence[Course]) -> Section:
    tables = [{each.host: each for each in crawl.hosts} for crawl in crawls]
    most = {host: max(table[host].pages for table in tables if host in table) for table in tables for host in table}
    rows = []
    for host in sorted(most, key=lambda host: (-most[host], host))[:MOST_HOSTS]:
        values: list[Value] = []
        for table in tables:
            each = table.get(host)
            values += (each.pages, each.bytes, each.errors, each.duplicates) if each else (0, None, None, None)
        rows.append(Row(label=host, values=tuple(values)))
    return Section(title="Largest hosts", rows=tuple(rows), columns=("pages", "bytes", "errors", "duplicates"))
