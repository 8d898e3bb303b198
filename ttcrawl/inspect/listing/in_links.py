"""The pages that link to a URL, some at a time, with the anchor and the landmark of each link."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from ttcrawl.inspect.listing.listed import Index
from ttcrawl.snapshot.links import links_to
from ttcrawl.snapshot.rows import Link
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.view_db import SEGMENT

#: Pages that are counted one by one, links of a page to the URL that are listed, and pages of a list.
COUNTED, OF_PAGE, PAGES = 10_000, 3, 20

#: Ids of pages that are looked through at once without view.db, and seconds.
SCANNED, SECONDS = 2_000, 0.5

_SEGMENTS = """
    WITH RECURSIVE every (segment) AS (SELECT ?1 UNION ALL SELECT segment + 1 FROM every WHERE segment < ?2)
    SELECT pair.source FROM every CROSS JOIN listing.pair ON pair.segment = every.segment
    WHERE pair.target = ?3 AND pair.source > ?4 LIMIT ?5"""


@dataclass(frozen=True, slots=True, kw_only=True)
class InLink:
    """A page with links to the URL: the first of them, and their number."""

    id: int
    source: str
    links: tuple[Link, ...]
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InLinks:
    """`after`: the id behind which there may be more pages; None: there are none."""

    pages: tuple[InLink, ...]
    after: int | None


def count(db: View, key: int, index: Index) -> int:
    """How many pages link to the URL of this key, or did once; `COUNTED` or more if there are that many."""
    return len(_sources(db, key, index, 0, COUNTED))


def in_links(
    db: View, key: int, url: str, index: Index, after: int = 0, clock: Callable[[], float] = time.monotonic
) -> InLinks:
    """The next pages behind an id. A page that does not link to the URL any more is left out."""
    deadline, last = clock() + SECONDS, after
    sources = _sources(db, key, index, after, PAGES + 1)
    (newest,) = db.execute("SELECT coalesce(max(source), 0) FROM outlinks").fetchone()
    position = max(after, index.last)
    while len(sources) <= PAGES and position < newest and clock() <= deadline:
        end = position + SCANNED
        query = "SELECT source FROM outlinks WHERE source > ? AND source <= ? AND instr(targets, ?) ORDER BY source"
        sources += [source for (source,) in db.execute(query, (position, end, str(key)))]
        position = end
    pages = []
    for source in sources[:PAGES]:
        if of_url := links_to(db, source, url, key):
            pages.append(InLink(id=source, source=of_url[0].source, links=of_url[:OF_PAGE], times=len(of_url)))
        last = source
    more = len(sources) > PAGES
    return InLinks(pages=tuple(pages), after=last if more else position if position < newest else None)


def _sources(db: View, key: int, index: Index, after: int, limit: int) -> list[int]:
    if not index.last:
        return []
    segments = (after // SEGMENT, index.last // SEGMENT)
    return [source for (source,) in db.execute(_SEGMENTS, (*segments, key, after, limit))]
