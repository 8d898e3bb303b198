"""The file check.db: what `ttcrawl check` found last time. The next check compares with it, and reads less again."""

from __future__ import annotations

from pathlib import Path

from ttcrawl.store.database import PATIENCE, Database
from ttcrawl.store.side_database import connect_side, open_side

NAME = "check.db"
VERSION = 1

#: The application id of the file: "ttck".
APPLICATION = 0x7474636B

_TABLES = f"""
BEGIN IMMEDIATE;
DROP TABLE IF EXISTS run;
DROP TABLE IF EXISTS problem;
DROP TABLE IF EXISTS page;
DROP TABLE IF EXISTS folder;

-- the last check for each kind of problem
CREATE TABLE run (
    kind TEXT PRIMARY KEY,
    time REAL NOT NULL                         -- seconds since the epoch
);
-- its problems, also those of the baseline: one for each page, URL and status
CREATE TABLE problem (
    kind   TEXT NOT NULL,
    url    TEXT NOT NULL,
    source TEXT NOT NULL,
    text   TEXT NOT NULL,
    detail TEXT NOT NULL
);
-- one row if the crawl is of a folder
CREATE TABLE folder (
    path TEXT NOT NULL,                        -- as the user has written it
    url  TEXT NOT NULL                         -- under which it was checked
);
-- the HTML pages, as they were then
CREATE TABLE page (
    key    INTEGER PRIMARY KEY,
    digest BLOB,                               -- of the bytes
    since  REAL NOT NULL                       -- the first answer that a check saw with them
);
PRAGMA user_version = {VERSION};
COMMIT;
"""


class CheckDatabase(Database):
    def empty(self) -> None:
        self._db.executescript(_TABLES)


def open_check(path: Path) -> CheckDatabase:
    """Open the file; one that is missing, of another version or damaged is made again.

    Raises UsageError if it is a link, or a database of another program; StoreError, OSError.
    """
    return open_side(path, _opened)


def _opened(path: Path) -> CheckDatabase:
    db = CheckDatabase(connect_side(path, APPLICATION, (), PATIENCE))
    if db.execute("PRAGMA user_version").fetchone() != (VERSION,):
        db.empty()
    db.execute("SELECT count(*) FROM run, problem, folder, page WHERE page.key = 0")
    return db
