"""A connection to crawl.db as those use it who write queries of their own: the one seam between them and SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from typing import Any

#: What the database raises. The store lets it through: to catch it in every call would cost more than some calls do.
StoreError = sqlite3.Error


class Database:
    """Queries of an open crawl.db."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def close(self) -> None:
        self._db.close()

    def execute(self, query: str, values: Iterable[Any] = ()) -> sqlite3.Cursor:
        return self._db.execute(query, tuple(values))

    def execute_all(self, statements: str) -> None:
        """Several without values, of which none has a semicolon in it: within the transaction that is open."""
        for statement in filter(str.strip, statements.split(";")):
            self._db.execute(statement)

    def executemany(self, query: str, rows: Iterable[tuple[Any, ...]]) -> sqlite3.Cursor:
        return self._db.executemany(query, rows)

    def define(self, name: str, arguments: int, function: Callable[..., Any]) -> None:
        """A function of SQL, whose result depends on its arguments alone."""
        self._db.create_function(name, arguments, function, deterministic=True)
