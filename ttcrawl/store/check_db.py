"""The file check.db: what `ttcrawl check` found last time. The next check compares with it, and reads less again."""

from __future__ import annotations

from pathlib import Path

from ttcrawl.store.side_database import Form, SideDatabase, open_side

NAME = "check.db"
VERSION = 3  # since problems have their positions

#: The application id of the file: "ttck".
APPLICATION = 0x7474636B

_TABLES = f"""
BEGIN IMMEDIATE;
DROP TABLE IF EXISTS run;
DROP TABLE IF EXISTS problem;
DROP TABLE IF EXISTS page;
DROP TABLE IF EXISTS folder;
DROP TABLE IF EXISTS site;
DROP TABLE IF EXISTS facts;
DROP TABLE IF EXISTS positions;

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
    detail TEXT NOT NULL,
    line   INTEGER NOT NULL,                   -- in the source of the page, from 1; 0: unknown
    "column" INTEGER NOT NULL                  -- from 1, in code points
);
-- one row if the crawl is of a folder
CREATE TABLE folder (
    path TEXT NOT NULL,                        -- as the user has written it
    url  TEXT NOT NULL                         -- under which it was checked
);
-- one row if `ttcrawl check` has begun the crawl
CREATE TABLE site (
    seeds TEXT NOT NULL                        -- one URL per line
);
-- the HTML pages, as they were then
CREATE TABLE page (
    key    INTEGER PRIMARY KEY,
    digest BLOB,                               -- of the bytes
    since  REAL NOT NULL                       -- the first answer that a check saw with them
);
-- what reading a page gave, so that it is not read again as long as `state` is the same
CREATE TABLE facts (
    key   INTEGER PRIMARY KEY,                 -- of its URL
    state BLOB NOT NULL,                       -- digest of the page and of what decides how it is read
    kinds TEXT NOT NULL,                       -- kinds of problems that were looked for
    facts BLOB NOT NULL                        -- MessagePack in zlib's format
);
-- line and column of the problems of its links and texts, likewise
CREATE TABLE positions (
    key    INTEGER PRIMARY KEY,
    state  BLOB NOT NULL,
    positions BLOB NOT NULL
);
PRAGMA user_version = {VERSION};
COMMIT;
"""


FORM = Form(
    application=APPLICATION,
    version=VERSION,
    tables=_TABLES,
    opening="SELECT count(*) FROM run, problem, folder, site, page, facts, positions WHERE page.key = 0",
)


def open_check(path: Path) -> SideDatabase:
    """Raises what `open_side` raises."""
    return open_side(path, FORM)
