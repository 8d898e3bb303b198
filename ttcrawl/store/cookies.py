"""Table cookie: the cookies of a crawl that keeps them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from ttcrawl.web.cookies.jar import Cookie

COLUMNS = "domain, path, name, value, host_only, secure, expires, place"


def read(db: sqlite3.Connection) -> list[Cookie]:
    """Return the cookies in the order in which they were first set."""
    rows = db.execute(f"SELECT {COLUMNS} FROM cookie ORDER BY place")
    return [
        Cookie(**dict(zip(COLUMNS.split(", "), row, strict=True)) | {"host_only": bool(row[4]), "secure": bool(row[5])})
        for row in rows
    ]


def write(db: sqlite3.Connection, changed: Sequence[Cookie], expired: Sequence[tuple[str, str, str]]) -> None:
    """Store changed cookies. `gone`: domain, path and name of deleted ones."""
    db.executemany("DELETE FROM cookie WHERE (domain, path, name) = (?, ?, ?)", expired)
    rows = [tuple(getattr(each, name) for name in COLUMNS.split(", ")) for each in changed]
    db.executemany(f"INSERT OR REPLACE INTO cookie ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
