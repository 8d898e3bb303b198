"""The tables of duplicates: what identifies a page, the first page of each content, and the marks of the others."""

TABLES = (
    """-- what identifies the content of a fetched page (status 2xx, with a body)
CREATE TABLE fingerprint (
    n         INTEGER PRIMARY KEY,             -- position in the order of requests
    url       INTEGER NOT NULL UNIQUE REFERENCES url (id),
    time      REAL NOT NULL,                   -- of the request: the WARC-Date of its record
    parse_context INTEGER NOT NULL,            -- hash of what else decides how the bytes are parsed; 0: the URL does
    bytes     BLOB NOT NULL,                   -- xxh3_128 of the body as received
    text      BLOB NOT NULL,                   -- xxh3_128 of the cleaned text; empty: it is too short
    bands     BLOB NOT NULL,                   -- 64-bit keys of its buckets, one per band; empty: too short
    signature BLOB NOT NULL,                   -- MinHash, 32-bit numbers
    shingles  BLOB NOT NULL                    -- hashes of the shingles of its main text, 32-bit, rising
)""",
    """-- buckets of pages that have the same bytes, the same text or the same band: the first one of each by depth,
-- rank and URL. The table lacks some of the pages after the one that `bucketed` in table `crawl` names; it is complete
-- when the crawl has stopped by itself or by Ctrl-C
CREATE TABLE bucket (
    key INTEGER PRIMARY KEY,
    n   INTEGER NOT NULL                       -- of table `fingerprint`
)""",
    """-- the pages that equal, or nearly equal, one before them by depth, rank and URL
CREATE TABLE duplicate (
    url               INTEGER PRIMARY KEY REFERENCES url (id),
    duplicate_of      INTEGER REFERENCES url (id),
    same              TEXT NOT NULL,           -- 'bytes' or 'text' (`duplicate_of`), or 'near'
    near_duplicate_of INTEGER REFERENCES url (id),
    similarity        REAL NOT NULL            -- Jaccard similarity of the main texts; 1 unless 'near'
)""",
    """-- the pages that became the first ones of a bucket after others, or nearer when they had been compared: the
-- marks of those in their buckets may be wrong until the end of the run, which empties this table
CREATE TABLE unsettled (
    n INTEGER PRIMARY KEY                      -- of table `fingerprint`
)""",
    """-- patterns of URLs under which pages had the same content: '?sid', ';sid', '*/print/*', '*/print' or a
-- whole shape such as '/cal/#/#?view'
CREATE TABLE pattern (
    site       INTEGER NOT NULL REFERENCES site (id),
    text       TEXT NOT NULL,
    fetched    INTEGER NOT NULL,               -- pages that were compared with another one of the pattern
    duplicates INTEGER NOT NULL,               -- of `fetched`: had the same content (of a shape: as any page)
    repeating  INTEGER NOT NULL,               -- 1: enough of them were duplicates
    put_last   INTEGER NOT NULL,               -- URLs that were put behind all others of the host because of it
    refused    INTEGER NOT NULL,               -- URLs that were refused because of it
    PRIMARY KEY (site, text)
) WITHOUT ROWID""",
    """-- URLs that were fetched although their pattern brings duplicates, to measure what is lost
CREATE TABLE audit (
    url  INTEGER PRIMARY KEY REFERENCES url (id),
    text TEXT NOT NULL                         -- of table `pattern`
)""",
)
