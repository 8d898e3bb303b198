"""Rows that are written once and not read while a crawl runs, collected and written together."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

#: Errors of SQLite, or of Python on the path to it, for a row that it does not accept. Other errors concern the
#: database as a whole, or the disk.
REFUSALS = (
    sqlite3.IntegrityError,
    sqlite3.DataError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    OverflowError,
    UnicodeError,
)


class UnstorableError(Exception):
    """Rows of `urls` were refused: URL -> the name of its error.

    The changes since the last commit must be discarded, because memory and database differ.
    """

    def __init__(self, urls: dict[str, str]) -> None:
        self.urls = urls
        super().__init__("; ".join(f"what came of {url} cannot be kept ({why})" for url, why in urls.items()))


class Batches:
    """Part of the store; works in its transaction. Rows are plain tuples: sqlite3 takes 1 µs more for a named one."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._rows: defaultdict[str, list[tuple[Any, ...]]] = defaultdict(list)
        self._owners: defaultdict[str, list[int | str]] = defaultdict(list)
        self.answered: set[int] = set()  # ids of the URLs whose answers wait

    def add(self, statement: str, row: tuple[Any, ...], owner: int | str) -> None:
        """Add a row. `owner`: its URL, or the URL's id; "": none."""
        self._rows[statement].append(row)
        self._owners[statement].append(owner)

    def extend(self, statement: str, rows: Iterable[tuple[Any, ...]], owners: Iterable[int | str]) -> None:
        """Add rows, each with its owner."""
        self._rows[statement].extend(rows)
        self._owners[statement].extend(owners)

    def clear(self) -> None:
        self._rows.clear()
        self._owners.clear()
        self.answered.clear()

    def flush(self) -> None:
        """Write the rows. Raises UnstorableError, or the error of SQLite if it does not depend on a row."""
        if not self._rows:
            return
        self._db.execute("SAVEPOINT batches")
        try:
            for statement, rows in self._rows.items():
                self._db.executemany(statement, rows)
        except REFUSALS as error:
            self._db.execute("ROLLBACK TO batches")
            refused = self._refused()
            if not refused:
                raise
            raise UnstorableError(refused) from error
        finally:
            self.clear()
        self._db.execute("RELEASE batches")

    def _refused(self) -> dict[str, str]:
        """Insert the rows one by one; return the URLs of refused rows, and why."""
        refused: dict[int | str, str] = {}
        for statement, rows in self._rows.items():
            for row, owner in zip(rows, self._owners[statement], strict=True):
                try:
                    self._db.execute(statement, row)
                except REFUSALS as error:
                    refused[owner] = type(error).__name__
        return {self._url(owner): why for owner, why in refused.items() if owner}

    def _url(self, owner: int | str) -> str:
        if isinstance(owner, str):
            return owner
        url: str = self._db.execute("SELECT url FROM url WHERE id = ?", (owner,)).fetchone()[0]
        return url
