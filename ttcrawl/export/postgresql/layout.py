"""The schemas, tables and views, created where they are missing."""

from __future__ import annotations

from collections.abc import Iterator

import xxhash

from ttcrawl.errors import UsageError
from ttcrawl.export.postgresql import crawldb, page_links, tables, words
from ttcrawl.export.postgresql.server import Connection
from ttcrawl.export.postgresql.table import Table
from ttcrawl.export.postgresql.views import VIEWS

#: Pages come before the links to them, and the texts of links before the words of pages.
TABLES = (*crawldb.TABLES, *tables.TABLES, words.SEARCH)
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


def create(server: Connection) -> None:
    """Create what is missing, in a transaction. Raises UsageError for a database whose texts are not in UTF-8."""
    ((encoding,),) = server.execute("SHOW server_encoding")
    if encoding != "UTF8":
        raise UsageError(f"the database has texts in {encoding}: create one with ENCODING 'UTF8'")
    statements = [*OWN, *_statements()]
    checksum = xxhash.xxh3_128_hexdigest("\n".join(statements).encode())
    if _current(server) == checksum:
        return
    server.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
    if _current(server) != checksum:  # another process may have created it meanwhile
        for statement in statements:
            server.execute(statement)
        server.execute("DELETE FROM ttcrawl.layout")
        server.execute("INSERT INTO ttcrawl.layout VALUES (%s)", (checksum,))
    server.commit()


def _current(server: Connection) -> str | None:
    ((exists,),) = server.execute("SELECT to_regclass('ttcrawl.layout') IS NOT NULL")
    rows = server.execute("SELECT checksum FROM ttcrawl.layout") if exists else []
    return rows[0][0] if rows else None


def _statements() -> Iterator[str]:
    yield from (f"DROP VIEW IF EXISTS {name}" for name in VIEWS)
    for table in TABLES:
        yield from _table(table)
    yield from (*page_links.CREATE, *words.CREATE)
    yield from (f"CREATE VIEW {name} AS {query}" for name, query in VIEWS.items())


def _table(table: Table) -> Iterator[str]:
    """A later version may have more columns."""
    yield f"CREATE TABLE IF NOT EXISTS {table.name} (crawl integer NOT NULL)"
    for name, kind in {**table.columns, **table.generated}.items():
        yield f'ALTER TABLE {table.name} ADD COLUMN IF NOT EXISTS "{name}" {kind}'
    for columns in (f'(crawl, "{table.key}")', *table.indexes):  # the name changes with the columns
        name = f"{table.name.replace('.', '_')}_{xxhash.xxh32_hexdigest(columns.encode())}"
        yield f"CREATE INDEX IF NOT EXISTS {name} ON {table.name} {columns}"
