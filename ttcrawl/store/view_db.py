"""The file view.db: by what URLs are selected, how many there are of each, and the links by their target.

Everything in it is made from crawl.db. Without it a selection reads all URLs, and the links to a URL all pages.
"""

from __future__ import annotations

from pathlib import Path

from ttcrawl.store.side_database import Form, SideDatabase, open_side

NAME = "view.db"
VERSION = 3

#: The application id of the file: "ttvi".
APPLICATION = 0x74747669

#: Ids of pages whose links are together: a look-up takes some microseconds for each segment.
SEGMENT = 1 << 14

_TABLES = f"""
BEGIN IMMEDIATE;
DROP TABLE IF EXISTS listed;
DROP TABLE IF EXISTS tally;
DROP TABLE IF EXISTS pair;
DROP TABLE IF EXISTS request;
DROP TABLE IF EXISTS body;
DROP TABLE IF EXISTS progress;

-- the URLs, as they were when they were read last; NULL: none
CREATE TABLE listed (
    id       INTEGER PRIMARY KEY,
    state    TEXT NOT NULL,
    failed   TEXT,                             -- 'yes': no complete response, or an HTTP status of 400 and above
    reason   TEXT,
    status   INTEGER,
    type     TEXT,
    host     INTEGER NOT NULL,                 -- of table `site`
    depth    INTEGER,
    language TEXT,
    same     TEXT,                             -- of table `duplicate`
    soft_404 TEXT,                             -- 'yes'
    time     REAL                              -- of the answer whose links are in table `pair`
);
CREATE INDEX listed_state ON listed (state);
CREATE INDEX listed_failed ON listed (failed) WHERE failed NOT NULL;
CREATE INDEX listed_reason ON listed (reason);
CREATE INDEX listed_status ON listed (status);
CREATE INDEX listed_type ON listed (type);
CREATE INDEX listed_host ON listed (host);
CREATE INDEX listed_depth ON listed (depth);
CREATE INDEX listed_language ON listed (language);
CREATE INDEX listed_same ON listed (same) WHERE same NOT NULL;
CREATE INDEX listed_soft_404 ON listed (soft_404) WHERE soft_404 NOT NULL;

-- how many URLs have a value of a column of `listed`; '' for NULL. Of one state, and with the state '' of all
CREATE TABLE tally (
    facet TEXT NOT NULL,
    state TEXT NOT NULL,
    value NOT NULL,
    urls  INTEGER NOT NULL,
    PRIMARY KEY (facet, state, value)
) WITHOUT ROWID;
CREATE INDEX largest ON tally (facet, state, urls);

-- the pages that link to the URL of each key; also those that did once. Keys are random, so without segments each new
-- page would change pages all over the table
CREATE TABLE pair (
    segment INTEGER,                           -- source / {SEGMENT}
    target  INTEGER,
    source  INTEGER,
    PRIMARY KEY (segment, target, source)
) WITHOUT ROWID;

-- the rows of table `visit` for the URL of each key, and for the robots.txt of each site: `of` is its id
CREATE TABLE request (
    of    INTEGER,
    visit INTEGER,
    PRIMARY KEY (of, visit)
) WITHOUT ROWID;

-- the URLs whose latest answer has a body with a digest that ends so, or had one once
CREATE TABLE body (
    digest INTEGER,
    url    INTEGER,
    PRIMARY KEY (digest, url)
) WITHOUT ROWID;

-- one row: up to where crawl.db was read
CREATE TABLE progress (
    crawl TEXT NOT NULL,                       -- when the crawl began, which tells it from others
    last  INTEGER NOT NULL,                    -- the URLs up to this id are listed
    visit INTEGER NOT NULL,                    -- so are the outcomes of requests up to this id
    request INTEGER NOT NULL,                  -- table `request` has the requests up to this id
    swept INTEGER NOT NULL,                    -- and in this round all other changes of URLs up to this id
    seen  TEXT NOT NULL                        -- the crawl.db for which a round has ended: its size and its moment
);
PRAGMA user_version = {VERSION};
COMMIT;
"""

FORM = Form(
    application=APPLICATION,
    version=VERSION,
    tables=_TABLES,
    opening="SELECT count(*) FROM listed, tally, pair, request, body, progress WHERE listed.id < 0",
)


def open_view(path: Path) -> SideDatabase:
    """Raises what `open_side` raises."""
    return open_side(path, FORM)


def body_key(digest: bytes) -> int:
    """What table `body` has of a digest."""
    return int.from_bytes(digest[-8:], "big", signed=True)
