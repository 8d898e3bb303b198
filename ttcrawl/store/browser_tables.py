"""Which pages went through a browser, and why: tables of their own, because few crawls have one."""

TABLES = (
    """-- pages of one host that are alike before their scripts run, and what is known of them ([browser] use = auto)
CREATE TABLE template (
    id        INTEGER PRIMARY KEY,
    site      INTEGER NOT NULL REFERENCES site (id),
    pattern   TEXT NOT NULL,                   -- the shape of their URLs: '/news/*.html?page'
    signature INTEGER NOT NULL,                -- a hash of their scripts and empty elements; 0: all further ones
    state     TEXT NOT NULL,                   -- how the next page is read: 'sample' (both ways), 'static', 'browser'
    pages     INTEGER NOT NULL,                -- pages that were read
    rendered  INTEGER NOT NULL,                -- of `pages`: in a browser
    alike     INTEGER NOT NULL,                -- the number of the last ones for which the browser showed the same more
    gain      BLOB NOT NULL,                   -- a hash of what it showed more; empty: nothing
    gap       INTEGER NOT NULL,                -- pages between two that are read in the browser, while 'static'
    wait      INTEGER NOT NULL,                -- pages before the next one that is read in the browser
    UNIQUE (site, pattern, signature)
)""",
    """-- how the latest answer of a page was read, if the crawl has a browser
CREATE TABLE browser_use (
    url      INTEGER PRIMARY KEY REFERENCES url (id),
    way      TEXT NOT NULL,                    -- 'static' or 'browser'
    reason   TEXT NOT NULL,                    -- 'no scripts', 'empty shell', 'sample', 'template' ...
    template INTEGER REFERENCES template (id), -- NULL: none decided
    seconds  REAL NOT NULL,                    -- in the browser
    requests INTEGER NOT NULL,                 -- of its scripts
    bytes    INTEGER NOT NULL,                 -- of the answers to them
    links    INTEGER,                          -- that only the browser showed; NULL: not compared
    words    INTEGER                           -- likewise
)""",
    # the pages that have to be read again if their template turns out to need a browser
    "CREATE INDEX browser_use_static ON browser_use (template, url) WHERE way = 'static' AND template NOTNULL",
)
