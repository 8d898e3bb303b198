"""The file search.db: its tables, and how it is opened. Everything in it is made from crawl.db."""

from __future__ import annotations

from pathlib import Path

from ttcrawl.store.side_database import Form, SideDatabase, open_side

NAME = "search.db"
VERSION = 4  # since ranks are by the links of the main text

#: The application id of the file: "ttse".
APPLICATION = 0x74747365

#: Tables by which a file without the id is known: versions 1 and 2 had none at first.
EARLIER = ("source", "anchor", "page")

_TABLES = f"""
BEGIN IMMEDIATE;
DROP TABLE IF EXISTS source;
DROP TABLE IF EXISTS anchor;
DROP TABLE IF EXISTS touched;
DROP TABLE IF EXISTS page;
DROP TABLE IF EXISTS words;
DROP TABLE IF EXISTS rank;
DROP TABLE IF EXISTS ranked;

-- the pages whose links are in table `anchor`, as they were then
CREATE TABLE source (
    id   INTEGER PRIMARY KEY,
    time REAL NOT NULL
);
-- the texts of links to each key of a URL
CREATE TABLE anchor (
    target INTEGER,
    text   TEXT,
    PRIMARY KEY (target, text)
) WITHOUT ROWID;
-- keys with new texts since the last update
CREATE TABLE touched (
    target INTEGER PRIMARY KEY
);
CREATE TRIGGER touches AFTER INSERT ON anchor BEGIN INSERT OR IGNORE INTO touched VALUES (new.target); END;

-- the pages whose words are in table `words`, as they were then
CREATE TABLE page (
    id       INTEGER PRIMARY KEY,
    key      INTEGER NOT NULL,
    time     REAL NOT NULL,
    size     INTEGER NOT NULL,                 -- bytes of its text; -1: it has none
    url      TEXT NOT NULL,                    -- in lower case, as the host
    host     TEXT NOT NULL,
    language TEXT NOT NULL,
    type     TEXT NOT NULL,
    date     TEXT NOT NULL,                    -- that it states, or of its request: YYYY-MM-DD
    content  BLOB NOT NULL                     -- the columns of `words`, JSON in zlib's format
);
CREATE INDEX page_of_key ON page (key);
CREATE INDEX page_of_language ON page (language);
CREATE VIRTUAL TABLE words USING fts5 (
    title, headings, anchors, text, content = '', tokenize = 'unicode61 remove_diacritics 2'
);

-- the PageRank of pages, for searches that want it
CREATE TABLE rank (
    id    INTEGER PRIMARY KEY,
    value REAL NOT NULL                        -- natural logarithm of its ratio to the mean
);
-- one row: the pages that the index had then
CREATE TABLE ranked (
    pages INTEGER NOT NULL
);
PRAGMA user_version = {VERSION};
COMMIT;
"""

#: The words of the index, for one connection.
_TERMS = "CREATE VIRTUAL TABLE temp.terms USING fts5vocab (main, words, row)"


FORM = Form(
    application=APPLICATION,
    version=VERSION,
    earlier=EARLIER,
    tables=_TABLES,
    opening=f"SELECT count(*) FROM page WHERE id < 0; {_TERMS}",
)


def open_search(path: Path) -> SideDatabase:
    """Raises what `open_side` raises."""
    return open_side(path, FORM)
