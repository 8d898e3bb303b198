"""The file items.db: what extractors made of pages, by their versions. All of it can be made again from the archive."""

from __future__ import annotations

from pathlib import Path

from ttcrawl.store.side_database import Form, SideDatabase, open_side

NAME = "items.db"
VERSION = 1

#: The application id of the file: "ttit".
APPLICATION = 0x74746974

_TABLES = f"""
BEGIN IMMEDIATE;
DROP TABLE IF EXISTS version;
DROP TABLE IF EXISTS page;
DROP TABLE IF EXISTS item;

-- the versions of each extractor
CREATE TABLE version (
    id     INTEGER PRIMARY KEY,
    name   TEXT NOT NULL,                      -- shop.py:page, css, jsonld ...
    digest TEXT NOT NULL,                      -- of its code, or of its selectors
    used   INTEGER NOT NULL,                   -- the number of its last run; the largest is the latest version
    UNIQUE (name, digest)
);
-- the answers that a version has seen
CREATE TABLE page (
    version INTEGER NOT NULL REFERENCES version (id),
    url     INTEGER NOT NULL,                  -- id of its URL in crawl.db
    time    REAL NOT NULL,                     -- of the answer, as in table `page` of crawl.db
    error   TEXT NOT NULL,                     -- why the extractor failed; '': it did not
    PRIMARY KEY (version, url, time)
) WITHOUT ROWID;
-- what it made of them
CREATE TABLE item (
    version  INTEGER NOT NULL REFERENCES version (id),
    url      INTEGER NOT NULL,
    time     REAL NOT NULL,
    position INTEGER NOT NULL,                 -- on the page, from 1
    fields   TEXT NOT NULL,                    -- a JSON object
    PRIMARY KEY (version, url, time, position)
) WITHOUT ROWID;
PRAGMA user_version = {VERSION};
COMMIT;
"""

FORM = Form(
    application=APPLICATION,
    version=VERSION,
    tables=_TABLES,
    opening="SELECT count(*) FROM version; SELECT count(*) FROM page WHERE version < 0;"
    " SELECT count(*) FROM item WHERE version < 0",
)


def open_items(path: Path) -> SideDatabase:
    """Raises what `open_side` raises."""
    return open_side(path, FORM)
