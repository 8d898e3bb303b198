"""SIGKILL at any instruction of an upgrade leaves the tables as they were, and the next upgrade completes."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import sqlite3
from contextlib import closing, suppress

from tests.store.test_versions import columns, every_version, old, views
from ttcrawl import open as open_crawl
from ttcrawl.store.schema import TABLES
from ttcrawl.store.versions import upgrade, version_of

__all__ = ["old"]  # the fixture

#: Instructions of SQLite between two points at which a process may be killed, and points that are tried.
STEP, POINTS = 20, 9


def instructions(database):
    """How often STEP instructions are done by an upgrade of a copy."""
    copy, counter = database.with_name("copy.db"), itertools.count()
    shutil.copy(database, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        db.set_progress_handler(lambda: next(counter) < 0, STEP)
        upgrade(db)
    copy.unlink()
    return next(counter)


def killed_at(database, point):
    """Upgrade in a process that SIGKILL ends; returns the signal that ended it, 0 if it was done before."""
    process = os.fork()
    if not process:
        counter = itertools.count()
        with suppress(BaseException):
            db = sqlite3.connect(database, isolation_level=None)
            db.set_progress_handler(lambda: next(counter) == point and os.kill(os.getpid(), signal.SIGKILL), STEP)
            upgrade(db)
        os._exit(1)
    return os.WTERMSIG(os.waitpid(process, 0)[1])


def rows(directory):
    with closing(open_crawl(directory)) as crawl:
        return [list(each()) for each in (crawl.iter_urls, crawl.iter_pages, crawl.iter_links, crawl.iter_metadata)]


@every_version
def test_nothing_is_lost(old):
    before, version, all_points = rows(old), version_of(old / "crawl.db"), instructions(old / "crawl.db")
    for number in range(POINTS):
        assert killed_at(old / "crawl.db", all_points * number // POINTS) == signal.SIGKILL
        assert version_of(old / "crawl.db") == version
    assert rows(old) == before
    with closing(sqlite3.connect(":memory:")) as new, closing(sqlite3.connect(old / "crawl.db")) as db:
        new.executescript(TABLES)
        db.isolation_level = None
        upgrade(db)
        assert columns(db) == columns(new) and views(db) == views(new)
    assert rows(old) == before
