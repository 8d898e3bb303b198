"""The lock of the only writer, and the end of the write-ahead log.

https://www.sqlite.org/wal.html: a reader keeps the log from beginning anew as long as its snapshot is open.
"""

from __future__ import annotations

import contextlib
import math
import sqlite3
from collections.abc import Callable
from pathlib import Path

from ttcrawl.store.database import PATIENCE, when_free

#: Seconds that SQLite waits at a time: signals are handled in between.
SLICE = 1.0

#: Seconds after which a crawl first says that it waits, and between two such lines.
FIRST, AGAIN = 3.0, 60.0

#: The bytes of crawl.db-shm that readers lock (https://www.sqlite.org/walformat.html, section 2.3.1).
_READERS = range(123, 128)

_LOCKS = Path("/proc/locks")


def begin(db: sqlite3.Connection, waits: Callable[[float], None] | None = None, patience: float = PATIENCE) -> None:
    """Begin a transaction as the writer, so that no later statement can find the file locked by another program.

    With `waits` it waits as long as it takes, and calls that with the seconds now and then; else for `patience`.
    """
    db.execute(f"PRAGMA busy_timeout = {SLICE * 1000:.0f}")
    following = FIRST

    def waiting(seconds: float) -> None:
        nonlocal following
        if waits is not None and seconds >= following:
            waits(seconds)
            following += AGAIN

    when_free(db, "BEGIN IMMEDIATE", waiting, patience if waits is None else math.inf)


def end_log(db: sqlite3.Connection) -> None:
    """Move the write-ahead log into the database outside of a transaction, and remove it; nobody is waited for.

    If a process is reading, what its snapshot does not need is moved, and the file stays; it has no bytes if the
    process has the file open without a snapshot.
    """
    db.execute("PRAGMA busy_timeout = 0")
    with contextlib.suppress(sqlite3.OperationalError):
        db.execute("PRAGMA wal_checkpoint (PASSIVE)").fetchall()  # delays nobody, however long the log is
        db.execute("PRAGMA wal_checkpoint (TRUNCATE)").fetchall()
        db.execute("PRAGMA journal_mode = DELETE").fetchall()


def readers_of_log(database: Path) -> list[int]:
    """Return the processes with an open snapshot of a database, the writer included; [] if the system does not tell."""
    found = set[int]()
    with contextlib.suppress(OSError):
        inode = str(database.with_name(f"{database.name}-shm").stat().st_ino)
        for line in _LOCKS.read_text().splitlines():
            _, kind, *_, process, file, first, last = line.replace("->", "").split()  # proc(5)
            if kind == "POSIX" and file.rpartition(":")[2] == inode and last.isdigit():
                found |= {int(process)} if int(first) < _READERS.stop and int(last) >= _READERS.start else set()
    return sorted(found)
