"""Table cookie: the cookies of a crawl that keeps them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from ttcrawl.web.cookies.jar import Cookie

COLUMNS = "domain, path, name, value, host_only, secure, expires, place"


class Cookies:
    """Part of the store; works in its transactions."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def all(self) -> list[Cookie]:
        """Return the cookies in the order in which they were first set."""
        rows = self._db.execute(f"SELECT {COLUMNS} FROM cookie ORDER BY place")
        return [
            Cookie(
                **dict(zip(COLUMNS.split(", "), row, strict=True)) | {"host_only": bool(row[4]), "secure": bool(row[5])}
            )
            for row in rows
        ]

    def change(self, changed: Sequence[Cookie], expired: Sequence[tuple[str, str, str]]) -> None:
        """Store changed cookies, and delete others by domain, path and name."""
        self._db.executemany("DELETE FROM cookie WHERE (domain, path, name) = (?, ?, ?)", expired)
        rows = [tuple(getattr(each, name) for name in COLUMNS.split(", ")) for each in changed]
        self._db.executemany(f"INSERT OR REPLACE INTO cookie ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
