"""What a search shows: pages, what they can be divided by, and words that no page has. The index stays as it is."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass

from ttcrawl.inspect.search.correction import corrections
from ttcrawl.inspect.search.hits import Hit, facets, hits
from ttcrawl.inspect.search.index import Index
from ttcrawl.inspect.search.query import parse
from ttcrawl.snapshot.limited import INSTRUCTIONS
from ttcrawl.snapshot.snapshot import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """`pages`: that match. `facets`: of each filter, the values of most of them, and how many. `unknown`: words of the
    query that no page has, each with a word like it, or "". `empty`: the index has no page yet."""

    hits: list[Hit]
    pages: int
    facets: dict[str, list[tuple[str, int]]]
    unknown: list[tuple[str, str]]
    empty: bool


def results(crawl: View, text: str, most: int, seconds: float) -> Results:
    """The best pages of the index. Its queries may take so many seconds; use it within `limited_view`, which turns
    their interruption into TooSlow. Raises UsageError for a wrong query."""
    query = parse(text)
    end = time.monotonic() + seconds
    with closing(Index(crawl.directory)) as index:
        index.db.interrupt_if(lambda: time.monotonic() > end, INSTRUCTIONS)
        pages, values = facets(index.db, query)
        best = hits(index.db, crawl, query, most)
        unknown, empty = corrections(index.db, query), index.db.execute("SELECT 1 FROM page").fetchone() is None
        return Results(hits=best, pages=pages, facets=values, unknown=unknown, empty=empty)
