"""What crawl.db and PostgreSQL have, read without the code that copies."""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.support.crawls.postgresql import Postgresql

#: Tables that are not copied: indexes of others, work in progress, cookies, and files.
LEFT_OUT = {"by_key", "queue", "bucket", "unsettled", "cookie", "leftover", "resource", "vanished_key"}

#: What a ring of a cluster sends to others, and receives.
LEFT_OUT |= {"outbox", "posted", "inbox", "received", "peer", "replay", "held", "awaited", "adoption"}


def tables(directory: Path) -> list[str]:
    with closing(sqlite3.connect(f"file:{directory}/crawl.db?mode=ro", uri=True)) as db:
        names = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return sorted({name for (name,) in names} - LEFT_OUT)


def in_sqlite(directory: Path, table: str) -> tuple[list[str], list[str]]:
    """The columns and the rows, in the form in which they are compared."""
    with closing(sqlite3.connect(f"file:{directory}/crawl.db?mode=ro", uri=True)) as db:
        cursor = db.execute(f'SELECT * FROM "{table}"')
        names = [each[0] for each in cursor.description]
        return names, sorted(repr([_value(table, *pair) for pair in zip(names, row, strict=True)]) for row in cursor)


def _value(table: str, name: str, value: Any) -> Any:
    if value is not None and name in ("text", "main") and table in ("text", "earlier_text"):
        return zlib.decompress(value).decode().replace("\0", "\ufffd")
    if name == "targets":
        return json.loads(value)
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value


def in_postgresql(server: Postgresql, crawl: int, table: str, names: list[str]) -> list[str]:
    columns = ", ".join(f'"{name}"' for name in names)
    rows = server.query(f'SELECT {columns} FROM ttcrawl."{table}" WHERE crawl = %s', crawl)
    return sorted(repr([bytes(each) if isinstance(each, memoryview) else each for each in row]) for row in rows)


def differences(server: Postgresql, directory: Path, crawl: int = 0) -> list[str]:
    """The tables of a crawl whose rows differ, and their numbers of rows."""
    found = []
    for table in tables(directory):
        names, expected = in_sqlite(directory, table)
        rows = in_postgresql(server, crawl, table, names)
        if rows != expected:
            found.append(f"{table}: {len(expected)} rows, {len(rows)} in PostgreSQL")
    return found


def page_links(directory: Path) -> list[tuple[int, int]]:
    """(from_page, to_page) of crawldb.link, from crawl.db alone."""
    with closing(sqlite3.connect(f"file:{directory}/crawl.db?mode=ro", uri=True)) as db:
        return db.execute(
            "SELECT source, url.id FROM outlinks, json_each(targets) AS each JOIN url ON url.key = each.value"
            " WHERE state NOT IN ('refused', 'deleted') OR reason = 'robots.txt'"
            " UNION SELECT url, duplicate_of FROM duplicate JOIN page USING (url)"
            " WHERE duplicate_of NOT NULL AND page.type IN ('text/html', 'application/xhtml+xml') ORDER BY 1, 2"
        ).fetchall()
