"""The schemas, tables and views, created where they are missing."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import xxhash

from ttcrawl.errors import UsageError
from ttcrawl.export.postgresql import crawldb, page_links, search_table, tables
from ttcrawl.export.postgresql.checksums import packed, unpacked
from ttcrawl.export.postgresql.server import Connection
from ttcrawl.export.postgresql.table import Table
from ttcrawl.export.postgresql.views import VIEWS

#: Pages come before the links to them, and the texts of links before the words of pages.
TABLES = (*crawldb.TABLES, *tables.TABLES, search_table.SEARCH)
#: A lock of PostgreSQL for the time of the creation.
LOCK = 0x74746372

OWN = (
    "CREATE SCHEMA IF NOT EXISTS ttcrawl",
    "CREATE SCHEMA IF NOT EXISTS crawldb",
    "CREATE TABLE IF NOT EXISTS ttcrawl.layout (checksum text NOT NULL)",
    # the crawls: when each was started, its first seed, and until when it was copied
    "CREATE TABLE IF NOT EXISTS ttcrawl.mirror (crawl integer PRIMARY KEY, started text NOT NULL, seed text NOT NULL,"
    " directory text NOT NULL, time double precision, complete boolean NOT NULL DEFAULT false, UNIQUE (started, seed))",
    "CREATE TABLE IF NOT EXISTS ttcrawl.checksum (crawl integer, name text, block bigint, sums bytea NOT NULL,"
    " PRIMARY KEY (crawl, name, block))",
)

#: What says which rows belong to a crawl, and are there.
BOOKKEEPING = ("ttcrawl.mirror", "ttcrawl.checksum")

#: Tables without checksums -> the tables from whose rows they are made.
DERIVED_FROM = {
    "ttcrawl.page_link": ("ttcrawl.outlinks",),
    "ttcrawl.anchor": ("ttcrawl.outlinks", "ttcrawl.search"),
    "ttcrawl.touched": ("ttcrawl.search",),
}

_COLUMNS = """
    SELECT nspname || '.' || relname, array_agg(attname::text) FROM pg_class
    JOIN pg_namespace ON pg_namespace.oid = relnamespace JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE nspname IN ('ttcrawl', 'crawldb') AND relkind IN ('r', 'p', 'v') AND attnum > 0 AND NOT attisdropped
    GROUP BY 1"""


def create(server: Connection) -> None:
    """Create what is missing, in a transaction. Raises UsageError for a database whose texts are not in UTF-8."""
    ((encoding,),) = server.execute("SHOW server_encoding")
    if encoding != "UTF8":
        raise UsageError(f"the database has texts in {encoding}: create one with ENCODING 'UTF8'")
    statements = [*OWN, *_statements()]
    checksum = xxhash.xxh3_128_hexdigest("\n".join(statements).encode())
    if _current(server) == checksum and not _missing(server):
        return
    server.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
    complete, missing = _current(server) == checksum, _missing(server)  # another process may have created it meanwhile
    if complete and (lost := sorted(missing.intersection(BOOKKEEPING))):
        raise UsageError(
            f"the database has lost table {lost[0]}, without which no copy can be continued: remove all copies with"
            " DROP SCHEMA ttcrawl, crawldb CASCADE"
        )
    if not complete or missing:
        for statement in statements:
            server.execute(statement)
        server.execute("DELETE FROM ttcrawl.layout")
        server.execute("INSERT INTO ttcrawl.layout VALUES (%s)", (checksum,))
    if complete:  # somebody has dropped what is missing, and the rows with it
        _invalidate(server, {name for each in missing for name in DERIVED_FROM.get(each, (each,))})
    server.commit()


def _missing(server: Connection) -> set[str]:
    """Return the tables and views that are not there, or lack columns."""
    existing = {name: set(columns) for name, columns in server.execute(_COLUMNS)}
    expected = {table.name: {"crawl", *table.columns, *table.generated} for table in TABLES}
    expected |= {name: set() for name in (*BOOKKEEPING, *DERIVED_FROM, *VIEWS)}
    return {name for name, columns in expected.items() if name not in existing or not columns <= existing[name]}


def _invalidate(server: Connection, names: Collection[str]) -> None:
    """Change the checksums of tables, so that all of their rows are replaced: the keys say which rows may be there."""
    rows = server.execute("SELECT crawl, name, block, sums FROM ttcrawl.checksum WHERE name = ANY(%s)", ([*names],))
    server.execute_many(
        "UPDATE ttcrawl.checksum SET sums = %s WHERE (crawl, name, block) = (%s, %s, %s)",
        (
            (packed(block, {key: value ^ 1 for key, value in unpacked(block, sums).items()}), crawl, name, block)
            for crawl, name, block, sums in rows
        ),
    )


def _current(server: Connection) -> str | None:
    ((exists,),) = server.execute("SELECT to_regclass('ttcrawl.layout') IS NOT NULL")
    rows = server.execute("SELECT checksum FROM ttcrawl.layout") if exists else []
    return rows[0][0] if rows else None


def _statements() -> Iterator[str]:
    yield from (f"DROP VIEW IF EXISTS {name}" for name in VIEWS)
    for table in TABLES:
        yield from _table(table)
    yield from (*page_links.CREATE, *search_table.CREATE)
    yield from (f"CREATE VIEW {name} AS {query}" for name, query in VIEWS.items())


def _table(table: Table) -> Iterator[str]:
    """A later version may have more columns."""
    yield f"CREATE TABLE IF NOT EXISTS {table.name} (crawl integer NOT NULL)"
    for name, kind in {**table.columns, **table.generated}.items():
        yield f'ALTER TABLE {table.name} ADD COLUMN IF NOT EXISTS "{name}" {kind}'
    for columns in (f'(crawl, "{table.key}")', *table.indexes):  # the name changes with the columns
        name = f"{table.name.replace('.', '_')}_{xxhash.xxh32_hexdigest(columns.encode())}"
        yield f"CREATE INDEX IF NOT EXISTS {name} ON {table.name} {columns}"
