"""Pages that are not there any more: tables `vanished`, `vanished_print` and `vanished_key`."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable

from msgspec import Struct

from ttcrawl.ring.columns import Fingerprint

_INSERT = "INSERT OR IGNORE INTO vanished (url, present, missing) VALUES (?, ?, ?)"
_KNOWN_AGAIN = "UPDATE vanished SET confirmed = coalesce(confirmed, ?), successor = ?, same = ? WHERE url = ?"

#: A page for comparison: its answer of 2xx that is in force.
_SHOWN = """
    SELECT url.id, url.url, domain, page.time, title, length, parser FROM url JOIN site ON site.id = url.site
    JOIN page ON page.url = url.id WHERE url.id = ? AND page.status BETWEEN 200 AND 299"""

#: The pages that share an original with one, and the original.
_ALIKE = """
    WITH first AS (SELECT coalesce((
        SELECT coalesce(duplicate_of, near_duplicate_of) FROM duplicate WHERE url = ?1), ?1) AS url)
    SELECT url FROM first UNION SELECT duplicate.url FROM duplicate, first
    WHERE duplicate_of = first.url OR near_duplicate_of = first.url LIMIT ?2"""

_PRINTS = """
    SELECT DISTINCT each.url, domain, present, each.title, bytes, text, bands, signature, shingles
    FROM vanished_key JOIN vanished_print AS each ON each.url = vanished_key.url
    JOIN vanished ON vanished.url = each.url JOIN url ON url.id = each.url JOIN site ON site.id = url.site
    WHERE vanished_key.key IN ({}) LIMIT ?"""


class Shown(Struct, frozen=True):
    """A page that is there."""

    id: int  # of its URL
    url: str
    domain: str  # registrable domain
    time: float  # when it showed first what it shows
    title: str
    length: int
    parser: str


class Lost(Struct, frozen=True):
    """A page that is gone. `present`: when a request found it last; `body`: its digest."""

    id: int  # of its URL
    domain: str  # registrable domain
    present: float
    title: str
    body: bytes
    print: Fingerprint


class Vanished:
    """Part of the store; works in its transactions."""

    def __init__(self, db: sqlite3.Connection, flush: Callable[[], None]) -> None:
        self._db, self._flush = db, flush

    def missing(self, url: int, present: float, now: float) -> None:
        """Note that the page of a URL is not there; `present`: when it was found last."""
        self._db.execute(_INSERT, (url, present, now))

    def is_missing(self, url: int) -> bool:
        """Whether the last request for a URL did not find its page."""
        return self._db.execute("SELECT 1 FROM vanished WHERE url = ?", (url,)).fetchone() is not None

    def returned(self, url: int) -> None:
        """Note that a URL has a page again, or another error."""
        for table in ("vanished", "vanished_print", "vanished_key"):
            self._db.execute(f"DELETE FROM {table} WHERE url = ?", (url,))

    def confirm(self, url: int, now: float) -> float:
        """Note that a page that was missing is gone. Return when it was found last."""
        self._db.execute("UPDATE vanished SET confirmed = ? WHERE url = ? AND confirmed IS NULL", (now, url))
        (present,) = self._db.execute("SELECT present FROM vanished WHERE url = ?", (url,)).fetchone()
        return float(present)

    def add_print(self, lost: Lost, keys: Iterable[int]) -> None:
        """Store by what a page that is gone would be known again."""
        print_ = lost.print
        row = (lost.id, lost.title, lost.body, print_.text, print_.bands, print_.signature, print_.shingles)
        self._db.execute("INSERT OR REPLACE INTO vanished_print VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        self._db.executemany("INSERT OR IGNORE INTO vanished_key VALUES (?, ?)", [(key, lost.id) for key in keys])

    def known_again(self, url: int, successor: int, same: str, now: float) -> None:
        """Note that another URL has the page of this one. `same`: redirect, bytes, text or near."""
        self._db.execute(_KNOWN_AGAIN, (now, successor, same, url))
        for table in ("vanished_print", "vanished_key"):
            self._db.execute(f"DELETE FROM {table} WHERE url = ?", (url,))

    @property
    def any_lost(self) -> bool:
        """Whether a page is gone that may be known again."""
        return self._db.execute("SELECT 1 FROM vanished_print LIMIT 1").fetchone() is not None

    def lost(self, keys: Iterable[int], limit: int) -> list[Lost]:
        """Return pages that are gone and not known again, with one of these keys."""
        query = _PRINTS.format(", ".join(map(str, keys)))
        return [
            Lost(url, domain, present, title, body, Fingerprint(text=text, bands=bands, signature=each, shingles=rest))
            for url, domain, present, title, body, text, bands, each, rest in self._db.execute(query, (limit,))
        ]

    def shown(self, url: int) -> Shown | None:
        """Return the page of a URL; None: it has none."""
        self._flush()
        row = self._db.execute(_SHOWN, (url,)).fetchone()
        return Shown(*row) if row else None

    def alike(self, url: int, limit: int) -> list[int]:
        """Return other pages with the same original, by the marks of duplicates: ids of URLs, at most `limit`."""
        self._flush()
        rows = self._db.execute(_ALIKE, (url, limit + 1))
        return [other for (other,) in rows if other != url][:limit]
