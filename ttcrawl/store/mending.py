"""crawl.db opened to be mended while nobody carries the crawl on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ttcrawl.errors import CrawlFailedError
from ttcrawl.store import fingerprints, index, soft404, versions
from ttcrawl.store.database import Database


class Mending(Database):
    """One transaction over whatever statements mend it."""

    def forget_marks(self) -> None:
        """Marks of duplicates are made anew when the crawl goes on."""
        fingerprints.forget(self._db)

    def finish(self) -> None:
        """Make anew what follows from the rest: the indexes now, soft 404s when the crawl goes on."""
        soft404.forget(self._db)
        index.rebuild(self._db)


@contextmanager
def mending(path: Path) -> Iterator[Mending]:
    """The tables, brought up to date; what was done is committed at the end, or, should anything be raised, nothing.

    Raises CrawlFailedError where that cannot be written.
    """
    try:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=30)) as db:
            versions.upgrade(db)
            db.execute("BEGIN IMMEDIATE")
            yield Mending(db)
            db.execute("COMMIT")
    except sqlite3.Error as error:
        raise CrawlFailedError(f"cannot repair {path}: {error}") from error
