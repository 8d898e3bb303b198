"""A SQLite file that is written once, for other programs to read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

from ttcrawl.errors import CrawlFailedError
from ttcrawl.store.database import StoreError, why

#: Rows that are read before they are written.
ROWS = 1000

#: No journal: a file that was not completed is thrown away. 32 MB of cache for the indexes of primary keys.
_PRAGMAS = ("journal_mode = OFF", "synchronous = OFF", "cache_size = -32768", "locking_mode = EXCLUSIVE")


def quoted(name: str) -> str:
    """Return a name as an identifier of SQL.

    >>> quoted('a"b c')
    '"a""b c"'
    """
    return '"' + name.replace('"', '""') + '"'


class NewDatabase:
    """`name`: what errors call the file. Raises CrawlFailedError if it cannot be written."""

    def __init__(self, db: sqlite3.Connection, name: Path) -> None:
        self._db, self._name = db, name

    def execute(self, statement: str) -> None:
        with self._failing():
            self._db.execute(statement)

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Errors of `rows` itself stay as they are."""
        names, values = ", ".join(map(quoted, columns)), ", ".join("?" * len(columns))
        statement = f"INSERT INTO {quoted(table)} ({names}) VALUES ({values})"
        remaining = iter(rows)
        while batch := list(islice(remaining, ROWS)):
            with self._failing():
                self._db.executemany(statement, batch)

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except StoreError as error:
            raise CrawlFailedError(f"{self._name} cannot be written: {why(error)}") from None


@contextmanager
def new_database(path: Path, name: Path) -> Iterator[NewDatabase]:
    """A new file in which all is one transaction."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for pragma in _PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
        db.execute("BEGIN")
        yield NewDatabase(db, name)
        db.execute("COMMIT")
