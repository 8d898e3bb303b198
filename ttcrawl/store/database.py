"""A connection to crawl.db for modules with queries of their own: the only interface between them and SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

#: Errors of the database. The store does not catch them: in some calls that would cost more than the call itself.
StoreError = sqlite3.Error


def connect(path: Path, *, power: bool = False) -> sqlite3.Connection:
    """A connection for the writer of crawl.db, which begins its transactions itself.

    `power` syncs every commit to the disk, so that committed data survives a power failure.
    """
    db = sqlite3.connect(path, isolation_level=None, cached_statements=64)
    # WAL lets readers read while we write; NORMAL keeps the file consistent after a power failure; 200 MB of log,
    # because with millions of URLs each commit changes pages all over the indexes. With 64 MB of cache instead of 32, a
    # URL taken from a queue of a million costs 0.9 of it
    for pragma in (
        "journal_mode = WAL",
        f"synchronous = {'FULL' if power else 'NORMAL'}",
        "wal_autocheckpoint = 50000",
        "cache_size = -32768",
    ):
        db.execute(f"PRAGMA {pragma}")
    return db


class Database:
    """Queries of an open crawl.db."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def close(self) -> None:
        self._db.close()

    def execute(self, query: str, values: Iterable[Any] = ()) -> sqlite3.Cursor:
        return self._db.execute(query, tuple(values))

    def execute_all(self, statements: str) -> None:
        """Execute several statements without values or semicolons inside, within the open transaction."""
        for statement in filter(str.strip, statements.split(";")):
            self._db.execute(statement)

    def executemany(self, query: str, rows: Iterable[tuple[Any, ...]]) -> sqlite3.Cursor:
        return self._db.executemany(query, rows)

    def define(self, name: str, arguments: int, function: Callable[..., Any]) -> None:
        """Define an SQL function with a result that depends only on its arguments."""
        self._db.create_function(name, arguments, function, deterministic=True)
