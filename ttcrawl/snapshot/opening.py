"""The database of a crawl directory, opened for reading. A crawl may write to it at the same time."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from ttcrawl.snapshot.errors import NotACrawl, unreadable
from ttcrawl.store import versions
from ttcrawl.store.damage import unusable
from ttcrawl.store.database import PATIENCE, is_damage, is_locked
from ttcrawl.store.mailbox import cluster_in
from ttcrawl.store.nearby import nearby_crawls
from ttcrawl.store.schema import VERSION


def connect(directory: Path) -> sqlite3.Connection:
    """A connection that cannot write, outside a transaction. Raises NotACrawl if the crawl is missing or unreadable,
    CrawlFailedError if another program has locked it.

    SQLite may leave an empty write-ahead log and its index beside the database of a stopped crawl. The next writer
    removes them.
    """
    path = directory / "crawl.db"
    if not path.is_file():
        raise NotACrawl(f"{directory} is not a crawl directory: {_missing(directory)}")
    try:
        db = _connect(path)
    except sqlite3.OperationalError as error:
        if is_locked(error):
            raise unreadable(directory, error) from error
        raise NotACrawl(
            f"{path} cannot be opened ({error}); check its permissions, or copy the directory to a writable place"
        ) from error
    try:
        version = _setting(db, "schema_version")
    except sqlite3.DatabaseError as error:
        db.close()
        if not is_damage(error):
            raise unreadable(directory, error) from error
        raise NotACrawl(unusable(directory, error)) from error
    if not versions.known(version):
        db.close()
        raise NotACrawl(
            f"{directory} has tables of version {version or 'unknown'}, this ttcrawl reads"
            f" versions {min(versions.STEPS)} to {VERSION}; read it with the ttcrawl that wrote it, or a later one"
        )
    versions.show_upgraded(db)
    return db


def _connect(path: Path) -> sqlite3.Connection:
    uri = f"file:{quote(os.fsencode(path.absolute()))}?mode=ro"
    try:
        return _open_read_only(uri)
    except sqlite3.OperationalError as error:
        if is_locked(error):
            raise
        journal = path.with_name("crawl.db-journal")
        if journal.exists() and journal.stat().st_size:
            # A command was killed while it changed a stopped crawl, or the crawl while it began or ended. SQLite takes
            # this change back when the file is opened by somebody who may write, and lets nobody read before that.
            with closing(sqlite3.connect(path, timeout=PATIENCE)) as writer:
                writer.execute("SELECT 1 FROM sqlite_schema LIMIT 1")
            return _open_read_only(uri)
        # SQLite needs a writable directory even to read a write-ahead log. If the directory is read-only and the log is
        # empty, the file cannot change, which is what `immutable` promises to SQLite.
        log = path.with_name("crawl.db-wal")
        if os.access(path.parent, os.W_OK) or (log.exists() and log.stat().st_size):
            raise
        return _open_read_only(f"{uri}&immutable=1")


def _open_read_only(uri: str) -> sqlite3.Connection:
    db = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)
    try:
        db.execute("SELECT 1 FROM sqlite_schema LIMIT 1")  # only the first read opens the file
    except sqlite3.OperationalError:
        db.close()
        raise
    except sqlite3.DatabaseError:
        pass  # the file opens but is not a database: the caller reports this
    return db


def _missing(directory: Path) -> str:
    if directory.parts[:1] in (("http:",), ("https:",)):
        return f"it is a URL; name the directory of its crawl{nearby_crawls(Path(*directory.parts[1:2]))}"
    if not directory.exists():
        return f"it does not exist{nearby_crawls(directory)}"
    if not directory.is_dir():
        return "it is a file; give the directory"
    if instead := cluster_in(directory):
        return instead
    inside = nearby_crawls(directory / "crawl.db")
    return f"it contains no crawl.db; give the directory that was given to ttcrawl crawl -d{inside}"


def _setting(db: sqlite3.Connection, name: str) -> str:
    row = db.execute("SELECT value FROM crawl WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""
