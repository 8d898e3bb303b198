"""When each URL is visited again: a table of its own, because few crawls are continued for ever."""

from ttcrawl.store.earlier import INDEXES, moves

TABLES_OF_13 = (
    """-- when a URL is requested again (ttcrawl recrawl); times by the clock on the wall
CREATE TABLE revisit (
    url          INTEGER PRIMARY KEY REFERENCES url (id),
    next         REAL NOT NULL,                -- not before this moment
    visited      REAL NOT NULL,                -- when its last answer about the page came
    visits       INTEGER NOT NULL DEFAULT 0,   -- by recrawl
    not_modified INTEGER NOT NULL DEFAULT 0,   -- of them: the answer was 304
    changes      INTEGER NOT NULL DEFAULT 0,   -- of them: what a reader sees had changed
    missing      INTEGER NOT NULL DEFAULT 0,   -- the last so many of them: 404 or another 4xx, and the page is kept
    failures     INTEGER NOT NULL DEFAULT 0,   -- the last so many of them: without an answer about the page
    trust        TEXT NOT NULL DEFAULT '',     -- JSON: validators, and how honest they were; '': those of `page`
    evidence     TEXT NOT NULL DEFAULT '',     -- JSON: what the visits have shown about how often it changes
    announced    REAL                          -- when it changed by a sitemap or feed, not checked yet; NULL: no signal
)""",
    """-- what visits have found behind the dates of sitemaps and feeds ([revisit] signals)
CREATE TABLE signal (
    site   INTEGER PRIMARY KEY REFERENCES site (id), -- of the announced pages
    hits   INTEGER NOT NULL,                   -- visits to them that found a change; both are halved beyond 100
    misses INTEGER NOT NULL                    -- visits that found none
)""",
    """-- the URLs of which earlier answers have left the tables (ttcrawl/store/retention.py)
CREATE TABLE dropped (
    url     INTEGER PRIMARY KEY REFERENCES url (id),
    answers INTEGER NOT NULL,                  -- how many
    until   REAL NOT NULL                      -- when the answer after the last of them came: since then all are here
)""",
    "CREATE INDEX revisit_next ON revisit (next)",
    *INDEXES,
    # of a page that is only counted ([topic] irrelevant = count) no row of `page` moves the earlier answer
    "CREATE TRIGGER another_score BEFORE INSERT ON topic WHEN EXISTS (SELECT 1 FROM topic WHERE url = NEW.url)"
    f" BEGIN {'; '.join(moves('= NEW.url'))}; END",
)

#: What version 14 has added: why the last visit of a URL was not requested, as url.reason; '': it was.
REFUSED = "ALTER TABLE revisit ADD COLUMN refused TEXT NOT NULL DEFAULT ''"

TABLES = (*TABLES_OF_13, REFUSED)
