"""The tables of crawl.db, in the words of the manual.

Times are seconds since the epoch (UTC) unless a name says otherwise. `key` is the 64-bit xxh3 of a canonical URL as a
signed integer. `id` of a URL is its position in the order of discovery.
"""

from itertools import chain

from ttcrawl.store import (
    browser_tables,
    deletions,
    duplicate_tables,
    events,
    fields,
    recrawl_tables,
    resource_tables,
    step_tables,
    topics,
    vanished_tables,
)
from ttcrawl.store.earlier import EARLIER
from ttcrawl.vocabulary.state import STATES

VERSION = 15

_TABLES = """
-- the crawl itself: schema_version, ttcrawl_version, started, seconds, finished, seeds, ...
CREATE TABLE crawl (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- one row a host (host:port where the port is not the scheme's own)
CREATE TABLE site (
    id            INTEGER PRIMARY KEY,
    host          TEXT NOT NULL UNIQUE,
    domain        TEXT NOT NULL,               -- registrable domain
    address       TEXT NOT NULL DEFAULT '',    -- of the last connection
    robots_url    TEXT NOT NULL DEFAULT '',
    robots        TEXT,                        -- as read; NULL: not read yet
    robots_status INTEGER,                     -- HTTP status; NULL: no answer
    robots_reason TEXT NOT NULL DEFAULT '',    -- why it could not be read
    robots_time   REAL,                        -- when it was requested last
    robots_etag   TEXT NOT NULL DEFAULT '',    -- of the robots.txt as read, for asking whether it has changed
    robots_modified TEXT NOT NULL DEFAULT '',
    robots_failing REAL NOT NULL DEFAULT 0,    -- since when it answers 429 or 5xx; 0: it does not
    delay         REAL,                        -- seconds between exchanges in force
    delay_from    TEXT NOT NULL DEFAULT '',    -- 'robots.txt', 'default', 'config.ini', 'response time',
                                               -- 'rate limit', 'not obeyed'
    next_at       REAL NOT NULL DEFAULT 0,     -- the next permitted moment
    failures      INTEGER NOT NULL DEFAULT 0,  -- exchanges without an answer
    requested     INTEGER NOT NULL DEFAULT 0,  -- URLs that were requested and are processed
    fetched       INTEGER NOT NULL DEFAULT 0,  -- URLs of it whose state is 'fetched'
    soft_404      TEXT NOT NULL DEFAULT '',    -- how it answers for pages that are not there: 'honest', 'soft',
                                               -- 'different' (each time), 'all alike' (as all of its pages),
                                               -- 'no answer'; '': it was not asked
    silent        INTEGER NOT NULL DEFAULT 0,  -- times in a row that the host was backed off for want of a connection
    backoff       REAL NOT NULL DEFAULT 0,     -- seconds it was last left alone; 0: never, or forgotten
    backoff_until REAL NOT NULL DEFAULT 0,
    backoff_from  TEXT NOT NULL DEFAULT ''     -- why: 'http 503', 'connection refused' ...
);

-- the ledger: one row per canonical URL ever discovered
CREATE TABLE url (
    id       INTEGER PRIMARY KEY,
    key      INTEGER NOT NULL,                 -- no two have the same
    url      TEXT NOT NULL,
    site     INTEGER NOT NULL REFERENCES site (id),
    spelling TEXT NOT NULL DEFAULT '',         -- as it was discovered, if this differs from the canonical URL
    state    TEXT NOT NULL CHECK (<IS_STATE>),
    reason   TEXT NOT NULL,                    -- what decided: 'http 404', 'robots.txt', 'scope: host', ...
    rule     INTEGER REFERENCES rule (id),     -- the rule behind it, where there is one
    depth    INTEGER,                          -- links from the seeds, shortest path; NULL: none is followed
    redirects  INTEGER NOT NULL DEFAULT 0,     -- in a row on the path to it
    off_domain INTEGER NOT NULL DEFAULT 0,     -- links in a row off the seeds' domains, if a rule counts them
    off_topic INTEGER NOT NULL DEFAULT 0,      -- irrelevant pages in a row on the path to it, if pages are scored
    rank     INTEGER NOT NULL DEFAULT 0,       -- among the URLs of its depth, from sitemaps; smaller is first
    sitemap  INTEGER NOT NULL DEFAULT 0,       -- 1: named as a sitemap by a robots.txt; 2: by an index or redirect
    requisite INTEGER NOT NULL DEFAULT 0,      -- links and redirects since the page that shows it; 0: no page requisite
    score    INTEGER NOT NULL DEFAULT 0,       -- from [frontier] priority; larger is first
    demoted  INTEGER NOT NULL DEFAULT 0,       -- 1: put behind all other URLs of the host
    priority INTEGER NOT NULL,                 -- position in the queue by [frontier] priority; smaller is first
    found_on INTEGER REFERENCES url (id),      -- the page it was discovered on; NULL: a seed, or `sitemap` is 1
    discovered REAL NOT NULL,
    processed  REAL,                           -- NULL: queued
    attempts INTEGER NOT NULL DEFAULT 0,       -- requests so far
    due      REAL NOT NULL DEFAULT 0           -- not before this moment (a retry)
);

-- every rule that refused a URL: its text and where it stands. What robots.txt says is in table `robots`
CREATE TABLE rule (
    id   INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE                  -- 'exclude *.pdf (config.ini, line 12)', '[traps] repeats = 3'
);

-- every version of every robots.txt that was read
CREATE TABLE robots (
    site   INTEGER NOT NULL REFERENCES site (id),
    time   REAL NOT NULL,                      -- when it was read first
    url    TEXT NOT NULL,
    status INTEGER NOT NULL,                   -- HTTP status; only of 2xx the text counts
    text   TEXT NOT NULL,
    PRIMARY KEY (site, time)
) WITHOUT ROWID;

-- the URL of each key. This table and `queue` lack some of the URLs after the one that `indexed` in table `crawl`
-- names; they are complete when the crawl has stopped by itself or by Ctrl-C
CREATE TABLE by_key (
    key INTEGER PRIMARY KEY,
    id  INTEGER NOT NULL
);

-- the queue of each site, in the order in which its URLs are fetched: the URLs whose state is 'queued'
CREATE TABLE queue (
    site     INTEGER,
    priority INTEGER,
    id       INTEGER,
    PRIMARY KEY (site, priority, id)
) WITHOUT ROWID;

-- the latest answer of each URL that answered (redirects too); of a body that is too large or broke off what is said
-- of its beginning. View `answer` also has the earlier answers (see ttcrawl/store/earlier.py)
CREATE TABLE page (
    url           INTEGER PRIMARY KEY REFERENCES url (id),
    time          REAL NOT NULL,               -- when the answer was processed
    status        INTEGER NOT NULL,
    type          TEXT NOT NULL,               -- what the bytes are; without bytes: what header and URL state
    declared_type TEXT NOT NULL,               -- what the header said
    charset       TEXT NOT NULL,               -- they were read as
    declared_charset TEXT NOT NULL,            -- of the header, else of the page itself
    charset_from  TEXT NOT NULL,               -- what decided: bom, header, meta, content, detected, default
    length        INTEGER NOT NULL,            -- bytes of the body as it came, as far as it is kept
    title         TEXT NOT NULL,
    digest        BLOB,                        -- xxh3_128 of the body as it came
    etag          TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    location      TEXT NOT NULL,               -- of a redirect, as it came
    server        TEXT NOT NULL,
    robots        TEXT NOT NULL,               -- directives of meta robots and X-Robots-Tag that are meant for us
    parser        TEXT NOT NULL,               -- of HTML: lexbor, html5lib, regex; of others: urlset, rss ..., ''
    parse_error   TEXT NOT NULL,
    links         INTEGER NOT NULL,            -- link occurrences with an http(s) URL, of followed kinds; of them:
    content_links INTEGER NOT NULL,            --   inside the content region
    same_page_links INTEGER NOT NULL,          --   to the page itself
    recorded_links INTEGER NOT NULL,           -- link occurrences of the kinds that are only recorded
    not_http      INTEGER NOT NULL,            -- links of other schemes or that are no URL
    schemes       TEXT NOT NULL,               -- of them, JSON: {"mailto": 2}
    file          TEXT NOT NULL,               -- where its bytes lie: this file in warc/
    offset        INTEGER NOT NULL,
    size          INTEGER NOT NULL,
    payload       INTEGER REFERENCES url (id), -- the record is a revisit record: that URL's holds the bytes
    fresh_until   REAL,                        -- when it becomes stale by Cache-Control or Expires; NULL: not stated
    declared_length INTEGER                    -- of a body that is not here, or not all of it: its bytes by the header
                                               -- Content-Length; NULL: not stated, or the body is complete
);

-- the out-links of a page in order of place, packed; the view `link` unfolds them
CREATE TABLE outlinks (
    source  INTEGER PRIMARY KEY REFERENCES url (id),
    targets TEXT NOT NULL,                     -- JSON array of URL keys
    kinds   BLOB NOT NULL,                     -- a letter each: [links] kinds, R redirect, I sitemap in an index
    regions BLOB NOT NULL,                     -- a letter each: c content, e elsewhere; C and E: with rel=nofollow;
                                               -- not followed: n and o because of nofollow, d and f because the page
                                               -- is a duplicate, h and i because of a hook; r recorded only
    landmarks BLOB NOT NULL,                   -- a letter each: n nav, m main, h header, f footer, a aside, - none of
                                               -- them; empty if [links] landmarks is off
    anchors TEXT NOT NULL                      -- JSON array of anchor texts, or ''
);
CREATE VIEW link AS
    SELECT source, each.key AS position, each.value AS target,
           CAST(substr(kinds, each.key + 1, 1) AS TEXT) AS kind,
           CAST(substr(regions, each.key + 1, 1) AS TEXT) AS region,
           CAST(substr(landmarks, each.key + 1, 1) AS TEXT) AS landmark,
           CASE WHEN anchors != '' THEN json_extract(anchors, '$[' || each.key || ']') END AS anchor
    FROM outlinks, json_each(outlinks.targets) AS each;

-- the metadata of a page, a document or a feed
CREATE TABLE metadata (
    url           INTEGER PRIMARY KEY REFERENCES url (id),
    description   TEXT NOT NULL,
    keywords      TEXT NOT NULL,
    author        TEXT NOT NULL,
    published     TEXT NOT NULL,               -- ISO 8601
    modified      TEXT NOT NULL,
    headings      TEXT NOT NULL,               -- JSON: [[level, text], ...]
    language      TEXT NOT NULL,               -- detected where that is sure, else declared: 'en'
    declared_language TEXT NOT NULL,           -- as it stands: 'en-GB'
    confidence    REAL NOT NULL,               -- of the detected language, 0 to 1; 0: none was detected
    canonical     TEXT NOT NULL,               -- the canonical URL that the page names
    open_graph    TEXT NOT NULL,               -- JSON: {"og:title": "..."}
    words         INTEGER NOT NULL,            -- of the whole text
    main_words    INTEGER NOT NULL             -- of the main text
);

-- the words of a page, UTF-8 in zlib's format: in the sqlite3 shell, sqlar_uncompress(text, size)
CREATE TABLE text (
    url       INTEGER PRIMARY KEY REFERENCES url (id),
    size      INTEGER NOT NULL,                -- bytes before packing
    text      BLOB NOT NULL,
    main_size INTEGER NOT NULL,
    main      BLOB                             -- without menus, footers and the like; NULL: the same as `text`
);

-- the pages that are not read yet: they lack text, metadata, landmarks, anchors and most of their fingerprint
CREATE TABLE unread (
    url INTEGER PRIMARY KEY REFERENCES url (id)
);

-- the URLs that cannot exist, and what their hosts answered
CREATE TABLE probe (
    id       INTEGER PRIMARY KEY,
    site     INTEGER NOT NULL REFERENCES site (id),
    url      TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,       -- exchanges so far
    time     REAL,                             -- when it was processed; NULL: not yet
    status   INTEGER,                          -- NULL: no answer
    reason   TEXT NOT NULL DEFAULT '',         -- 'http 200', or why there is no answer
    location TEXT NOT NULL DEFAULT '',         -- canonical URL that a redirect leads to
    digest   BLOB NOT NULL DEFAULT x'',        -- xxh3_128 of the body as it came
    text     BLOB NOT NULL DEFAULT x'',        -- xxh3_128 of what it says without its own address
    shingles BLOB NOT NULL DEFAULT x'',        -- hashes of the shingles of that, 32-bit, rising
    size     INTEGER NOT NULL DEFAULT 0,       -- bytes of its main text
    file     TEXT NOT NULL DEFAULT '',         -- where its bytes lie: this file in warc/
    offset   INTEGER NOT NULL DEFAULT 0,
    length   INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX probe_of_site ON probe (site);

-- the pages and redirects that are what their host answers for URLs that cannot exist
CREATE TABLE soft_404 (
    url        INTEGER PRIMARY KEY REFERENCES url (id),
    probe      INTEGER NOT NULL REFERENCES probe (id),
    similarity REAL NOT NULL                   -- Jaccard similarity of the shingles; 1: the same text, or redirect
);

-- the images that were fetched
CREATE TABLE image (
    url    INTEGER PRIMARY KEY REFERENCES url (id),
    type   TEXT NOT NULL,
    name   TEXT NOT NULL,                      -- of the file, as the server or the URL calls it
    size   INTEGER NOT NULL,                   -- bytes, content codings undone
    width  INTEGER,                            -- pixels; NULL: not known
    height INTEGER,
    saved  TEXT NOT NULL,                      -- its path under files/, '' where it was not saved
    error  TEXT NOT NULL                       -- why not, or what is wrong with it
);

-- the files that were fetched and are neither pages nor images
CREATE TABLE document (
    url       INTEGER PRIMARY KEY REFERENCES url (id),
    type      TEXT NOT NULL,
    name      TEXT NOT NULL,
    size      INTEGER NOT NULL,
    pages     INTEGER,                         -- NULL: not known
    converter TEXT NOT NULL,                   -- that gave its text, '' where none did
    saved     TEXT NOT NULL,
    error     TEXT NOT NULL                    -- why it has no text, or was not saved
);

-- how much of each WARC file the tables speak of; what lies behind is cut off when the crawl goes on
CREATE TABLE archive (
    file TEXT PRIMARY KEY,
    size INTEGER NOT NULL
) WITHOUT ROWID;

-- every HTTP exchange: the proof of politeness
CREATE TABLE visit (
    id      INTEGER PRIMARY KEY,
    site    INTEGER NOT NULL REFERENCES site (id),
    url     TEXT NOT NULL,
    kind    TEXT NOT NULL,                     -- page, robots, probe, check or resource (of a page)
    started REAL NOT NULL,
    ended   REAL NOT NULL,
    status  INTEGER,                           -- NULL: no answer
    reason  TEXT NOT NULL,                     -- '' or what went wrong: with a status, why its body broke off
    bytes   INTEGER NOT NULL,                  -- of the body, or of a head that broke off, as they came over the wire
    address TEXT NOT NULL,
    delay      REAL NOT NULL,                  -- seconds from the end of the last exchange with the host that were due
    delay_from TEXT NOT NULL,                  -- 'robots.txt', 'default', 'config.ini', 'response time',
                                               -- 'rate limit', 'not obeyed'
    address_delay REAL NOT NULL,               -- seconds since the last exchange with the address that were due
    requests   INTEGER NOT NULL,               -- HEAD and GET, and again on a new connection
    backoff    REAL,                           -- seconds the host is left alone because of it; NULL: the delay only
    backoff_from TEXT NOT NULL                 -- 'Retry-After', 'http 503', 'connection refused' ... or ''
);

-- the cookies of the crawl (fetch.cookies = kept): whoever reads them can speak in its name
CREATE TABLE cookie (
    domain    TEXT NOT NULL,
    path      TEXT NOT NULL,
    name      TEXT NOT NULL,
    value     TEXT NOT NULL,
    host_only INTEGER NOT NULL,                -- 1: for the host `domain` alone; 0: for those under it too
    secure    INTEGER NOT NULL,                -- 1: sent over https alone
    expires   REAL,                            -- NULL: kept as long as the crawl
    place     INTEGER NOT NULL,                -- in the order in which they were first set
    PRIMARY KEY (domain, path, name)
) WITHOUT ROWID;

-- the series behind the curves
CREATE TABLE growth (
    pages         INTEGER PRIMARY KEY,         -- URLs that answered, redirects not counted
    seconds       REAL NOT NULL,               -- of crawling, summed over resumes
    links         INTEGER NOT NULL,            -- link occurrences so far
    distinct_urls INTEGER NOT NULL,            -- rows of `url` so far
    queued        INTEGER NOT NULL,
    bytes         INTEGER NOT NULL,
    in_scope      INTEGER                      -- of them: queued by links, robots.txt aside; NULL: unknown
);
"""

_MODULES = (
    duplicate_tables,
    fields,
    events,
    deletions,
    topics,
    recrawl_tables,
    browser_tables,
    resource_tables,
    step_tables,
    vanished_tables,
)

#: Not `state IN (...)`: for each row SQLite would build the list anew, a third of what an INSERT costs.
_IS_STATE = " OR ".join(f"state = '{state}'" for state in STATES)
TABLES = _TABLES.replace("<IS_STATE>", _IS_STATE) + "".join(
    f"{statement};\n" for statement in (*EARLIER, *chain.from_iterable(each.TABLES for each in _MODULES))
)
