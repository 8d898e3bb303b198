"""Fingerprints of fetched pages and the duplicates found by them: tables `fingerprint`, `duplicate` and `unsettled`.

New fingerprints wait to be written together. Look-ups of fingerprints write them first.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable

from msgspec import Struct

from ttcrawl.ring.columns import NEAR, Fingerprint
from ttcrawl.store.batches import Batches
from ttcrawl.store.candidates import Candidates

INSERT = "INSERT INTO fingerprint VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
COLUMNS = "n, fingerprint.url, time, parse_context, bytes, text, bands, signature, shingles, depth, rank, url.url"


class Printed(Struct, frozen=True):
    """A row of table `fingerprint`, with the values that decide which page comes first."""

    n: int
    id: int  # of its URL
    time: float
    parse_context: int
    body: bytes  # its digest
    text: bytes
    bands: bytes
    signature: bytes
    shingles: bytes
    depth: int | None
    rank: int
    url: str


class Mark(Struct, frozen=True, kw_only=True):
    """The original of a duplicate."""

    original: int  # id of its URL
    same: str  # BYTES, TEXT or NEAR
    similarity: float = 1.0


class Fingerprints:
    """Part of the store; works in its transactions."""

    def __init__(self, db: sqlite3.Connection, batches: Batches, flush: Callable[[], None]) -> None:
        self._db = db
        self._batches = batches
        self._flush = flush
        self.candidates = Candidates(db, flush)
        self.restart()

    def restart(self) -> None:
        """Forget the contents of memory, which may have been rolled back."""
        self._last: int | None = None  # number of the last page, once it is known

    # -- pages ----------------------------------------------------------------------------------------------------

    def add(self, url: int, time: float, parse_context: int, body: bytes, found: Fingerprint) -> int:
        """Add a fingerprint; return its number. `body`: xxh3_128 of the body, or empty."""
        n = self._last = 1 + (self.last() if self._last is None else self._last)
        row = (n, url, time, parse_context, body, found.text, found.bands, found.signature, found.shingles)
        self._batches.add(INSERT, row, url)
        return n

    def get(self, n: int) -> Printed:
        self._flush()
        return Printed(*self._db.execute(f"{_PRINTED} WHERE n = ?", (n,)).fetchone())

    def last(self) -> int:
        """Return the number of the last page."""
        self._flush()
        last: int = self._db.execute("SELECT coalesce(max(n), 0) FROM fingerprint").fetchone()[0]
        return last

    def of(self, url: int) -> int | None:
        """Return the number of a URL's fingerprint."""
        self._flush()
        row = self._db.execute("SELECT n FROM fingerprint WHERE url = ?", (url,)).fetchone()
        return row[0] if row else None

    def place(self, n: int) -> tuple[int | None, int, str]:
        """Return (depth, rank, URL)."""
        self._flush()
        row: tuple[int | None, int, str] = self._db.execute(
            "SELECT depth, rank, url.url FROM fingerprint JOIN url ON url.id = fingerprint.url WHERE n = ?", (n,)
        ).fetchone()
        return row

    def keyed(self, n: int) -> tuple[bytes, bytes, bytes]:
        """Return (bytes, text, bands)."""
        self._flush()
        row: tuple[bytes, bytes, bytes] = self._db.execute(
            "SELECT bytes, text, bands FROM fingerprint WHERE n = ?", (n,)
        ).fetchone()
        return row

    def keyed_after(self, n: int, count: int) -> list[tuple[int, bytes, bytes, bytes]]:
        """Return (n, bytes, text, bands) of the next ones by number."""
        self._flush()
        return self._db.execute(
            "SELECT n, bytes, text, bands FROM fingerprint WHERE n > ? ORDER BY n LIMIT ?", (n, count)
        ).fetchall()

    def bytes_at(self, url: int) -> tuple[int, str, float, str] | None:
        """Return the id and text of the URL with the archived bytes of this page, when it was requested, and a type.

        The type is set if the page is an image or another file; else "". None: its bytes are not archived.
        """
        self._flush()
        row: tuple[int, str, float, str] | None = self._db.execute(
            "SELECT url.id, url.url, fingerprint.time, coalesce(image.type, document.type, '') FROM page"
            " JOIN url ON url.id = coalesce(page.payload, page.url) JOIN fingerprint ON fingerprint.url = url.id"
            " JOIN page AS holder ON holder.url = url.id AND holder.digest = page.digest"  # it has not changed since
            " LEFT JOIN image ON image.url = page.url LEFT JOIN document ON document.url = page.url"
            " WHERE page.url = ? AND page.file != ''",
            (url,),
        ).fetchone()
        return row

    def remove(self, n: int, url: int) -> None:
        """Remove the fingerprint of a page that has changed, and its mark."""
        self._flush()
        self._db.execute("DELETE FROM fingerprint WHERE n = ?", (n,))
        self._db.execute("DELETE FROM unsettled WHERE n = ?", (n,))
        self.set_mark(url, None)

    def duplicates_of(self, url: int, limit: int) -> list[int]:
        """Return the numbers of the duplicates of a page, at most `limit`."""
        self._flush()
        rows = self._db.execute(
            "SELECT n FROM duplicate JOIN fingerprint USING (url) WHERE duplicate_of = ?1 OR near_duplicate_of = ?1"
            " LIMIT ?2",
            (url, limit),
        )
        return [n for (n,) in rows]

    def unmark_duplicates_of(self, url: int) -> None:
        """Delete the marks of the duplicates of a page that has changed."""
        self._db.execute("DELETE FROM duplicate WHERE duplicate_of = ?1 OR near_duplicate_of = ?1", (url,))

    # -- marks ----------------------------------------------------------------------------------------------------

    def mark(self, url: int) -> Mark | None:
        row = self._db.execute(
            "SELECT coalesce(duplicate_of, near_duplicate_of), same, similarity FROM duplicate WHERE url = ?", (url,)
        ).fetchone()
        return Mark(original=row[0], same=row[1], similarity=row[2]) if row else None

    def set_mark(self, url: int, mark: Mark | None) -> None:
        if mark is None:
            self._db.execute("DELETE FROM duplicate WHERE url = ?", (url,))
            return
        exact, near = (None, mark.original) if mark.same == NEAR else (mark.original, None)
        self._db.execute(
            "INSERT OR REPLACE INTO duplicate VALUES (?, ?, ?, ?, ?)", (url, exact, mark.same, near, mark.similarity)
        )

    # -- unsettled marks ------------------------------------------------------------------------------------------

    def unsettle(self, n: int) -> None:
        """Note that the marks of the pages in the buckets of this one may be wrong."""
        self._db.execute("INSERT OR IGNORE INTO unsettled VALUES (?)", (n,))

    def unsettled(self, count: int) -> list[int]:
        return [n for (n,) in self._db.execute("SELECT n FROM unsettled ORDER BY n LIMIT ?", (count,))]

    def settled(self, pages: Iterable[int]) -> None:
        self._db.executemany("DELETE FROM unsettled WHERE n = ?", [(n,) for n in pages])


_PRINTED = f"SELECT {COLUMNS} FROM fingerprint JOIN url ON url.id = fingerprint.url"


def forget(db: sqlite3.Connection) -> None:
    """Delete buckets and marks; they are made anew from the fingerprints when the crawl continues."""
    for table in ("bucket", "duplicate", "unsettled"):
        db.execute(f"DELETE FROM {table}")
    db.execute("DELETE FROM crawl WHERE name IN ('bucketed', 'marked_by', 'compared')")
