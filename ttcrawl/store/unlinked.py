"""URLs that have lost a link, and whether another one is left: table `unlinked`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable

from ttcrawl.store.index import OF_KEY
from ttcrawl.vocabulary.state import FAILED, FETCHED, MOVED, QUEUED

#: Seeds, and sitemaps that a robots.txt names, need no link.
_LOST = f"""
    INSERT OR IGNORE INTO unlinked (url, key, lost) SELECT id, ?1, ?2 FROM url
    WHERE id = {OF_KEY} AND found_on NOT NULL AND sitemap != 1
    AND state IN ('{FETCHED}', '{MOVED}', '{FAILED}', '{QUEUED}')"""

_SOURCES = """
    SELECT source, key, targets FROM outlinks JOIN page ON page.url = source JOIN url ON url.id = source
    WHERE source > ? AND status < 400 ORDER BY source LIMIT ?"""


class Unlinked:
    """Part of the store; works in its transactions."""

    def __init__(self, db: sqlite3.Connection, flush: Callable[[], None]) -> None:
        self._db, self._flush = db, flush

    @property
    def first_lost(self) -> float | None:
        """When the first link vanished beside which another one may be left."""
        (lost,) = self._db.execute("SELECT min(lost) FROM unlinked WHERE since IS NULL").fetchone()
        return None if lost is None else float(lost)

    @property
    def any(self) -> bool:
        return self._db.execute("SELECT 1 FROM unlinked LIMIT 1").fetchone() is not None

    def links(self, url: int) -> frozenset[int]:
        """Return the keys of the URLs to which the latest answer of a URL links, itself aside; none if it is 4xx."""
        self._flush()
        rows = self._db.execute(_SOURCES.replace("source > ?", "source = ?"), (url, 1)).fetchall()
        return frozenset(key for _, own, targets in rows for key in json.loads(targets) if key != own)

    def lost(self, keys: Iterable[int], now: float) -> None:
        """Note that links to these URLs have vanished."""
        self._db.executemany(_LOST, [(key, now) for key in keys])

    def linked(self, keys: Iterable[int], now: float) -> bool:
        """Note that a page links to these URLs. Return whether one of them had no link: it is visited now."""
        text = json.dumps([*keys])
        due = "SELECT url FROM unlinked WHERE key IN (SELECT value FROM json_each(?1)) AND since NOT NULL"
        changed = self._db.execute(
            f"UPDATE revisit SET next = min(next, ?2) WHERE url IN ({due})", (text, now)
        ).rowcount
        self._db.execute("DELETE FROM unlinked WHERE key IN (SELECT value FROM json_each(?))", (text,))
        return changed > 0

    def is_unlinked(self, url: int) -> bool:
        """Whether no page links to a URL any more."""
        row = self._db.execute("SELECT 1 FROM unlinked WHERE url = ? AND since NOT NULL", (url,)).fetchone()
        return row is not None

    def candidates(self, limit: int) -> dict[int, int]:
        """Return key -> id of URLs that have lost a link, and perhaps the last one; the oldest loss first."""
        rows = self._db.execute(
            "SELECT key, url FROM unlinked WHERE since IS NULL ORDER BY lost, url LIMIT ?", (limit,)
        )
        return dict(rows.fetchall())

    def sources(self, after: int, limit: int) -> list[tuple[int, int, str]]:
        """Return (id, key, keys of its links as JSON) of the next answers with links, by id; none of 4xx."""
        self._flush()
        return self._db.execute(_SOURCES, (after, limit)).fetchall()

    def confirm(self, urls: Iterable[int], now: float, longest: float) -> None:
        """Note that no page links to these URLs; they are visited `longest` seconds after the last visit."""
        rows = [(now, url) for url in urls]
        self._db.executemany("UPDATE unlinked SET since = ? WHERE url = ?", rows)
        self._db.executemany(
            "UPDATE revisit SET next = max(next, visited + ?) WHERE url = ?", [(longest, url) for _, url in rows]
        )

    def still_linked(self, urls: Iterable[int]) -> None:
        """Note that other links to these URLs are left."""
        self._db.executemany("DELETE FROM unlinked WHERE url = ?", [(url,) for url in urls])
