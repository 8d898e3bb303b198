"""The course of the crawl: duplicates and errors in each tenth of the pages, and the sizes of the hosts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from ttcrawl.output.layout import PAGES, Row, Section, Value
from ttcrawl.output.number import counted
from ttcrawl.report.rows import row_of
from ttcrawl.report.sources import Sources
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.unsettled import CONTENT_DIGEST
from ttcrawl.vocabulary.reason import NO_CONTENT_STATUSES
from ttcrawl.vocabulary.state import FAILED, MOVED, QUEUED, REFUSED

TENTHS = 10
MOST_HOSTS = 50

#: Of the table of sites: fields of Size. Crawls side by side show the first ones.
COLUMNS = ("pages", "bytes", "errors", "duplicates", "moved", "failed", "refused", "queued")
COMPARED = 4

HOW_HOSTS = (
    f"Every site with a discovered URL. {PAGES}. Errors and duplicates are pages too; moved, failed, refused and queued"
    " are the other URLs."
)
HOW = (
    f"One row for each tenth of the pages, in the order in which they were processed. {PAGES}, page requisites too."
    " Errors are responses with a status of 400 or more (URLs without a response are not pages); duplicates have the"
    " same bytes as an earlier page: those of its document after scripts if it was read in the browser."
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
    errors: int  # of these, with a status of 400 or more
    duplicates: int  # of these, with the same body as an earlier page
    moved: int  # URLs of this and the other states
    failed: int
    refused: int
    queued: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    tenths: tuple[Tenth, ...]
    hosts: tuple[Size, ...]  # most pages first
    how: str = HOW  # how the figures were computed


def read(sources: Sources) -> Course:
    db = sources.db
    (pages,) = db.execute("SELECT count(*) FROM url WHERE state = 'fetched'").fetchone()
    ends = sorted({-(-pages * each // TENTHS) for each in range(1, TENTHS + 1)} - {0})
    hosts: dict[int, list[int]] = {}
    tenths: list[Tenth] = []
    digests: set[bytes] = set()
    errors = duplicates = number = 0
    rows = db.execute(
        f"SELECT site, status, length, {CONTENT_DIGEST} FROM page JOIN url ON url.id = page.url WHERE state = 'fetched'"
        " ORDER BY page.time, url.id"
    )
    for number, (site, status, length, digest) in enumerate(rows, 1):
        good, wrong = 200 <= status < 300 and status not in NO_CONTENT_STATUSES, status >= 400
        copy = good and digest in digests
        if good and digest:
            digests.add(digest)
        errors, duplicates = errors + wrong, duplicates + copy
        host = hosts.setdefault(site, [0, 0, 0, 0])
        for index, more in enumerate((1, length, wrong, copy)):
            host[index] += more
        if number == ends[len(tenths)]:
            tenths.append(Tenth(last=number, errors=errors, duplicates=duplicates))
            errors = duplicates = 0
    return Course(tenths=tuple(tenths), hosts=_sizes(db, hosts))


def _sizes(db: View, hosts: dict[int, list[int]]) -> tuple[Size, ...]:
    names = dict(db.execute("SELECT id, host FROM site"))
    states: dict[int, dict[str, int]] = {}
    for site, state, urls in db.execute("SELECT site, state, count(*) FROM url GROUP BY 1, 2"):
        states.setdefault(site, {})[state] = urls
    sizes = []
    for site in states:
        pages, length, errors, duplicates = hosts.get(site, (0, 0, 0, 0))
        others = {state: states[site].get(state, 0) for state in (MOVED, FAILED, REFUSED, QUEUED)}
        size = Size(host=names[site], pages=pages, bytes=length, errors=errors, duplicates=duplicates, **others)
        sizes.append(size)
    return tuple(sorted(sizes, key=lambda each: (-each.pages, -each.queued, each.host)))


def sections(crawls: Sequence[Course]) -> list[Section]:
    return [_tenths(crawls), _hosts(crawls)]


def _tenths(crawls: Sequence[Course]) -> Section:
    tenths = range(max((len(crawl.tenths) for crawl in crawls), default=0))
    rows = [row_of(f"Tenth {index + 1}", [_tenth(crawl, index) for crawl in crawls]) for index in tenths]
    title = "Errors and duplicates during the crawl"
    return Section(title=title, rows=tuple(rows), columns=("to page", "errors", "duplicates"), subject="tenth", how=HOW)


def _tenth(crawl: Course, index: int) -> tuple[Value, ...]:
    if index >= len(crawl.tenths):
        return (None, None, None)
    each = crawl.tenths[index]
    return (each.last, each.errors, each.duplicates)


def _hosts(crawls: Sequence[Course]) -> Section:
    """One row for each of the largest sites, one for all others, and the sums.

    A site counts among the others if every URL of it was refused.
    """
    columns = COLUMNS if len(crawls) == 1 else COLUMNS[:COMPARED]
    tables = [{each.host: each for each in crawl.hosts} for crawl in crawls]
    most: dict[str, tuple[int, int]] = {}
    for each in chain.from_iterable(crawl.hosts for crawl in crawls):
        most[each.host] = max(most.get(each.host, (0, 0)), (each.pages, each.moved + each.failed + each.queued))
    order = sorted(most, key=lambda host: (*(-count for count in most[host]), host))
    top = [host for host in order[:MOST_HOSTS] if any(most[host])]
    rest = order[len(top) :]

    def sums(label: str, hosts: Sequence[str], *, foot: bool = False) -> Row:
        sizes = [[table[host] for host in hosts if host in table] for table in tables]
        of_each = [[sum(getattr(size, column) for size in of) for column in columns] for of in sizes]
        return row_of(label, of_each, foot=foot)

    rows = [sums(host, [host]) for host in top]
    if rest:
        rows.append(sums(counted(len(rest), "other site"), rest, foot=True))
    if len(order) > 1:
        rows.append(sums("All sites", order, foot=True))
    return Section(title="Largest hosts", rows=tuple(rows), columns=columns, subject="site", how=HOW_HOSTS)
