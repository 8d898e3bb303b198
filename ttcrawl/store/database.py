"""A connection to crawl.db for modules with queries of their own: the only interface between them and SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from typing import Any

#: Errors of the database. The store does not catch them: in some calls that would cost more than the call itself.
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
        """Execute several statements without values or semicolons inside, within the open transaction."""
        for statement in filter(str.strip, statements.split(";")):
            self._db.execute(statement)

    def executemany(self, query: str, rows: Iterable[tuple[Any, ...]]) -> sqlite3.Cursor:
        return self._db.executemany(query, rows)

    def define(self, name: str, arguments: int, function: Callable[..., Any]) -> None:
        """Define an SQL function with a result that depends only on its arguments."""
        self._db.create_function(name, arguments, function, deterministic=True)
