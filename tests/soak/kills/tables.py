"""Every table of crawl.db in a form that two runs must agree on: URLs, hosts and texts in place of ids."""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

#: Times, and where bytes lie in the archive: the clock and the order of the answers decide.
MOMENTS = {
    *("time", "started", "ended", "discovered", "processed", "due", "next_at", "robots_time", "robots_failing"),
    *("next", "visited", "present", "confirmed", "until", "lost", "since", "announced", "expires", "seconds"),
}
POSITIONS = {"file", "offset"}

#: Table -> columns that depend on which of several answers came first, or how often a request was made.
LEFT_OUT: dict[str, set[str]] = {
    "url": {"id", "spelling", "priority", "found_on", "attempts", "rank"},
    "site": {"id", "address", "failures", "silent", "backoff", "backoff_until", "backoff_from"},
    "rule": {"id"},
    "page": {"size", "payload", "fresh_until"},
    "earlier_page": {"size", "payload", "fresh_until"},
    "queue": {"priority"},
    "probe": {"id", "attempts", "length", "size"},
    "soft_404": {"probe"},
    "fingerprint": {"n", "parse_context"},
    # a visit that was lost is made again without a condition
    "revisit": {"trust", "evidence", "not_modified"},
    "vanished": {"missing"},
    "event": {"id"},
    "deletion": {"id"},
    "leftover": {"size", "successor"},
    "resource": {"size"},
    "template": {"id"},
    "browser_use": {"seconds"},
}

#: Table -> what is compared instead of its rows.
INSTEAD = {
    # a killed crawl requests again what was in flight
    "visit": "SELECT DISTINCT host, visit.url, kind FROM visit JOIN site ON site.id = site",
    "robots": "SELECT DISTINCT host, url, status, text FROM robots JOIN site ON site.id = site",
    # a series of samples by time; what matters is where it ends
    "growth": "SELECT max(pages), max(links), max(distinct_urls) FROM growth",
    "crawl": "SELECT name, value FROM crawl WHERE name LIKE 'total%' AND name != 'total_bytes'",
    # how much of each file the tables speak of: the archive is compared by its records
    "archive": "SELECT count(*) > 0 FROM archive",
    # how many of the pages that say the same came first decides which of them were put last
    "pattern": "SELECT host, text FROM pattern JOIN site ON site.id = site",
    "audit": "SELECT count(*) > 0 FROM audit",
}

#: Columns with an id of another table, whether or not the schema says so.
_URL, _SITE = "(SELECT url FROM url WHERE id = {})", "(SELECT host FROM site WHERE id = {})"
_OF_PRINT = "(SELECT u.url FROM fingerprint f JOIN url u ON u.id = f.url WHERE f.n = {})"
IDS: dict[str, dict[str, str]] = {
    "*": {
        **dict.fromkeys(("source", "duplicate_of", "near_duplicate_of", "successor"), _URL),
        "site": _SITE,
        "rule": "(SELECT text FROM rule WHERE id = {})",
        "template": "(SELECT pattern FROM template WHERE id = {})",
    },
    "by_key": {"id": _URL},
    "queue": {"id": _URL},
    "resource": {"page": _URL},
    "bucket": {"n": _OF_PRINT},
    "unsettled": {"n": _OF_PRINT},
}

#: Tables whose column `url` is the text of a URL.
WITH_TEXT = {"url", "probe", "visit", "robots"}

#: Tables with texts in zlib's format.
PACKED = {"text", "earlier_text"}

_NO_PAGE = re.compile(r"(s\d/)?ttcrawl-soft-404-\w+")

Tables = dict[str, Counter[tuple[Any, ...]]]


def tables(directory: Path) -> Tables:
    """Table -> its rows."""
    with closing(sqlite3.connect(f"file:{directory}/crawl.db?mode=ro", uri=True)) as db:
        db.text_factory = _decoded
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        return {name: Counter(_rows(db, name)) for name in names}


def _rows(db: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    plain = _unpacked if table in PACKED else _rounded
    for row in db.execute(statement(db, table)):
        yield tuple(map(plain, row))


def statement(db: sqlite3.Connection, table: str) -> str:
    """What is compared of a table."""
    if table in INSTEAD:
        return INSTEAD[table]
    left_out = MOMENTS | POSITIONS | LEFT_OUT.get(table, set())
    names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    shown = [_column(table, name) for name in names if name not in left_out]
    return f"SELECT {', '.join(shown)} FROM {table}"


def _column(table: str, name: str) -> str:
    by_id = {**IDS["*"], **IDS.get(table, {})}
    if table not in WITH_TEXT:
        by_id["url"] = _URL
    column = f'{table}."{name}"'
    return by_id[name].format(column) if name in by_id else column


def _decoded(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _unpacked(value: Any) -> Any:
    """isal does not always pack the same text into the same bytes."""
    return zlib.decompress(value) if isinstance(value, bytes) else value


def _rounded(value: Any) -> Any:
    if isinstance(value, str):
        return without_chance(value)
    return round(value, 6) if isinstance(value, float) else value


def without_chance(text: str) -> str:
    """A URL without the random name that no page has, and the folder in which it was asked for."""
    return _NO_PAGE.sub("no-page", text)
