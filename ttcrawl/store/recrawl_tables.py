"""When each URL is visited again: a table of its own, because few crawls are continued for ever."""

from ttcrawl.store.earlier import INDEXES, moves

TABLES_OF_13 = (
    """-- when a URL is requested again (ttcrawl recrawl); times by the wall clock
CREATE TABLE revisit (
    url          INTEGER PRIMARY KEY REFERENCES url (id),
    next         REAL NOT NULL,                -- not before this moment
    visited      REAL NOT NULL,                -- when it last answered about the page
    visits       INTEGER NOT NULL DEFAULT 0,   -- by recrawl
    not_modified INTEGER NOT NULL DEFAULT 0,   -- of `visits`: answered with 304
    changes      INTEGER NOT NULL DEFAULT 0,   -- of `visits`: what a reader sees had changed
    missing      INTEGER NOT NULL DEFAULT 0,   -- last visits in a row that got 404 or another 4xx, and kept the page
    failures     INTEGER NOT NULL DEFAULT 0,   -- last visits in a row without an answer about the page
    trust        TEXT NOT NULL DEFAULT '',     -- JSON: validators, and how reliable they were; '': as in `page`
    evidence     TEXT NOT NULL DEFAULT '',     -- JSON: what the visits have shown about how often it changes
    announced    REAL                          -- when it changed by a sitemap or feed, unchecked; NULL: no signal
)""",
    """-- how reliable the dates of sitemaps and feeds were ([revisit] signals)
CREATE TABLE signal (
    site   INTEGER PRIMARY KEY REFERENCES site (id), -- of the announced pages
    hits   INTEGER NOT NULL,                   -- visits that found a change; both are halved beyond 100
    misses INTEGER NOT NULL                    -- visits that found none
)""",
    """-- the URLs whose earlier answers have left the tables
CREATE TABLE dropped (
    url     INTEGER PRIMARY KEY REFERENCES url (id),
    answers INTEGER NOT NULL,                  -- number of answers that have left
    until   REAL NOT NULL                      -- when the answer after the last of them came: since then all are here
)""",
    "CREATE INDEX revisit_next ON revisit (next)",
    *INDEXES,
    # of a page that is only counted ([topic] irrelevant = count) no row of `page` moves the earlier answer
    "CREATE TRIGGER another_score BEFORE INSERT ON topic WHEN EXISTS (SELECT 1 FROM topic WHERE url = NEW.url)"
    f" BEGIN {'; '.join(moves('= NEW.url'))}; END",
)

#: What version 14 has added.
REFUSED = """-- why its last visit was not requested, as in `url.reason`; '': it was
ALTER TABLE revisit ADD COLUMN refused TEXT NOT NULL DEFAULT ''"""

TABLES = (*TABLES_OF_13, REFUSED)
