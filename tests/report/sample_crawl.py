"""A crawl directory whose tables are written here, row by row."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from ttcrawl.store.schema import TABLES, VERSION

BIG = (1 << 63) - 1  # keys are 64 bits with a sign: JSON must keep every digit

CRAWL = {
    "schema_version": VERSION,
    "total_unrecorded": 6,
    "ttcrawl_version": "1.2",
    "started": 1_700_000_000.5,
    "seconds": 40.0,
    "finished": "done",
    "seeds": "http://a.org/\nhttp://b.org/",
    "scope": "host",
    "parser": "lexbor",
    "reader": "compiled",
    "readers": json.dumps({"frame": 2, "compiled": 1, "control character": 3}),
    "obey_delay": "yes",
    "delay": 1.5,
    "content_start": "<!-- CONTENT -->",
    "follow": "content",
    "seen_tests": 100,
    "seen_maybe": 70,
    "seen_false": 2,
    "seen_error_rate": 0.001,
}

SITES = [  # id, host, robots, robots_status, robots_reason, robots_time, delay
    (1, "a.org", "User-agent: *\nDisallow: /private", 200, "", 1.0, 2.0),
    (2, "b.org", "", 404, "", 1.0, 1.5),
    (3, "c.org", None, 503, "http 503", 1.0, None),
    (4, "d.org", None, None, "dns", 1.0, None),
    (5, "e.org", None, None, "", None, None),
    (6, "f.org", "# nothing but this remark", 200, "", 1.0, 1.5),
]

URLS = [  # id, key, state, reason
    (1, 11, "fetched", "http 200"),
    (2, 22, "fetched", "http 200"),
    (3, 33, "fetched", "http 404"),
    (4, -BIG, "moved", "http 301"),
    (5, 55, "failed", "dns"),
    (6, 66, "failed", "timeout: read"),
    (7, 77, "failed", "dns"),
    (8, 88, "refused", "robots.txt"),
    (9, BIG, "refused", "robots.txt"),
    (10, 100, "refused", "scope: host"),
    (11, 110, "refused", "scope: length"),
    (12, 120, "refused", "outside content"),
    (13, 130, "queued", ""),
    (14, 140, "refused", "robots.txt: http 503"),
    (15, 150, "fetched", "http 200"),
    (16, 160, "refused", "too large"),
    (17, 170, "refused", "robots.txt"),  # only a redirect leads here
]

PAGES = [  # url, status, length, parser, parse_error, found, content, same_page, not_http
    (1, 200, 1000, "lexbor", "", 9, 6, 2, 1),
    (2, 200, 500, "html5lib", "lexbor: stuck", 4, 2, 0, 0),
    (3, 404, 50, "lexbor", "broken gzip: it ends too early", 1, 1, 1, 0),
    (4, 301, 0, "", "", 0, 0, 0, 0),
    (15, 200, 7, "", "every parser failed", 0, 0, 0, 2),
    (16, 200, 9, "", "", 0, 0, 0, 0),
]

OUTLINKS = [  # without those to the page itself
    (1, [22, 88, 88, BIG, 100, 120, 22], b"aamaafr", b"ccceecc"),
    (2, [BIG, 100, 11, 110], b"aaaa", b"ecce"),
    (4, [170], b"R", b"c"),
]

VISITS = [(1, 200, "")] * 5 + [(2, 404, "")] * 7 + [(3, None, "timeout: read")] * 3 + [(4, None, "dns")]

GROWTH = [(1, 1.0, 9, 8, 4), (2, 2.0, 13, 12, 6), (3, 30.0, 14, 17, 9), (4, 41.5, 14, 17, None)]


def write(directory: Path, *, fill: bool = True, **settings: object) -> Path:
    """A crawl directory, closed, with the tables above or empty ones."""
    (directory / "warc").mkdir(parents=True)
    db = sqlite3.connect(directory / "crawl.db", isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.executescript(TABLES)
    db.execute("BEGIN")
    about = (CRAWL if fill else {"schema_version": VERSION}) | settings
    db.executemany("INSERT INTO crawl VALUES (?, ?)", [(name, str(value)) for name, value in about.items()])
    if fill:
        (directory / "warc" / "0.warc.gz").write_bytes(b"x" * 300)
        (directory / "warc" / "1.warc.gz").write_bytes(b"x" * 45)
        _fill(db)
    db.execute("COMMIT")
    db.close()
    return directory


def _fill(db: sqlite3.Connection) -> None:
    db.executemany(
        "INSERT INTO site (id, host, domain, robots, robots_status, robots_reason, robots_time, delay)"
        " VALUES (?, ?, '', ?, ?, ?, ?, ?)",
        SITES,
    )
    db.executemany(
        "INSERT INTO url (id, key, url, site, state, reason, priority, discovered)"
        " VALUES (?, ?, 'http://a.org/', 1, ?, ?, 0, 0)",
        URLS,
    )
    db.executemany(
        "INSERT INTO page (url, status, length, parser, parse_error, links, content_links, same_page_links, not_http,"
        " time, type, declared_type, charset, declared_charset, charset_from, title, etag, last_modified, location,"
        " server, robots, recorded_links, schemes, file, offset, size) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0,"
        " 'text/html', 'text/html', '', '', '', '', '', '', '', '', '', 0, '{}', '', 0, 0)",
        PAGES,
    )
    rows = [(source, json.dumps(targets), kinds, regions) for source, targets, kinds, regions in OUTLINKS]
    db.executemany("INSERT INTO outlinks VALUES (?, ?, ?, ?, x'', '')", rows)
    db.executemany(
        "INSERT INTO visit (site, status, reason, url, kind, started, ended, bytes, address, delay, delay_from,"
        " address_delay, requests, backoff_from) VALUES (?, ?, ?, '', 'page', 0, 0, 0, '', 0, '', 0, 1, '')",
        VISITS,
    )
    db.executemany("INSERT INTO growth VALUES (?, ?, ?, ?, 0, 0, ?)", GROWTH)
