"""A database beside crawl.db: everything in it is made from crawl.db, so commands may empty it.

It has an application id (https://www.sqlite.org/pragma.html#pragma_application_id). A database without it belongs to
another program, or is another crawl to which a link leads, and is never changed.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ttcrawl.errors import UsageError
from ttcrawl.store.database import PATIENCE, Database
from ttcrawl.store.private import mode_of_new
from ttcrawl.store.regular import must_be_own, open_regular

#: What SQLite puts beside a database: the ends of the names.
BESIDE = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What a file has to be. `application`: its application id; `earlier`: names of tables by which files of earlier
    versions, without such an id, are known."""

    application: int
    version: int
    earlier: tuple[str, ...] = ()
    tables: str  # statements that make it anew, in a transaction
    opening: str  # statements for each connection; of a damaged file, they fail


class SideDatabase(Database):
    def __init__(self, db: sqlite3.Connection, form: Form) -> None:
        super().__init__(db)
        self._form = form

    def empty(self) -> None:
        """Delete everything. Other commands see the file as it was, or empty."""
        self._db.executescript(self._form.tables)


def connect_side(path: Path, application: int, earlier: Collection[str], timeout: float) -> sqlite3.Connection:
    """Open or create the file, with a write-ahead log, outside a transaction.

    `earlier`: names of tables by which files of earlier versions, without an application id, are known. `timeout`:
    seconds to wait for other writers. Raises UsageError if the file is a link or not ours, sqlite3.Error.
    """
    for each in (path, *side_files(path)):
        must_be_own(each)
    with suppress(FileExistsError):  # to close a file that is there would end the locks of our other connections
        os.close(open_regular(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode_of_new(path.parent)))
    db = sqlite3.connect(path, timeout=timeout, isolation_level=None)
    try:
        (id,) = db.execute("PRAGMA application_id").fetchone()
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
        if id != application:
            if id or (names and not (earlier and names.issuperset(earlier))):
                raise UsageError(f"{path} is a database that ttcrawl did not write there: move it away")
            db.execute(f"PRAGMA application_id = {application}")
        db.execute("PRAGMA journal_mode = WAL")
    except BaseException:
        db.close()
        raise
    return db


def open_side(path: Path, form: Form) -> SideDatabase:
    """Open the file; one that is missing, of another version or damaged is made again.

    Raises UsageError if it is a link, or a database of another program; StoreError, OSError.
    """
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(directory, fcntl.LOCK_EX)  # of two commands, one makes the file
        try:
            return _opened(path, form)
        except sqlite3.OperationalError:
            raise  # it is locked, or the disk is full
        except sqlite3.DatabaseError:
            pass  # it is not a database, or damaged
        for each in (path, *side_files(path)):
            each.unlink(missing_ok=True)
        return _opened(path, form)
    finally:
        os.close(directory)


def _opened(path: Path, form: Form) -> SideDatabase:
    db = SideDatabase(connect_side(path, form.application, form.earlier, PATIENCE), form)
    if db.execute("PRAGMA user_version").fetchone() != (form.version,):
        db.empty()
    db.execute_all(form.opening)
    return db


def side_files(path: Path) -> list[Path]:
    """Return the files that SQLite may put beside a database."""
    return [path.with_name(path.name + end) for end in BESIDE]
