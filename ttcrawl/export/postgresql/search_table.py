"""Table `ttcrawl.search`: the words of pages, for `ttcrawl search postgresql://...`.

As in search.db a page has the words of its title, its headings, the links to it, and its text. The texts of links are
in `ttcrawl.anchor`, by the key of the URL to which they lead; `ttcrawl.touched` has the keys with new ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice

from ttcrawl.export.postgresql.server import Connection
from ttcrawl.export.postgresql.table import Row, Table
from ttcrawl.export.postgresql.vector import vector
from ttcrawl.inspect.search.index import LONGEST_ANCHOR, MOST_ANCHORS
from ttcrawl.snapshot.page_text import WITH_WORDS, words_or_none
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.headings import heading_texts

CREATE = (
    "CREATE TABLE IF NOT EXISTS ttcrawl.anchor"
    ' (crawl integer, target bigint, text text COLLATE "C", PRIMARY KEY (crawl, target, text))',
    "CREATE TABLE IF NOT EXISTS ttcrawl.touched (crawl integer, target bigint, PRIMARY KEY (crawl, target))",
)

#: Pages that are written at once.
BATCH = 50

#: After a change of `ttcrawl.outlinks`: the texts of the links of these pages.
OUTLINKS_CHANGED = (
    f"""
    WITH new AS (
        INSERT INTO ttcrawl.anchor
        SELECT DISTINCT crawl, target, left(text, {LONGEST_ANCHOR})
        FROM ttcrawl.outlinks CROSS JOIN LATERAL
            ROWS FROM (unnest(targets), json_array_elements_text(anchors::json)) AS link (target, text)
        WHERE crawl = %(crawl)s AND source = ANY(%(keys)s) AND anchors != '' AND target IS NOT NULL AND text ~ '\\S'
        ON CONFLICT DO NOTHING RETURNING crawl, target
    )
    INSERT INTO ttcrawl.touched SELECT DISTINCT crawl, target FROM new ON CONFLICT DO NOTHING""",
)

_ANCHORS = """
    SELECT key, text FROM unnest(%s::bigint[]) AS key CROSS JOIN LATERAL
        (SELECT text FROM ttcrawl.anchor WHERE crawl = %s AND target = key ORDER BY text LIMIT %s) AS anchor"""

_INSERT = """
    INSERT INTO ttcrawl.search (crawl, url, vector)
    SELECT %s, url, vector FROM unnest(%s::bigint[], %s::text[]::tsvector[]) AS page (url, vector)"""

_DONE = "DELETE FROM ttcrawl.touched WHERE crawl = %s AND target = ANY(%s)"

_TOUCHED = """
    WITH touched AS (DELETE FROM ttcrawl.touched WHERE crawl = %(crawl)s RETURNING crawl, target)
    DELETE FROM ttcrawl.search USING touched JOIN crawldb.page ON page.crawl = touched.crawl AND page.key = target
    WHERE search.crawl = touched.crawl AND search.url = page.number RETURNING search.url"""


def insert(server: Connection, db: View, crawl: int, rows: Iterable[Row]) -> None:
    """Add the words of pages."""
    remaining = iter(rows)
    while batch := list(islice(remaining, BATCH)):
        anchors: dict[int, list[str]] = {}
        for key, text in server.execute(_ANCHORS, ([row[2] for row in batch], crawl, MOST_ANCHORS)):
            anchors.setdefault(key, []).append(text)
        vectors = []
        for id, url, key, _, _, title, headings in batch:
            text = words_or_none(db, id, url, main=False) or ""
            of_headings = "\n".join(heading_texts(headings))
            vectors.append(vector((title, of_headings, "\n".join(anchors.get(key, ())), text)))
        server.execute(_INSERT, (crawl, [row[0] for row in batch], vectors))
        server.execute(_DONE, (crawl, [row[2] for row in batch]))


def refresh(server: Connection, db: View, crawl: int) -> None:
    """Replace the words of pages to which links with new texts lead."""
    ids = [id for (id,) in server.execute(_TOUCHED, {"crawl": crawl})]
    rows = db.execute(SEARCH.query("IN (SELECT value FROM json_each(?))"), (json.dumps(ids),)) if ids else ()
    insert(server, db, crawl, rows)


#: The pages are the same as in search.db. The size tells whether the text changed.
SEARCH = Table(
    name="ttcrawl.search",
    key="url",
    columns={"url": "bigint", "vector": "tsvector"},
    needs=("url", "page", "text", "metadata"),
    source_key="page.url",
    selected="url.url, url.key, page.time, coalesce(text.size, -1), page.title, coalesce(metadata.headings, '')",
    source="page JOIN url ON url.id = page.url LEFT JOIN text ON text.url = page.url"
    " LEFT JOIN metadata ON metadata.url = page.url",
    insert=insert,
    where=WITH_WORDS,
    recent="url",
    indexes=("USING gin (vector)",),
)
