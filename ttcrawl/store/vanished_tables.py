"""Pages that are not there any more, where they are known again, and URLs that have lost their links."""

TABLES = (
    """-- the URLs whose page has vanished, by visits: 404 or 410, or a permanent redirect (301, 308)
CREATE TABLE vanished (
    url       INTEGER PRIMARY KEY REFERENCES url (id),
    present   REAL NOT NULL,                   -- when a request last found it
    missing   REAL NOT NULL,                   -- when a request first did not find it
    confirmed REAL,                            -- when this was confirmed; NULL: it is still checked
    successor INTEGER REFERENCES url (id),     -- the URL at which the page was recognized
    same      TEXT NOT NULL DEFAULT ''         -- by what: 'redirect', 'bytes', 'text' or 'near'
)""",
    "CREATE INDEX vanished_successor ON vanished (successor) WHERE successor NOT NULL",
    """-- what identifies the content of a vanished page that was not recognized elsewhere, as in table `fingerprint`
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
    lost  REAL NOT NULL,                       -- when the link vanished
    since REAL                                 -- since when no page links to it; NULL: not determined yet
)""",
    """-- every body that URLs have shown (status 2xx), and its state: 'shown' if one still shows it, else 'replaced' if
-- one of them has another answer, else 'moved' if the page was recognized elsewhere, else 'unavailable': all are gone
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
