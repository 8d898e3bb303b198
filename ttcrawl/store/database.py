"""A connection to crawl.db for modules with queries of their own: the only interface between them and SQLite."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

#: Errors of the database. The store does not catch them: in some calls that would cost more than the call itself.
StoreError = sqlite3.Error

#: Seconds that every command waits while another program has locked a database.
PATIENCE = 60.0

#: Seconds between two attempts, beside those that SQLite waits itself.
PAUSE = 0.05

#: Bytes of the write-ahead log from which on a commit moves it into crawl.db. With millions of URLs each commit
#: changes pages all over the indexes, so a shorter log would write the same pages more often. A longer file is cut to
#: this size as soon as all of it is moved.
LOG_BYTES = 50_000 * 4096

#: Bytes of a page of a new database. Texts and fingerprints of web pages take 3 to 7 KB each: in pages of 4 KB nearly
#: every row has pages of its own, and each is written twice, into the log and from there. An older file keeps its size.
PAGE = 8192

#: Errors that say nothing about the contents of a database: it is locked, memory or the disk is full, or fails.
_OTHERS = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_INTERRUPT,
    )
)


def connect(path: Path, *, power: bool = False) -> sqlite3.Connection:
    """A connection for the writer of crawl.db, which begins its transactions itself.

    `power` syncs every commit to the disk, so that committed data survives a power failure.
    """
    db = sqlite3.connect(path, isolation_level=None, cached_statements=64, timeout=PATIENCE)
    db.execute(f"PRAGMA page_size = {PAGE}")
    (page,) = db.execute("PRAGMA page_size").fetchone()
    # WAL lets readers read while we write; NORMAL keeps the file consistent after a power failure. With 64 MB of cache
    # instead of 32, a URL taken from a queue of a million costs 0.9 of it
    for pragma in (
        "journal_mode = WAL",
        f"synchronous = {'FULL' if power else 'NORMAL'}",
        f"wal_autocheckpoint = {LOG_BYTES // page}",
        f"journal_size_limit = {LOG_BYTES}",
        "cache_size = -32768",
    ):
        when_free(db, f"PRAGMA {pragma}")
    return db


def when_free(
    db: sqlite3.Connection,
    statement: str,
    waits: Callable[[float], None] = lambda seconds: None,
    patience: float = PATIENCE,
) -> None:
    """Execute a statement, as soon as no other program has locked the file. Signals are handled while it waits.

    `waits` is called about every second with the seconds so far; `patience`: seconds until it gives up.
    """
    begun = time.monotonic()
    while True:
        try:
            db.execute(statement)
            return
        except sqlite3.OperationalError as error:
            seconds = time.monotonic() - begun
            if not is_locked(error) or seconds >= patience:
                raise
        waits(seconds)
        time.sleep(PAUSE)  # SQLite does not wait itself for a change of the journal


def is_locked(error: StoreError) -> bool:
    """Whether another program has locked the database."""
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_damage(error: StoreError) -> bool:
    """Whether the contents of the database can be the cause."""
    return _code(error) not in _OTHERS


def why(error: StoreError) -> str:
    """Return the cause for users."""
    if is_locked(error):
        return f"another program has locked it for {PATIENCE:g} s: close that program, then run the command again"
    return str(error)


def _code(error: StoreError) -> int:
    """The primary result code of SQLite, without the details of an extended one; -1: the error is one of Python."""
    code: int = getattr(error, "sqlite_errorcode", -1)
    return code & 0xFF if code >= 0 else code


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

    def interrupt_if(self, condition: Callable[[], bool], instructions: int) -> None:
        """End queries with SQLITE_INTERRUPT once a condition holds, which is asked every so many instructions."""
        self._db.set_progress_handler(condition, instructions)

    def define(self, name: str, arguments: int, function: Callable[..., Any]) -> None:
        """Define an SQL function with a result that depends only on its arguments."""
        self._db.create_function(name, arguments, function, deterministic=True)
