"""Pages that are not there any more, where they are known again, and URLs that have lost their links."""

TABLES = (
    """-- the URLs whose page is not there any more, by visits: 404 or 410, or a permanent redirect (301, 308)
CREATE TABLE vanished (
    url       INTEGER PRIMARY KEY REFERENCES url (id),
    present   REAL NOT NULL,                   -- when a request found it last
    missing   REAL NOT NULL,                   -- when one first did not
    confirmed REAL,                            -- when it is gone or moved; NULL: it is still checked, and stays
    successor INTEGER REFERENCES url (id),     -- the URL at which it is known again
    same      TEXT NOT NULL DEFAULT ''         -- by what: 'redirect', or the same 'bytes' or 'text', or 'near'
)""",
    "CREATE INDEX vanished_successor ON vanished (successor) WHERE successor NOT NULL",
    """-- by what a page that is gone and not known again would be known (as in table `fingerprint`)
CREATE TABLE vanished_print (
    url       INTEGER PRIMARY KEY REFERENCES url (id),
    title     TEXT NOT NULL,
    bytes     BLOB NOT NULL,
    text      BLOB NOT NULL,
    bands     BLOB NOT NULL,
    signature BLOB NOT NULL,
    shingles  BLOB NOT NULL
)""",
    """-- its buckets, as in table `bucket`
CREATE TABLE vanished_key (
    key INTEGER,
    url INTEGER,
    PRIMARY KEY (key, url)
) WITHOUT ROWID""",
    """-- the URLs that have lost a link, by visits to the pages that had it
CREATE TABLE unlinked (
    url   INTEGER PRIMARY KEY REFERENCES url (id),
    key   INTEGER NOT NULL UNIQUE,             -- of table `url`
    lost  REAL NOT NULL,                       -- when the link had vanished
    since REAL                                 -- when no page had a link to it; NULL: that is still to be found out
)""",
    """-- every body that URLs have shown (status 2xx), and whether one still does: 'shown', else 'replaced' if one of
-- them has another answer, else 'moved' if the page is known again elsewhere, else 'unavailable': all URLs are gone
CREATE VIEW content AS
    SELECT digest, min(since) AS since, count(DISTINCT url) AS urls, count(DISTINCT gone) AS gone,
           CASE WHEN sum(shown) THEN 'shown' WHEN count(DISTINCT gone) < count(DISTINCT url) THEN 'replaced'
           WHEN sum(moved) THEN 'moved' ELSE 'unavailable' END AS state
    FROM (
        SELECT answer.digest, answer.url, answer.time AS since, coalesce(page.time = answer.time, 0) AS shown,
               iif(vanished.confirmed NOT NULL, answer.url, NULL) AS gone,
               vanished.successor NOT NULL AND vanished.successor NOT IN (
                   SELECT url FROM vanished WHERE confirmed NOT NULL AND successor IS NULL) AS moved
        FROM answer LEFT JOIN page ON page.url = answer.url LEFT JOIN vanished ON vanished.url = answer.url
        WHERE answer.status BETWEEN 200 AND 299 AND answer.digest NOT NULL AND answer.length > 0
    ) GROUP BY digest""",
)
