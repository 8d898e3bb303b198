"""`ttcrawl search postgresql://...`: the same queries over the copies of crawls."""

from __future__ import annotations

from typing import Any

from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.export.postgresql.server import Connection, LostConnection, Server
from ttcrawl.export.postgresql.vector import WEIGHTS, tsquery
from ttcrawl.inspect.search.expression import exact
from ttcrawl.inspect.search.hits import Hit, condition
from ttcrawl.inspect.search.query import Query, parse

_DATE = """coalesce(nullif(left(coalesce(nullif(metadata.published, ''), metadata.modified, ''), 10), ''),
    to_char(to_timestamp(page.time) AT TIME ZONE 'UTC', 'YYYY-MM-DD'))"""

#: The value is %(N)s.
_FILTERS = {
    "host": "strpos('.' || lower(host) || ':', '.' || {0} || ':') > 0",
    "url": "strpos(lower(url.url), {0}) > 0",
    "lang": "metadata.language = {0}",
    "type": "strpos(page.type, {0}) > 0",
    "after": f'{_DATE} COLLATE "C" >= {{0}}',
    "before": f'{_DATE} COLLATE "C" < {{0}}',
}

#: Of identical and similar pages of a crawl, only the best is returned.
_HITS = """
    WITH hit AS MATERIALIZED (
        SELECT search.crawl, search.url AS id, {score} AS score, {date} AS date,
               coalesce(duplicate_of, near_duplicate_of, search.url) AS original
        FROM ttcrawl.search
        JOIN ttcrawl.url ON url.crawl = search.crawl AND url.id = search.url
        JOIN ttcrawl.page ON page.crawl = search.crawl AND page.url = search.url
        JOIN ttcrawl.site ON site.crawl = search.crawl AND site.id = url.site
        LEFT JOIN ttcrawl.metadata ON metadata.crawl = search.crawl AND metadata.url = search.url
        LEFT JOIN ttcrawl.duplicate ON duplicate.crawl = search.crawl AND duplicate.url = search.url
        WHERE {conditions}
    ), ranked AS (
        SELECT *, row_number() OVER best AS place, count(*) OVER (PARTITION BY crawl, original) - 1 AS duplicates
        FROM hit WINDOW best AS (PARTITION BY crawl, original ORDER BY score DESC, id)
    ), chosen AS (SELECT * FROM ranked WHERE place = 1 ORDER BY score DESC, crawl, id LIMIT %(most)s)
    SELECT url.url, page.title, chosen.score, coalesce(metadata.language, '') AS language, page.type, date,
           coalesce(text.main, text.text, '') AS text, duplicates
    FROM chosen
    JOIN ttcrawl.url ON url.crawl = chosen.crawl AND url.id = chosen.id
    JOIN ttcrawl.page ON page.crawl = chosen.crawl AND page.url = chosen.id
    LEFT JOIN ttcrawl.metadata ON metadata.crawl = chosen.crawl AND metadata.url = chosen.id
    LEFT JOIN ttcrawl.text ON text.crawl = chosen.crawl AND text.url = chosen.id
    ORDER BY chosen.score DESC, chosen.crawl, chosen.id"""


def search(url: str, text: str, most: int, crawl: int | None) -> list[Hit]:
    """The best pages of a crawl, or of all.

    Raises UsageError, and CrawlFailedError if PostgreSQL cannot be reached.
    """
    query, server = parse(text), Server(url)
    try:
        with server.connected() as connection:
            _check(connection, server, crawl)
            return hits(connection, query, most, crawl)
    except LostConnection as error:
        raise CrawlFailedError(str(error)) from None


def hits(connection: Connection, query: Query, most: int, crawl: int | None = None) -> list[Hit]:
    """Return at most `most` pages, best first; in the order of discovery without words."""
    if not (query.match or query.filters):
        return []
    values: dict[str, Any] = {f"value{n}": value for n, (_, value) in enumerate(query.filters)}
    values |= {"most": most, "crawl": crawl, "words": tsquery(exact(query)), "weights": [*WEIGHTS]}
    conditions = [condition(_FILTERS, name, f"%(value{n})s::text") for n, (name, _) in enumerate(query.filters)]
    conditions += ["search.crawl = %(crawl)s"] if crawl is not None else []
    conditions += ["vector @@ %(words)s::tsquery"] if query.match else []
    score = "ts_rank(%(weights)s::real[], vector, %(words)s::tsquery, 1)" if query.match else "0.0::real"
    statement = _HITS.format(score=score, date=_DATE, conditions=" AND ".join(conditions))
    names = ("url", "title", "score", "language", "type", "date", "text", "duplicates")
    return [
        Hit(**dict(zip(names, row, strict=True)), words=query.words) for row in connection.execute(statement, values)
    ]


def _check(connection: Connection, server: Server, crawl: int | None) -> None:
    """Raises UsageError if the database lacks this crawl."""
    ((exists,),) = connection.execute("SELECT to_regclass('ttcrawl.search') IS NOT NULL")
    crawls = connection.execute("SELECT crawl, seed FROM ttcrawl.mirror ORDER BY 1") if exists else []
    if not crawls:
        raise UsageError(f"{server.shown} has no crawl: copy one with ttcrawl mirror")
    if crawl is not None and crawl not in [number for number, _ in crawls]:
        known = ", ".join(f"{number} ({seed})" for number, seed in crawls[:10])
        raise UsageError(f"{server.shown} has no crawl {crawl}; it has {known}{', ...' if len(crawls) > 10 else ''}")
