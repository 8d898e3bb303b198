"""The visits of a crawl that was continued by `ttcrawl recrawl`: what they found, and what was not sent again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ttcrawl.output.layout import Section
from ttcrawl.report.rows import moment, row, row_of
from ttcrawl.report.sources import Sources
from ttcrawl.snapshot.status import GONE_AND_MOVED, UNLINKED

HOW = (
    "From table revisit. A change is another title or main text, dates and times aside. Bytes not sent again: for each"
    " visit that was answered with 304, the length of the latest body of its page."
)

_TOTALS = """
    SELECT count(*), coalesce(sum(visits), 0), coalesce(sum(not_modified), 0), coalesce(sum(changes), 0),
           coalesce(sum(not_modified * page.length), 0), sum(missing > 0), sum(failures > 0), min(next)
    FROM revisit LEFT JOIN page ON page.url = revisit.url"""

_BY_COUNT = "SELECT visits, count(*) FROM revisit GROUP BY visits"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recrawls:
    urls: int  # with a next visit
    visits: int  # by recrawl
    not_modified: int  # of `visits`: answered with 304
    changes: int  # of `visits`: found a change
    bytes_saved: int  # bodies that were not sent again, as far as known
    missing: int  # pages whose last visits found an error
    lost_pages: int  # pages that are gone, or have moved
    moved: int  # of them: known again at another URL
    unlinked: int  # URLs to which no page links any more
    silent: int  # pages whose last visits had no answer about them
    next: float  # when the first URL is due, seconds since the epoch; 0: never
    by_count: Mapping[int, int]  # a power of 2, or 0 -> URLs with this number of visits or more, up to the next one


def read(sources: Sources) -> Recrawls:
    db = sources.db
    urls, visits, not_modified, changes, saved, missing, silent, next_ = db.execute(_TOTALS).fetchone()
    (lost_pages, moved), (unlinked,) = db.execute(GONE_AND_MOVED).fetchone(), db.execute(UNLINKED).fetchone()
    by_count: dict[int, int] = {}
    for count, pages in db.execute(_BY_COUNT):
        low = 1 << count.bit_length() - 1 if count else 0
        by_count[low] = by_count.get(low, 0) + pages
    return Recrawls(
        urls=urls,
        visits=visits,
        not_modified=not_modified,
        changes=changes,
        bytes_saved=saved,
        missing=missing or 0,
        lost_pages=lost_pages,
        moved=moved,
        unlinked=unlinked,
        silent=silent or 0,
        next=next_ or 0.0,
        by_count=by_count,
    )


def sections(crawls: Sequence[Recrawls]) -> list[Section]:
    """Empty if no crawl has visits."""
    if not any(each.visits for each in crawls):
        return []
    rows = [
        row("Visits", crawls, lambda each: each.visits),
        row("  not modified (304)", crawls, lambda each: each.not_modified),
        row("  that found a change", crawls, lambda each: each.changes),
        row("Bytes not sent again", crawls, lambda each: each.bytes_saved),
        row("URLs that are visited", crawls, lambda each: each.urls),
        *(
            row_of(f"  {_numbers(low)}", [[each.by_count.get(low, 0)] for each in crawls])
            for low in sorted({low for each in crawls for low in each.by_count})
        ),
        row("Pages that stay after an error", crawls, lambda each: each.missing),
        row("Pages that stay without an answer", crawls, lambda each: each.silent),
        row("Pages that are gone", crawls, lambda each: each.lost_pages),
        row("  known again at another URL", crawls, lambda each: each.moved),
        row("URLs without links", crawls, lambda each: each.unlinked),
        row("Next visit due (UTC)", crawls, lambda each: moment(each.next)),
    ]
    return [Section(title="Visits", rows=tuple(rows), how=HOW)]


def _numbers(low: int) -> str:
    """The range of numbers of visits that begins with a power of 2.

    >>> _numbers(0), _numbers(1), _numbers(4)
    ('no visit yet', '1 visit', '4 to 7 visits')
    """
    if low < 2:
        return "1 visit" if low else "no visit yet"
    return f"{low:,} to {2 * low - 1:,} visits"
