"""Hosts: tables `site`, `robots` and `cookie`."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from ttcrawl.store.database import Database
from ttcrawl.store.pending import Pending
from ttcrawl.store.rows import SITE_COLUMNS, SiteRow
from ttcrawl.web.cookies.jar import Cookie

_COOKIE = "domain, path, name, value, host_only, secure, expires, place"


class Sites:
    """Part of the store; works in its transactions."""

    def __init__(self, db: sqlite3.Connection, pending: Pending) -> None:
        self._db, self._pending = db, pending

    def of_host(self, host: str) -> SiteRow | None:
        row = self._db.execute(f"SELECT {SITE_COLUMNS} FROM site WHERE host = ?", (host,)).fetchone()
        return SiteRow(*row) if row else None

    def row(self, site: int) -> SiteRow:
        return SiteRow(*self._db.execute(f"SELECT {SITE_COLUMNS} FROM site WHERE id = ?", (site,)).fetchone())

    def between(self, first: int, end: int) -> list[tuple[int, str]]:
        """Return (id, host) of the sites with an id from `first` to before `end`."""
        return self._db.execute(
            "SELECT id, host FROM site WHERE id >= ? AND id < ? ORDER BY id", (first, end)
        ).fetchall()

    def last(self) -> int:
        """Return the id of the last site."""
        last: int = self._db.execute("SELECT coalesce(max(id), 0) FROM site").fetchone()[0]
        return last

    def delay(self, site: int) -> float:
        """Return the delay of a site, seconds; 0 if it is not known."""
        return float(self._db.execute("SELECT coalesce(delay, 0) FROM site WHERE id = ?", (site,)).fetchone()[0])

    def with_queue(self, after: int, limit: int) -> list[tuple[int, str]]:
        """Return (id, host) of the sites with queued URLs after site `after`: one step in the index for each."""
        self._pending.flush()
        return self._db.execute(
            "WITH RECURSIVE waiting (site) AS (SELECT ?1 UNION ALL SELECT ("
            " SELECT min(site) FROM (SELECT min(site) AS site FROM queue WHERE site > waiting.site UNION ALL"
            " SELECT min(site) FROM fresh_queue WHERE site > waiting.site))"
            " FROM waiting WHERE waiting.site IS NOT NULL LIMIT ?2 + 1)"
            " SELECT site.id, site.host FROM waiting JOIN site ON site.id = waiting.site WHERE waiting.site != ?1",
            (after, limit),
        ).fetchall()

    def add(self, host: str, domain: str) -> int:
        """Add a host, unless it has a row; return its id."""
        cursor = self._db.execute("INSERT OR IGNORE INTO site (host, domain) VALUES (?, ?)", (host, domain))
        if cursor.rowcount:
            assert cursor.lastrowid is not None
            return cursor.lastrowid
        found: int = self._db.execute("SELECT id FROM site WHERE host = ?", (host,)).fetchone()[0]
        return found

    def update(self, site: int, **values: object) -> None:
        names = ", ".join(f"{name} = ?" for name in values)
        self._db.execute(f"UPDATE site SET {names} WHERE id = ?", (*values.values(), site))

    def update_each(self, states: Sequence[tuple[int, Mapping[str, object]]]) -> None:
        """Update sites, each with values for the same columns."""
        if states:
            names = ", ".join(f"{name} = ?" for name in states[0][1])
            rows = [(*values.values(), site) for site, values in states]
            self._db.executemany(f"UPDATE site SET {names} WHERE id = ?", rows)

    def robots(self, site: int) -> str:
        """Return the robots.txt of a site as it was read last."""
        row = self._db.execute("SELECT robots FROM site WHERE id = ?", (site,)).fetchone()
        return (row[0] if row else None) or ""

    def add_robots(self, site: int, at: float, url: str, status: int, text: str) -> None:
        """Store a robots.txt that was read, if it differs from the last one."""
        last = self._db.execute(
            "SELECT url, status, text FROM robots WHERE site = ? ORDER BY time DESC LIMIT 1", (site,)
        ).fetchone()
        if last != (url, status, text):
            self._db.execute("INSERT OR REPLACE INTO robots VALUES (?, ?, ?, ?, ?)", (site, at, url, status, text))


class Cookies:
    """The cookies of a crawl that keeps them. Part of the store, or of a view; works in its transactions."""

    def __init__(self, db: sqlite3.Connection | Database) -> None:
        self._db = db

    def all(self) -> list[Cookie]:
        """Return the cookies in the order in which they were first set."""
        rows = self._db.execute(f"SELECT {_COOKIE} FROM cookie ORDER BY place")
        return [
            Cookie(
                **dict(zip(_COOKIE.split(", "), row, strict=True)) | {"host_only": bool(row[4]), "secure": bool(row[5])}
            )
            for row in rows
        ]

    def change(self, changed: Sequence[Cookie], expired: Sequence[tuple[str, str, str]]) -> None:
        """Store changed cookies, and delete others by domain, path and name."""
        self._db.executemany("DELETE FROM cookie WHERE (domain, path, name) = (?, ?, ?)", expired)
        rows = [tuple(getattr(each, name) for name in _COOKIE.split(", ")) for each in changed]
        self._db.executemany(f"INSERT OR REPLACE INTO cookie ({_COOKIE}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
