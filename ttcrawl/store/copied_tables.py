"""A copy of what commands read of a ring besides its archive, as it was after one commit."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from ttcrawl.store.archive_objects import ArchiveObjects
from ttcrawl.store.database import PATIENCE
from ttcrawl.topic.files import DIRECTORY


def copy_tables(source: Path, target: Path) -> Path:
    """Copy crawl.db, config.ini and the files of [topic] into a new directory, which is returned.

    The crawl goes on meanwhile; until the copy is complete, its write-ahead log grows. Raises sqlite3.Error, OSError.
    """
    target.mkdir(mode=0o700)
    uri = f"file:{quote(str((source / 'crawl.db').absolute()))}?mode=ro"
    with (
        closing(sqlite3.connect(uri, uri=True, timeout=PATIENCE)) as tables,
        closing(sqlite3.connect(target / "crawl.db")) as copy,
    ):
        tables.backup(copy)
    shutil.copyfile(source / "config.ini", target / "config.ini")
    if (source / DIRECTORY).is_dir():
        shutil.copytree(source / DIRECTORY, target / DIRECTORY)
    return target


def note_archive(tables: Path, url_of: Callable[[str], str]) -> None:
    """Note in a copy the URLs of the WARC files that are not in object storage. Raises sqlite3.Error."""
    with closing(sqlite3.connect(tables / "crawl.db")) as db, db:
        objects = ArchiveObjects(db)
        objects.add({name: url_of(name) for name in objects.in_warc()})
