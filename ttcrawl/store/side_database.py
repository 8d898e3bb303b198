"""A database beside crawl.db: everything in it is made from crawl.db, so commands may empty it.

It has an application id (https://www.sqlite.org/pragma.html#pragma_application_id). A database without it belongs to
another program, or is another crawl to which a link leads, and is never changed.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TypeVar

from ttcrawl.errors import UsageError
from ttcrawl.store.private import mode_of_new
from ttcrawl.store.regular import must_be_own, open_regular

_Opened = TypeVar("_Opened")

#: What SQLite puts beside a database: the ends of the names.
BESIDE = ("-wal", "-shm", "-journal")


def connect_side(path: Path, application: int, earlier: Collection[str], timeout: float) -> sqlite3.Connection:
    """Open or create the file, with a write-ahead log, outside a transaction.

    `earlier`: names of tables by which files of earlier versions, without an application id, are known. `timeout`:
    seconds to wait for other writers. Raises UsageError if the file is a link or not ours, sqlite3.Error.
    """
    for each in (path, *side_files(path)):
        must_be_own(each)
    os.close(open_regular(path, os.O_RDWR | os.O_CREAT, mode_of_new(path.parent)))
    db = sqlite3.connect(path, timeout=timeout, isolation_level=None)
    try:
        (id,) = db.execute("PRAGMA application_id").fetchone()
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
        if id != application:
            if id or (names and not names.issuperset(earlier)):
                raise UsageError(f"{path} is a database that ttcrawl did not write there: move it away")
            db.execute(f"PRAGMA application_id = {application}")
        db.execute("PRAGMA journal_mode = WAL")
    except BaseException:
        db.close()
        raise
    return db


def open_side(path: Path, opened: Callable[[Path], _Opened]) -> _Opened:
    """Open the file by `opened`, once more without it if it is damaged.

    Raises UsageError if it is a link, or a database of another program; StoreError, OSError.
    """
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(directory, fcntl.LOCK_EX)  # of two commands, one makes the file
        try:
            return opened(path)
        except sqlite3.OperationalError:
            raise  # it is locked, or the disk is full
        except sqlite3.DatabaseError:
            pass  # it is not a database, or damaged
        for each in (path, *side_files(path)):
            each.unlink(missing_ok=True)
        return opened(path)
    finally:
        os.close(directory)


def side_files(path: Path) -> list[Path]:
    """Return the files that SQLite may put beside a database."""
    return [path.with_name(path.name + end) for end in BESIDE]
