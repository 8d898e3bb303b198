"""Where a WARC file is: in warc/, or in object storage, where it was moved ([store] warc_move_to).

Table `archive_object` has the files that were moved. A file is copied, then its row is committed, then it is deleted
in warc/. So after a kill at any moment it is whole in one place at least, and the table says which one is read.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from ttcrawl.ring.position import is_name, series_and_number
from ttcrawl.store import objects

if TYPE_CHECKING:  # parse processes read the archive, and never the tables
    import sqlite3

    from ttcrawl.store.database import Database

TABLE = """CREATE TABLE IF NOT EXISTS archive_object ( -- WARC files that were moved to object storage
    file TEXT PRIMARY KEY,                     -- its name in warc/, as in table `archive`
    url  TEXT NOT NULL,                        -- where it is
    gone INTEGER NOT NULL DEFAULT 0            -- 1: it is in warc/ again, and is to be deleted there
) WITHOUT ROWID"""


class ArchiveObjects:
    """Part of the store; works in its transactions."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def add(self, urls: Mapping[str, str]) -> None:
        """Note where files are now: name -> URL."""
        self._db.execute(TABLE)
        self._db.executemany("INSERT OR REPLACE INTO archive_object VALUES (?, ?, 0)", urls.items())

    def all(self) -> dict[str, str]:
        """Return the files that are not in warc/: name -> URL."""
        return moved(self._db)

    def in_warc(self) -> dict[str, int]:
        """Return the files that are in warc/: name -> bytes up to the last record in the tables."""
        return in_warc(self._db)


def moved(db: Database | sqlite3.Connection) -> dict[str, str]:
    """Return the files of any crawl that are not in warc/: name -> URL."""
    return dict(db.execute("SELECT file, url FROM archive_object WHERE NOT gone")) if _has_table(db) else {}


def in_warc(db: Database | sqlite3.Connection) -> dict[str, int]:
    """Return the WARC files that are in warc/: name -> bytes up to the last record in the tables."""
    elsewhere = moved(db)
    return {name: size for name, size in db.execute("SELECT file, size FROM archive") if name not in elsewhere}


def bytes_elsewhere(db: Database) -> int:
    """Return the bytes of the WARC files that were moved."""
    elsewhere = moved(db)
    return sum(size for name, size in db.execute("SELECT file, size FROM archive") if name in elsewhere)


def bring_back(db: Database, warc: Path, file: str) -> None:
    """Let a file be in warc/ again, if it was moved; its object is `gone` and deleted later. Raises OSError."""
    if url := moved(db).get(file):
        objects.copy(url, warc / file)
        db.execute("UPDATE archive_object SET gone = 1 WHERE file = ?", (file,))


def delete_gone(db: Database) -> None:
    """Delete the objects of files that were brought back. Raises OSError."""
    if not _has_table(db):
        return
    for file, url in db.execute("SELECT file, url FROM archive_object WHERE gone").fetchall():
        objects.delete(url)
        db.execute("DELETE FROM archive_object WHERE file = ?", (file,))


def _has_table(db: Database | sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'archive_object'").fetchone() is not None


def closed(files: Iterable[str]) -> Iterator[str]:
    """Yield the files that no process of this run writes any more: their series have later ones.

    >>> list(closed(["c-20260101000000-0-00000-h.warc.gz", "c-20260101000000-0-00001-h.warc.gz"]))
    ['c-20260101000000-0-00000-h.warc.gz']
    """
    numbers = {name: series_and_number(name) for name in files if is_name(name)}
    last = dict[int, int]()
    for series, number in numbers.values():
        last[series] = max(last.get(series, 0), number)
    return (name for name, (series, number) in numbers.items() if number < last[series])


def read_at(warc: Path, file: str, offset: int, length: int) -> bytes:
    """Return bytes of a WARC file, wherever it is. Raises OSError."""
    try:
        with open(warc / file, "rb") as archive:
            archive.seek(offset)
            return archive.read(length)
    except FileNotFoundError:
        if not (url := _url(warc.parent, file)):
            raise
    return objects.read(url, offset, length)


@contextmanager
def at_hand(warc: Path, file: str) -> Iterator[Path]:
    """A WARC file on this disk: itself, or a copy for as long as it is read. Raises OSError."""
    if (warc / file).exists() or not (url := _url(warc.parent, file)):
        yield warc / file
        return
    with tempfile.TemporaryDirectory() as directory:
        objects.copy(url, copy := Path(directory) / file)
        yield copy


def remove_moved(warc: Path, files: Iterable[str]) -> None:
    """Delete in warc/ what was moved, if a process was killed before it did so."""
    for name in filter(is_name, files):
        (warc / name).unlink(missing_ok=True)


def _url(directory: Path, file: str) -> str:
    """Return where a file was moved, "" if it was not. Not all that read the archive have the tables open."""
    import sqlite3

    from ttcrawl.store.database import PATIENCE

    uri = f"file:{quote(str((directory / 'crawl.db').absolute()))}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=PATIENCE)) as db:
            row = db.execute("SELECT url FROM archive_object WHERE file = ? AND NOT gone", (file,)).fetchone()
            return str(row[0]) if row else ""
    except sqlite3.Error:  # it has no such table, or cannot be read
        return ""
