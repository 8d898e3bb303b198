"""The tables of crawl.db, in the words of the manual.

Times are seconds since the epoch (UTC) unless a name says otherwise. `key` is the 64-bit xxh3 of a canonical URL as a
signed integer. `id` of a URL is its position in the order of discovery.
"""

from ttcrawl.store import (
    browser_tables,
    deletions,
    duplicate_tables,
    events,
    link_metas,
    rare_tables,
    recrawl_tables,
    vanished_tables,
)
from ttcrawl.store.earlier import EARLIER
from ttcrawl.vocabulary.state import STATES

VERSION = 16

_TABLES = """
-- facts about the crawl: schema_version, ttcrawl_version, started, seconds, finished, seeds and others
CREATE TABLE crawl (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- the hosts (host:port where the port is not the scheme's default)
CREATE TABLE site (
    id            INTEGER PRIMARY KEY,
    host          TEXT NOT NULL UNIQUE,
    domain        TEXT NOT NULL,               -- registrable domain
    address       TEXT NOT NULL DEFAULT '',    -- of the last connection
    robots_url    TEXT NOT NULL DEFAULT '',
    robots        TEXT,                        -- its text; NULL: not read yet
    robots_status INTEGER,                     -- HTTP status; NULL: no answer
    robots_reason TEXT NOT NULL DEFAULT '',    -- why it could not be read
    robots_time   REAL,                        -- when it was last requested
    robots_etag   TEXT NOT NULL DEFAULT '',    -- of this text, for conditional requests; also the next column
    robots_modified TEXT NOT NULL DEFAULT '',
    robots_failing REAL NOT NULL DEFAULT 0,    -- since when it answers 429 or 5xx; 0: it does not
    delay         REAL,                        -- seconds between requests that are in force
    delay_from    TEXT NOT NULL DEFAULT '',    -- 'robots.txt', 'default', 'config.ini', 'response time',
                                               -- 'rate limit', 'not obeyed'
    next_at       REAL NOT NULL DEFAULT 0,     -- the next permitted moment
    failures      INTEGER NOT NULL DEFAULT 0,  -- requests without an answer
    requested     INTEGER NOT NULL DEFAULT 0,  -- processed URLs that were requested
    fetched       INTEGER NOT NULL DEFAULT 0,  -- URLs with the state 'fetched'
    soft_404      TEXT NOT NULL DEFAULT '',    -- how it answers for missing pages: 'honest', 'soft',
                                               -- 'different' (each time), 'all alike' (as all of its pages),
                                               -- 'no answer'; '': unknown
    silent        INTEGER NOT NULL DEFAULT 0,  -- back-offs in a row because no connection was possible
    backoff       REAL NOT NULL DEFAULT 0,     -- its last back-off in seconds; 0: none, or forgotten
    backoff_until REAL NOT NULL DEFAULT 0,
    backoff_from  TEXT NOT NULL DEFAULT ''     -- why: 'http 503', 'connection refused' ...
);

-- the ledger: one row per canonical URL ever discovered
CREATE TABLE url (
    id       INTEGER PRIMARY KEY,
    key      INTEGER NOT NULL,                 -- unique
    url      TEXT NOT NULL,
    site     INTEGER NOT NULL REFERENCES site (id),
    spelling TEXT NOT NULL DEFAULT '',         -- as it was discovered, if it differs from the canonical URL
    state    TEXT NOT NULL CHECK (<IS_STATE>), -- <STATES>
    reason   TEXT NOT NULL,                    -- what decided: 'http 404', 'robots.txt', 'scope: host', ...
    rule     INTEGER REFERENCES rule (id),     -- the rule that decided; NULL: none
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

-- the rules that refused URLs: text and position. The rules of robots.txt are in table `robots`
CREATE TABLE rule (
    id   INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE                  -- 'exclude *.pdf (config.ini, line 12)', '[traps] repeats = 3'
);

-- every version of each robots.txt that was read
CREATE TABLE robots (
    site   INTEGER NOT NULL REFERENCES site (id),
    time   REAL NOT NULL,                      -- when it was first read
    url    TEXT NOT NULL,
    status INTEGER NOT NULL,                   -- HTTP status; the text counts only for 2xx
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

-- the latest answer of each URL that answered, redirects too; if the body is too large or incomplete, what its
-- beginning shows. View `answer` also has the earlier answers
CREATE TABLE page (
    url           INTEGER PRIMARY KEY REFERENCES url (id),
    time          REAL NOT NULL,               -- when the answer was processed
    status        INTEGER NOT NULL,
    type          TEXT NOT NULL,               -- of the bytes; without bytes: by the header and the URL
    declared_type TEXT NOT NULL,               -- by the header, without parameters
    charset       TEXT NOT NULL,               -- the encoding used; '': the body is not text
    declared_charset TEXT NOT NULL,            -- of the header, else of the page itself
    charset_from  TEXT NOT NULL,               -- source of `charset`: bom, header, meta, content, detected, default
    length        INTEGER NOT NULL,            -- bytes of the body as received
    title         TEXT NOT NULL,
    digest        BLOB,                        -- xxh3_128 of the body as received; NULL: a redirect
    etag          TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    location      TEXT NOT NULL,               -- of a redirect, as received
    server        TEXT NOT NULL,               -- header Server
    robots        TEXT NOT NULL,               -- directives of meta robots and X-Robots-Tag for all or for us
    parser        TEXT NOT NULL,               -- of HTML: lexbor, html5lib, regex; of others: urlset, rss ...; ''
    parse_error   TEXT NOT NULL,               -- why a better parser, or every parser, failed
    links         INTEGER NOT NULL,            -- link occurrences with an http(s) URL, of followed kinds
    content_links INTEGER NOT NULL,            -- of `links`: inside the content region
    same_page_links INTEGER NOT NULL,          -- of `links`: to the page itself
    recorded_links INTEGER NOT NULL,           -- link occurrences of the kinds that are only recorded
    not_http      INTEGER NOT NULL,            -- links of other schemes or without a valid URL
    schemes       TEXT NOT NULL,               -- number of these by scheme, JSON: {"mailto": 2}
    file          TEXT NOT NULL,               -- its record: this file in warc/, from `offset`, `size` bytes
    offset        INTEGER NOT NULL,
    size          INTEGER NOT NULL,
    payload       INTEGER REFERENCES url (id), -- the URL whose record has the bytes; NULL: its own
    fresh_until   REAL,                        -- when it becomes stale by Cache-Control or Expires; NULL: unknown
    declared_length INTEGER                    -- Content-Length of a body that is missing or incomplete, bytes; NULL:
                                               -- not stated, or the body is complete
);

-- the links of a page in document order, packed; the view `link` unpacks them
CREATE TABLE outlinks (
    source  INTEGER PRIMARY KEY REFERENCES url (id),
    targets TEXT NOT NULL,                     -- JSON array of URL keys
    kinds   BLOB NOT NULL,                     -- a letter each: [links] kinds, R redirect, I sitemap in an index,
                                               -- H of a hook
    regions BLOB NOT NULL,                     -- a letter each: c content, e elsewhere; C and E: with rel=nofollow;
                                               -- not followed: n and o because of nofollow, d and f because the page
                                               -- is a duplicate, h and i because of a hook; r recorded only
    landmarks BLOB NOT NULL,                   -- a letter each: n nav, m main, h header, f footer, a aside, s removed
                                               -- by scripts, - none of them; empty if [links] landmarks is off
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
    language      TEXT NOT NULL,               -- the declared one, unless another one is certain: 'en'
    declared_language TEXT NOT NULL,           -- as written: 'en-GB'
    confidence    REAL NOT NULL,               -- of the detected language, 0 to 1; 0: none was detected
    canonical     TEXT NOT NULL,               -- the canonical URL that the page declares
    open_graph    TEXT NOT NULL,               -- JSON: {"og:title": "..."}
    words         INTEGER NOT NULL,            -- of the complete text
    main_words    INTEGER NOT NULL             -- of the main text
);

-- the text of a page, UTF-8 in zlib's format: in the sqlite3 shell, sqlar_uncompress(text, size)
CREATE TABLE text (
    url       INTEGER PRIMARY KEY REFERENCES url (id),
    size      INTEGER NOT NULL,                -- bytes before packing
    text      BLOB NOT NULL,
    main_size INTEGER NOT NULL,
    main      BLOB                             -- without menus, footers and the like; NULL: the same as `text`
);

-- the pages that are not read yet: they have no text, metadata, landmarks and anchors, and not all of their fingerprint
CREATE TABLE unread (
    url INTEGER PRIMARY KEY REFERENCES url (id)
);

-- the URLs that cannot exist, and what their hosts answered
CREATE TABLE probe (
    id       INTEGER PRIMARY KEY,
    site     INTEGER NOT NULL REFERENCES site (id),
    url      TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,       -- requests so far
    time     REAL,                             -- when it was processed; NULL: not yet
    status   INTEGER,                          -- NULL: no answer
    reason   TEXT NOT NULL DEFAULT '',         -- 'http 200', or why there is no answer
    location TEXT NOT NULL DEFAULT '',         -- canonical URL of a redirect's target
    digest   BLOB NOT NULL DEFAULT x'',        -- xxh3_128 of the body as received
    text     BLOB NOT NULL DEFAULT x'',        -- xxh3_128 of its text without its own address
    shingles BLOB NOT NULL DEFAULT x'',        -- hashes of the shingles of this text, 32-bit, rising
    size     INTEGER NOT NULL DEFAULT 0,       -- bytes of its main text
    file     TEXT NOT NULL DEFAULT '',         -- its record: this file in warc/, from `offset`, `length` bytes
    offset   INTEGER NOT NULL DEFAULT 0,
    length   INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX probe_of_site ON probe (site);

-- the pages and redirects that equal the answer of their host to URLs that cannot exist
CREATE TABLE soft_404 (
    url        INTEGER PRIMARY KEY REFERENCES url (id),
    probe      INTEGER NOT NULL REFERENCES probe (id),
    similarity REAL NOT NULL                   -- Jaccard similarity of the shingles; 1: the same text, or redirect
);

-- the images that were fetched
CREATE TABLE image (
    url    INTEGER PRIMARY KEY REFERENCES url (id),
    type   TEXT NOT NULL,
    name   TEXT NOT NULL,                      -- of the file, from the server or the URL
    size   INTEGER NOT NULL,                   -- bytes without content codings
    width  INTEGER,                            -- pixels; NULL: unknown
    height INTEGER,
    saved  TEXT NOT NULL,                      -- its path under files/; '': not saved
    error  TEXT NOT NULL                       -- why it was not saved, or a defect of the file
);

-- the files that were fetched and are neither pages nor images
CREATE TABLE document (
    url       INTEGER PRIMARY KEY REFERENCES url (id),
    type      TEXT NOT NULL,
    name      TEXT NOT NULL,
    size      INTEGER NOT NULL,
    pages     INTEGER,                         -- NULL: unknown
    converter TEXT NOT NULL,                   -- the source of its text; '': it has none
    saved     TEXT NOT NULL,
    error     TEXT NOT NULL                    -- why it has no text, or was not saved
);

-- the length of each WARC file that the tables cover; bytes after it are cut off when the crawl continues
CREATE TABLE archive (
    file TEXT PRIMARY KEY,
    size INTEGER NOT NULL
) WITHOUT ROWID;

-- every HTTP request: the proof of politeness
CREATE TABLE visit (
    id      INTEGER PRIMARY KEY,
    site    INTEGER NOT NULL REFERENCES site (id),
    url     TEXT NOT NULL,
    kind    TEXT NOT NULL,                     -- page, robots, probe, check, login or resource (of a page)
    started REAL NOT NULL,
    ended   REAL NOT NULL,
    status  INTEGER,                           -- NULL: no answer
    reason  TEXT NOT NULL,                     -- why there is no answer, or why its body is incomplete; ''
    bytes   INTEGER NOT NULL,                  -- received, of the body or an incomplete head
    address TEXT NOT NULL,
    delay      REAL NOT NULL,                  -- seconds that were due since the end of the last request to the host
    delay_from TEXT NOT NULL,                  -- 'robots.txt', 'default', 'config.ini', 'response time',
                                               -- 'rate limit', 'not obeyed'
    address_delay REAL NOT NULL,               -- seconds that were due since the last request to the address
    requests   INTEGER NOT NULL,               -- requests sent: HEAD and GET, and again on a new connection
    backoff    REAL,                           -- back-off of the host because of it in seconds; NULL: none
    backoff_from TEXT NOT NULL                 -- 'Retry-After', 'http 503', 'connection refused' ... or ''
);

-- the cookies of the crawl (fetch.cookies = kept): who reads them can act in its name
CREATE TABLE cookie (
    domain    TEXT NOT NULL,
    path      TEXT NOT NULL,
    name      TEXT NOT NULL,
    value     TEXT NOT NULL,
    host_only INTEGER NOT NULL,                -- 1: only for the host `domain`; 0: also for hosts under it
    secure    INTEGER NOT NULL,                -- 1: only sent over https
    expires   REAL,                            -- NULL: at the end of the crawl
    place     INTEGER NOT NULL,                -- its position in the order in which they were first set
    PRIMARY KEY (domain, path, name)
) WITHOUT ROWID;

-- samples of the growth of the crawl
CREATE TABLE growth (
    pages         INTEGER PRIMARY KEY,         -- URLs that answered, redirects not counted
    seconds       REAL NOT NULL,               -- of crawling, summed over resumes
    links         INTEGER NOT NULL,            -- link occurrences so far
    distinct_urls INTEGER NOT NULL,            -- rows of `url` so far
    queued        INTEGER NOT NULL,
    bytes         INTEGER NOT NULL,            -- received
    in_scope      INTEGER                      -- of `distinct_urls`: queued by links; NULL: unknown
);
"""

_LATER = (
    *duplicate_tables.TABLES,
    *rare_tables.FIELDS,
    *events.TABLES,
    *deletions.TABLES,
    *rare_tables.TOPIC,
    *recrawl_tables.TABLES,
    *browser_tables.TABLES,
    *rare_tables.RESOURCE,
    *rare_tables.FAILED_STEPS,
    *vanished_tables.TABLES,
    *link_metas.TABLES,
)

#: Not `state IN (...)`: for each row SQLite would build the list anew, a third of what an INSERT costs.
_IS_STATE = " OR ".join(f"state = '{state}'" for state in STATES)
TABLES = _TABLES.replace("<IS_STATE>", _IS_STATE).replace("<STATES>", ", ".join(STATES)) + "".join(
    f"{statement};\n" for statement in (*EARLIER, *_LATER)
)
