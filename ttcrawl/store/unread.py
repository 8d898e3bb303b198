"""Pages whose reading was put off, and what reading them brings. Table `unread`.

The rows of a page and its row in `unread` change in one transaction: whatever kills the process, a page is either
unread or completely read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import astuple

from ttcrawl.ring.messages import Archived, ReadPage
from ttcrawl.store import soft404
from ttcrawl.store.batches import Batches
from ttcrawl.store.pages import METADATA, TEXT

DELETE = "DELETE FROM unread WHERE url = ?"
#: Rows that do not change are not written.
_PAGE = "UPDATE page SET title = ?1, parse_error = ?2 WHERE url = ?3 AND (title, parse_error) IS NOT (?1, ?2)"
#: If other kinds of links are wanted than in the first stage, these are not the links of the row.
_OUTLINKS = "UPDATE outlinks SET landmarks = ?, anchors = ? WHERE source = ? AND kinds = ?"
_DOCUMENT = (
    "UPDATE document SET pages = ?1, converter = ?2,"
    " error = ?3 || iif(?3 != '' AND error != '', '; ', '') || error WHERE url = ?4"
)
_FINGERPRINT = (
    "UPDATE fingerprint SET text = ?, bands = ?, signature = ?, shingles = ?,"
    " parse_context = iif(?, 0, parse_context) WHERE url = ?"
)
_FAILED = "UPDATE page SET parse_error = parse_error || iif(parse_error != '', '; ', '') || ? WHERE url = ?"


class UnreadPage(Struct, frozen=True, kw_only=True):
    """A page whose reading was put off."""

    id: int
    url: str
    time: float  # of its request, seconds since the epoch
    status: int
    length: int  # bytes of its body as received
    digest: bytes
    record: Archived
    payload: Archived | None  # the record with its body; None: its own


class Unread:
    """Part of the store; works in its transactions."""

    def __init__(self, db: sqlite3.Connection, batches: Batches, flush: Callable[[], None]) -> None:
        self._db = db
        self._batches = batches
        self._flush = flush

    def count(self) -> int:
        self._flush()
        count: int = self._db.execute("SELECT count(*) FROM unread").fetchone()[0]
        return count

    def after(self, last: int, count: int) -> list[UnreadPage]:
        """Return the next pages by the id of their URL."""
        self._flush()
        rows = self._db.execute(
            "SELECT url.id, url.url, page.time, status, length, digest, file, offset, size, payload FROM unread"
            " JOIN url ON url.id = unread.url JOIN page ON page.url = unread.url"
            " WHERE unread.url > ? ORDER BY unread.url LIMIT ?",
            (last, count),
        ).fetchall()
        return [
            UnreadPage(
                id=id,
                url=url,
                time=time,
                status=status,
                length=length,
                digest=digest or b"",
                record=Archived(file=file, offset=offset, length=size),
                payload=None if payload is None else self._payload(payload, digest),
            )
            for id, url, time, status, length, digest, file, offset, size, payload in rows
        ]

    def _payload(self, url: int, digest: bytes) -> Archived | None:
        row = self._db.execute(
            "SELECT file, offset, size FROM answer WHERE url = ? AND digest = ? AND payload IS NULL", (url, digest)
        ).fetchone()
        return Archived(file=row[0], offset=row[1], length=row[2]) if row else None

    def begin(self) -> None:
        """Let everything that depends on texts be decided anew when a run ends: duplicates and soft 404s."""
        self._db.execute("DELETE FROM bucket")
        self._db.execute("DELETE FROM crawl WHERE name = 'bucketed'")
        self._db.execute("INSERT OR REPLACE INTO crawl VALUES ('marked_by', '')")
        self._db.execute("INSERT OR IGNORE INTO unsettled SELECT n FROM fingerprint ORDER BY n LIMIT 1")
        soft404.forget(self._db)

    def read(self, url: int, page: ReadPage) -> None:
        """Write what a page brought."""
        add = self._batches.add
        add(_PAGE, (page.title, page.parse_error, url), url)
        if page.kinds and (page.landmarks or page.anchors):
            add(_OUTLINKS, (page.landmarks, page.anchors, url, page.kinds), url)
        reading = page.reading
        if reading.metadata is not None:
            add(METADATA, (url, *astuple(reading.metadata)), url)
        if (text := reading.text) is not None:
            add(TEXT, (url, text.size, text.packed, text.main_size, text.main), url)
        if (document := reading.document) is not None and (document.converter or document.error):
            add(_DOCUMENT, (document.pages, document.converter, document.error, url), url)
        if (found := reading.fingerprint) is not None:
            features = (found.text, found.bands, found.signature, found.shingles)
            add(_FINGERPRINT, (*features, page.uses_page_url, url), url)
        add(DELETE, (url,), url)

    def failed(self, url: int, reason: str) -> None:
        """Note that a page could not be read."""
        self._batches.add(_FAILED, (reason, url), url)
        self._batches.add(DELETE, (url,), url)
