"""crawl.db opened for a repair while no process is crawling."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from ttcrawl.errors import CrawlFailedError
from ttcrawl.store import fingerprints, index, locks, soft404, versions
from ttcrawl.store.damage import sound
from ttcrawl.store.database import PATIENCE, Database, why


class Mending(Database):
    """One transaction for the statements of a repair."""

    def forget_marks(self) -> None:
        """Delete marks of duplicates, which are made anew when the crawl continues."""
        fingerprints.forget(self._db)

    def finish(self) -> None:
        """Rebuild derived data: the indexes now, soft 404s when the crawl continues."""
        soft404.forget(self._db)
        index.rebuild(self._db)


@contextmanager
def mending(path: Path) -> Iterator[Mending]:
    """Upgrade the tables and yield them; commit all changes at the end, or none after an error.

    Raises CrawlFailedError if they cannot be written.
    """
    try:
        with sound(path, "change it"), closing(sqlite3.connect(path, isolation_level=None, timeout=PATIENCE)) as db:
            versions.upgrade(db)
            db.execute("BEGIN IMMEDIATE")
            yield Mending(db)
            db.execute("COMMIT")
    except sqlite3.Error as error:
        raise CrawlFailedError(f"cannot change {path}: {why(error)}; nothing in it has changed") from error


def compact(path: Path) -> None:
    """Rewrite crawl.db so that it has no bytes of deleted rows, nor has its log. Raises CrawlFailedError."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=PATIENCE)) as db:
            db.execute("VACUUM")
            (busy, _, _) = db.execute("PRAGMA wal_checkpoint (TRUNCATE)").fetchone()
            if busy:
                raise sqlite3.OperationalError("a process is reading it")
            locks.end_log(db)  # a process that has it open keeps the file, which has no bytes
    except sqlite3.Error as error:
        raise CrawlFailedError(f"cannot rewrite {path}: {error}; free the disk, or stop its readers") from error


def end_log(path: Path) -> None:
    """Put the log of a crawl that was killed into crawl.db, unless a process is reading it or the file is damaged."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as db:
        locks.end_log(db)
