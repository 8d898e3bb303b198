"""The pages that match a query, best first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import inf

from ttcrawl.inspect.search.expression import exact, wide
from ttcrawl.inspect.search.index import content
from ttcrawl.inspect.search.query import Query
from ttcrawl.inspect.search.snippet import WORDS, snippet
from ttcrawl.inspect.search.stems import same_stem, stemmers
from ttcrawl.snapshot.page_text import words_or_none
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.database import Database

#: How much a word counts in the title, the headings, the anchor texts of links to the page, and its text.
WEIGHTS = (10.0, 4.0, 6.0, 1.0)

#: How much the logarithm of a PageRank counts: the best for titles in one half of benchmarks/search.py.
RANK_WEIGHT = 0.1

_FILTERS = {
    "host": "instr('.' || host || ':', '.' || {0} || ':') > 0",  # with its subdomains, at any port
    "url": "instr(url, {0}) > 0",
    "lang": "language = {0}",
    "type": "instr(type, {0}) > 0",
    "after": "date >= {0}",
    "before": "date < {0}",
}

#: Filter -> column of table page: what results are divided by; and how many values of each are counted.
FACETS = {"host": "host", "type": "type", "lang": "language"}
MOST_VALUES = 12

_ORIGINAL = """
    SELECT url.url, coalesce(duplicate.duplicate_of, duplicate.near_duplicate_of, url.id)
    FROM url LEFT JOIN duplicate ON duplicate.url = url.id WHERE url.id = ?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A page. `score`: higher for better pages (BM25). `date`: YYYY-MM-DD. `text`: the main text.

    `duplicates`: similar pages that it stands for. `words`: of the query, folded, prefixes with * at the end.
    """

    url: str
    title: str
    score: float
    language: str
    type: str
    date: str
    text: str
    duplicates: int
    words: tuple[str, ...]

    def snippet(self, mark: Callable[[str], str] = str, most: int = WORDS) -> str:
        """Return `most` words of the text around the words of the query, each replaced by `mark(word)`."""
        return snippet(self.text, self.words, mark, most)


def hits(db: Database, crawl: View, query: Query, most: int, *, pagerank: bool = False) -> list[Hit]:
    """Return at most `most` pages. Of identical and similar pages, only the best is returned.

    Pages with the words as written come first, then those with other words of the same stem. With `pagerank`, the
    ranks in the index count too.
    """
    best: dict[int, Hit] = {}
    copies: dict[int, int] = {}
    for id, score, words in _matches(db, query, pagerank):
        row = crawl.execute(_ORIGINAL, (id,)).fetchone()
        if row is None:
            continue
        url, original = row
        if original in best:
            copies[original] = copies.get(original, 0) + 1
        elif len(best) == most:
            break
        else:
            best[original] = _hit(db, crawl, id, url, score, words)
    return [replace(hit, duplicates=copies.get(original, 0)) for original, hit in best.items()]


def facets(db: Database, query: Query) -> tuple[int, dict[str, list[tuple[str, int]]]]:
    """The number of pages that match, and of each of FACETS the values of most of them: (value, pages), most first.

    Similar pages count each.
    """
    if query.match:
        match, _ = _others(db, query)
        pages, condition = "words JOIN page ON page.id = words.rowid", "words MATCH ?1"
    else:
        match, pages, condition = "", "page", "?1 = ''"
    conditions, values = _conditions(query, match)
    columns = ", ".join(FACETS.values())
    counts: dict[str, Counter[str]] = {name: Counter() for name in FACETS}
    for *row, count in db.execute(
        f"SELECT {columns}, count(*) FROM {pages} WHERE {condition} {'AND ' + conditions if conditions else ''}"
        f" GROUP BY {columns}",
        values,
    ):
        for name, value in zip(FACETS, row, strict=True):
            counts[name][value] += count
    total = counts["host"].total()
    return total, {name: count.most_common(MOST_VALUES) for name, count in counts.items()}


def _others(db: Database, query: Query) -> tuple[str, list[str]]:
    """Return the expression with words of the same stem, and these words."""
    languages = [value for name, value in query.filters if name == "lang"]
    return wide(query, partial(same_stem, db, stemmers=stemmers(db, languages)))


def _matches(db: Database, query: Query, pagerank: bool) -> Iterator[tuple[int, float, tuple[str, ...]]]:
    """(id, score, words) of all pages that match, best first; in the order of discovery without words."""
    if not query.match:
        conditions, values = _conditions(query)
        for (id,) in db.execute(f"SELECT id FROM page WHERE {conditions or '0'} AND ?1 = '' ORDER BY id", values):
            yield id, 0.0, ()
        return
    seen = set()
    lowest = inf
    written = exact(query)
    for id, score in _ordered(db, query, written, pagerank):
        seen.add(id)
        lowest = score
        yield id, score, query.words
    widened, others = _others(db, query)
    if others:
        for id, score in _ordered(db, query, widened, pagerank):
            if id not in seen:
                yield id, min(score, lowest), (*query.words, *others)


def _ordered(db: Database, query: Query, match: str, pagerank: bool) -> Iterator[tuple[int, float]]:
    """(id, score) of the pages that match an expression, best first."""
    conditions, values = _conditions(query, match)
    score = f"-bm25(words, {', '.join(map(str, WEIGHTS))})"
    if pagerank:
        score += f" + {RANK_WEIGHT} * coalesce(rank.value, (SELECT min(value) FROM rank), 0)"
    yield from db.execute(
        f"SELECT words.rowid, {score} AS score FROM words JOIN page ON page.id = words.rowid"
        f" {'LEFT JOIN rank ON rank.id = page.id' if pagerank else ''}"
        f" WHERE words MATCH ?1 {'AND ' + conditions if conditions else ''} ORDER BY score DESC, page.id",
        values,
    )


def _conditions(query: Query, match: str = "") -> tuple[str, tuple[str, ...]]:
    """The filters of a query in SQL, and the values of ?1, ?2 ...: the expression first."""
    conditions = [condition(_FILTERS, name, f"?{n}") for n, (name, _) in enumerate(query.filters, 2)]
    return " AND ".join(conditions), (match, *(value for _, value in query.filters))


def condition(filters: Mapping[str, str], name: str, value: str) -> str:
    """A filter of a query in SQL; `value` is its parameter."""
    positive = filters[name.removeprefix("-")].format(value)
    return f"NOT ({positive})" if name.startswith("-") else positive


def _hit(db: Database, crawl: View, id: int, url: str, score: float, words: tuple[str, ...]) -> Hit:
    query = "SELECT language, type, date, content FROM page WHERE id = ?"
    language, type, date, packed = db.execute(query, (id,)).fetchone()
    title, _, _, indexed = content(packed)
    text = words_or_none(crawl, id, url, main=True)
    about = {"language": language, "type": type, "date": date}
    return Hit(
        url=url, title=title, score=score, text=indexed if text is None else text, duplicates=0, words=words, **about
    )
