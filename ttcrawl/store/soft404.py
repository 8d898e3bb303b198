"""The tables `probe` and `soft_404`."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence
from typing import Any

from msgspec import Struct


class Settled(Struct, frozen=True):
    """A page, or a redirect, that may be a soft 404. `digest` is the digest of the body."""

    id: int
    site: int
    url: str
    state: str
    digest: bytes
    size: int  # bytes of its main text, or of the complete text if that is empty; 0: the text is not stored
    targets: str  # of a redirect: the key of its target, as in table outlinks


class Soft404s:
    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    # -- probes -----------------------------------------------------------------------------------------------------

    def planned(self, site: int) -> bool:
        return self._db.execute("SELECT 1 FROM probe WHERE site = ?", (site,)).fetchone() is not None

    def plan(self, site: int, url: str) -> int:
        cursor = self._db.execute("INSERT INTO probe (site, url) VALUES (?, ?)", (site, url))
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def due(self) -> list[tuple[int, str, int, str, int]]:
        """Return (site, host, id, url, attempts) of probes that are not processed yet."""
        return self._db.execute(
            "SELECT site, host, probe.id, url, attempts FROM probe JOIN site ON site.id = site WHERE time IS NULL"
            " ORDER BY probe.id"
        ).fetchall()

    def drop_due(self, sites: Sequence[int]) -> None:
        """Forget the probes of these sites that are not processed yet."""
        self._db.executemany("DELETE FROM probe WHERE site = ? AND time IS NULL", [(site,) for site in sites])

    def update(self, probe: int, **values: object) -> None:
        names = ", ".join(f"{name} = ?" for name in values)
        self._db.execute(f"UPDATE probe SET {names} WHERE id = ?", (*values.values(), probe))

    def probes(self) -> list[tuple[Any, ...]]:
        """Return (site, id, url, status, location, digest, text, shingles, size) of all, grouped by host."""
        return self._db.execute(
            "SELECT site, id, url, status, location, digest, text, shingles, size FROM probe ORDER BY site, id"
        ).fetchall()

    def visits(self) -> int:
        """Return the number of the last request."""
        last: int = self._db.execute("SELECT coalesce(max(id), 0) FROM visit").fetchone()[0]
        return last

    # -- marks ------------------------------------------------------------------------------------------------------

    def clear(self) -> None:
        self._db.execute("DELETE FROM soft_404")

    def choose(self, sites: Sequence[int]) -> None:
        """Choose the hosts for `settled`."""
        self._db.execute("CREATE TEMP TABLE IF NOT EXISTS soft_site (site INTEGER PRIMARY KEY)")
        self._db.execute("DELETE FROM soft_site")
        self._db.executemany("INSERT INTO soft_site VALUES (?)", [(site,) for site in sites])

    def settled(self, after: int, count: int) -> list[Settled]:
        """Return the next answers with 2xx or a redirect on the chosen hosts, by the id of their URL."""
        rows = self._db.execute(
            "SELECT url.id, url.site, url.url, url.state, coalesce(page.digest, x''),"
            " coalesce(iif(text.main IS NULL OR text.main_size = 0, text.size, text.main_size), 0),"
            " coalesce(outlinks.targets, '')"
            " FROM page CROSS JOIN url ON url.id = page.url LEFT JOIN text ON text.url = page.url"
            " LEFT JOIN outlinks ON outlinks.source = page.url AND url.state = 'moved'"
            " WHERE page.url > ? AND url.site IN (SELECT site FROM soft_site)"
            " AND (url.state = 'moved' OR url.state = 'fetched' AND page.status BETWEEN 200 AND 299)"
            " ORDER BY page.url LIMIT ?",
            (after, count),
        )
        return [Settled(*row) for row in rows]

    def text(self, url: int) -> str:
        """Return the main text of a page, or the complete text if that is empty."""
        complete, main = self._db.execute("SELECT text, main FROM text WHERE url = ?", (url,)).fetchone()
        central = zlib.decompress(main).decode() if main is not None else ""
        return central or zlib.decompress(complete).decode()

    def mark(self, rows: Sequence[tuple[int, int, float]]) -> None:
        """Add rows of table `soft_404`."""
        self._db.executemany("INSERT INTO soft_404 VALUES (?, ?, ?)", rows)

    def unmark(self, site: int, *, moved: bool) -> None:
        """Delete the marks of a host on redirects, or on pages."""
        self._db.execute(
            "DELETE FROM soft_404 WHERE url IN (SELECT soft_404.url FROM soft_404 JOIN url ON url.id = soft_404.url"
            " WHERE site = ? AND (state = 'moved') = ?)",
            (site, moved),
        )


def forget(db: sqlite3.Connection) -> None:
    """Let all pages be judged anew when the next run ends."""
    db.execute("DELETE FROM crawl WHERE name = 'judged'")
