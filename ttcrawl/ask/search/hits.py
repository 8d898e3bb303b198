"""The pages that match a query, best first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from ttcrawl.ask.library.words import words
from ttcrawl.ask.search.index import content
from ttcrawl.ask.search.query import Query
from ttcrawl.ask.view.errors import NotThere
from ttcrawl.ask.view.view import View
from ttcrawl.store.database import Database

#: How much a word counts in the title, the headings, the anchor texts of links to the page, and its text.
WEIGHTS = (10.0, 4.0, 6.0, 1.0)

_FILTERS = {
    "host": "(host = {0} OR host LIKE '%.' || {0} OR host LIKE {0} || ':%' OR host LIKE '%.' || {0} || ':%')",
    "lang": "language = {0}",
    "type": "instr(type, {0}) > 0",
    "after": "date >= {0}",
    "before": "date < {0}",
}

_ORIGINAL = """
    SELECT url.url, coalesce(duplicate.duplicate_of, duplicate.near_duplicate_of, url.id)
    FROM url LEFT JOIN duplicate ON duplicate.url = url.id WHERE url.id = ?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A page. `score` is higher for better pages (BM25). `text`: the main text. `duplicates`: pages it stands for."""

    url: str
    title: str
    score: float
    language: str
    type: str
    date: str
    text: str
    duplicates: int


def hits(db: Database, crawl: View, query: Query, most: int) -> list[Hit]:
    """Return at most `most` pages. Of identical and similar pages, only the best is returned."""
    best: dict[int, Hit] = {}
    copies: dict[int, int] = {}
    for id, score in _matches(db, query):
        row = crawl.execute(_ORIGINAL, (id,)).fetchone()
        if row is None:
            continue
        url, original = row
        if original in best:
            copies[original] = copies.get(original, 0) + 1
        elif len(best) == most:
            break
        else:
            best[original] = _hit(db, crawl, id, url, score)
    return [replace(hit, duplicates=copies.get(original, 0)) for original, hit in best.items()]


def _matches(db: Database, query: Query) -> Iterator[tuple[int, float]]:
    """(id, score) of all pages that match, best first; in the order of discovery without words."""
    conditions = " AND ".join(_FILTERS[name].format(f"?{n}") for n, (name, _) in enumerate(query.filters, 2))
    values = (query.match, *(value for _, value in query.filters))
    if not query.match:
        yield from db.execute(f"SELECT id, 0.0 FROM page WHERE {conditions or '0'} AND ?1 = '' ORDER BY id", values)
        return
    weights = ", ".join(map(str, WEIGHTS))
    yield from db.execute(
        f"SELECT words.rowid, -bm25(words, {weights}) AS score FROM words JOIN page ON page.id = words.rowid"
        f" WHERE words MATCH ?1 {'AND ' + conditions if conditions else ''} ORDER BY score DESC, page.id",
        values,
    )


def _hit(db: Database, crawl: View, id: int, url: str, score: float) -> Hit:
    query = "SELECT language, type, date, content FROM page WHERE id = ?"
    language, type, date, packed = db.execute(query, (id,)).fetchone()
    title, _, _, text = content(packed)
    with suppress(NotThere):
        text = words(crawl, id, url, main=True)
    return Hit(url=url, title=title, score=score, language=language, type=type, date=date, text=text, duplicates=0)
