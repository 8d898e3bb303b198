"""What was imported: the files, their records, and what is wrong in them. Its tables exist in crawls with an import."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable

from msgspec import Struct, structs

from ttcrawl.ring.messages import Archived
from ttcrawl.store.database import Database
from ttcrawl.store.earlier import BESIDE
from ttcrawl.store.rows import Latest, insert
from ttcrawl.web.url import key

#: The mode of a file whose records were packed anew.
PACKED = "packed"

TABLES = (
    """CREATE TABLE IF NOT EXISTS imported (    -- the files of other archives that were imported
    path  TEXT NOT NULL,                       -- where it was
    file  TEXT PRIMARY KEY,                    -- its name in warc/: a link to it, a copy, or what was made of it
    kind  TEXT NOT NULL,                       -- WARC, ARC, WACZ, HAR or Scrapy's cache
    mode  TEXT NOT NULL,                       -- reference (it stays where it is), copy, link, or packed (made anew)
    size  INTEGER NOT NULL,                    -- bytes; of Scrapy's cache, responses
    time  REAL NOT NULL,                       -- when it was imported
    information TEXT NOT NULL                  -- its warcinfo records
) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS imported_record ( -- the records with answers that are known
    key INTEGER PRIMARY KEY                    -- xxh3 of the record's id, URL and time
)""",
    """CREATE TABLE IF NOT EXISTS import_damage (   -- what could not be imported, and why
    file   TEXT NOT NULL,
    offset INTEGER NOT NULL,
    what   TEXT NOT NULL,
    PRIMARY KEY (file, offset, what)
) WITHOUT ROWID""",
)

_COLUMNS = ", ".join(Latest.__struct_fields__)
_LATEST = f"SELECT {_COLUMNS} FROM page WHERE url = ?"
_BEFORE = f"SELECT {_COLUMNS} FROM answer WHERE url = ? AND time <= ? ORDER BY time DESC LIMIT 1"
_AFTER = f"SELECT {_COLUMNS} FROM answer WHERE url = ? AND time > ? ORDER BY time LIMIT 1"


class ImportedFile(Struct, frozen=True):
    """A row of `imported`."""

    path: str
    file: str
    kind: str
    mode: str
    size: int
    time: float
    information: str = ""


def imported_files(db: Database | sqlite3.Connection) -> list[ImportedFile]:
    """Return the files that were imported, of any crawl."""
    if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'imported'").fetchone() is None:
        return []
    columns = ", ".join(ImportedFile.__struct_fields__)
    return [ImportedFile(*row) for row in db.execute(f"SELECT {columns} FROM imported ORDER BY file")]


class Imports:
    """Part of the store; works in its transactions."""

    def __init__(self, db: sqlite3.Connection, flush: Callable[[], None]) -> None:
        self._db, self._flush = db, flush

    def begin(self) -> None:
        """Create the tables, unless they are there."""
        for table in TABLES:
            self._db.execute(table)

    def files(self) -> dict[str, ImportedFile]:
        """Return path -> file of what was imported."""
        return {each.path: each for each in imported_files(self._db)}

    def names(self) -> set[str]:
        """Return the names of imported files in warc/."""
        return {each.file for each in imported_files(self._db)}

    def add(self, file: ImportedFile) -> None:
        statement = insert("imported", ImportedFile.__struct_fields__, verb="INSERT OR REPLACE")
        self._db.execute(statement, structs.astuple(file))

    def knows(self, record: int) -> bool:
        """Whether a record was imported."""
        return self._db.execute("SELECT 1 FROM imported_record WHERE key = ?", (record,)).fetchone() is not None

    def is_new(self, record: int) -> bool:
        """Note a record; return whether it was not known."""
        return self._db.execute("INSERT OR IGNORE INTO imported_record VALUES (?)", (record,)).rowcount > 0

    def add_damage(self, rows: Iterable[tuple[str, int, str]]) -> None:
        self._db.executemany("INSERT OR IGNORE INTO import_damage VALUES (?, ?, ?)", rows)

    def latest(self, url: int) -> Latest | None:
        """Return the latest answer of a URL; None: it has none."""
        self._flush()
        row = self._db.execute(_LATEST, (url,)).fetchone()
        return Latest(*row) if row else None

    def around(self, url: int, time: float) -> tuple[Latest | None, Latest]:
        """Return the answers of a URL before and after a moment at which it had no latest answer yet; None: none."""
        self._flush()
        before = self._db.execute(_BEFORE, (url, time)).fetchone()
        return Latest(*before) if before else None, Latest(*self._db.execute(_AFTER, (url, time)).fetchone())

    def antedate(self, url: int, answer: Latest, time: float, where: Archived | None) -> None:
        """Give an answer an earlier time, and the bytes of that time; None: it keeps its own."""
        moved = (url, answer.time, time)
        for table in ("page", "earlier_page"):
            if where is not None:
                own = f"UPDATE {table} SET file = ?, offset = ?, size = ?, payload = NULL WHERE url = ? AND time = ?"
                self._db.execute(own, (where.file, where.offset, where.length, url, answer.time))
            self._db.execute(f"UPDATE {table} SET time = ?3 WHERE url = ?1 AND time = ?2", moved)
        for table, column in BESIDE.items():
            self._db.execute(f"UPDATE earlier_{table} SET time = ?3 WHERE {column} = ?1 AND time = ?2", moved)
        self._db.execute("UPDATE url SET processed = ?3 WHERE id = ?1 AND processed = ?2", moved)

    def stored(self, url: str, time: float | None) -> Archived | None:
        """Return the record of an answer by its canonical URL and its time to the second; None: there is none."""
        self._flush()
        row = self._db.execute(
            "SELECT file, offset, size FROM answer JOIN url ON url.id = answer.url WHERE url.url = ?1"
            " AND payload IS NULL AND answer.url = (SELECT id FROM by_key WHERE key = ?2)"
            " AND time BETWEEN ?3 - 1 AND ?3 + 1",
            (url, key(url), time),
        ).fetchone()
        return Archived(file=row[0], offset=row[1], length=row[2]) if row else None

    def count_requests(self, rows: Iterable[tuple[int, int, str, float, int]]) -> None:
        """Add to the counts of sites: rows of requests, pages, the address ("": as before), the next permitted moment,
        and the id of a site."""
        self._db.executemany(
            "UPDATE site SET requested = requested + ?1, fetched = fetched + ?2,"
            " address = CASE WHEN ?3 != '' THEN ?3 ELSE address END, next_at = max(next_at, ?4) WHERE id = ?5",
            rows,
        )
