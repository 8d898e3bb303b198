"""Pages of crawl.db that are free go back to the disk while a crawl runs that drops earlier answers.

For that SQLite needs pointer maps (auto_vacuum = INCREMENTAL), which make inserts 3 % dearer. So a plain crawl has
none, and a database is rewritten with them when a continuous crawl first limits what it keeps.
"""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from ttcrawl.store.database import is_locked

#: Pages are given back when a greater share of the file is free, until half of it is: the rest is used again. Fewer
#: pages than LEAST do not matter.
SHARE, LEAST = 0.1, 128

#: Pages that are given back between two commits at most: 4 MB.
STEP = 500

#: Bytes of a database that is rewritten when a crawl begins, some seconds; and how many times as many must be free on
#: the disk.
MOST, ROOM = 1 << 30, 3

_INCREMENTAL = 2
_BY_HAND = "stop it, and run: sqlite3 {} 'PRAGMA auto_vacuum = INCREMENTAL; VACUUM'"


class Compaction:
    """Part of the store; works between its transactions. `most`, `room`: see MOST and ROOM."""

    def __init__(self, db: sqlite3.Connection, path: Path, most: int = MOST, room: int = ROOM) -> None:
        self._db = db
        self._path = path
        self._most = most
        self._room = room
        self._on = self._number("auto_vacuum") == _INCREMENTAL

    def _number(self, pragma: str) -> int:
        number: int = self._db.execute(f"PRAGMA {pragma}").fetchone()[0]
        return number

    def begin(self) -> str:
        """Prepare the file, once. Return what the user must do instead, "" if nothing."""
        if self._on:
            return ""
        size = self._number("page_count") * self._number("page_size")
        if size > self._most or shutil.disk_usage(self._path.parent).free < self._room * size:
            return f"{self._path} does not shrink while this crawl runs: {_BY_HAND.format(self._path)}"
        try:
            self._db.execute("PRAGMA auto_vacuum = INCREMENTAL")
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint (TRUNCATE)").fetchall()
        except sqlite3.OperationalError as error:  # a process is reading, or the disk for temporary files is full
            return f"{self._path} does not shrink while this crawl runs ({error}): {_BY_HAND.format(self._path)}"
        self._on = True
        return ""

    def step(self) -> None:
        """Give some free pages back."""
        if not self._on:
            return
        free = self._number("freelist_count")
        if free < LEAST:
            return
        pages = self._number("page_count")
        if free > SHARE * pages:
            most = min(STEP, free - int(SHARE / 2 * pages))
            try:
                # it has a row without columns for each page, and `execute` stops after the first one
                self._db.executescript(f"PRAGMA incremental_vacuum ({most})")
            except sqlite3.OperationalError as error:
                if not is_locked(error):  # else the next commit does it
                    raise
