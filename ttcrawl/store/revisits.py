"""Table `revisit`: when each URL is requested again, and what its visits have shown.

Rows wait to be written together. Look-ups write them first.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from operator import attrgetter

from ttcrawl.revisit.undated import LONGEST
from ttcrawl.store.batches import Batches
from ttcrawl.store.rows import COLUMNS, Latest, RevisitRow, Row
from ttcrawl.vocabulary.state import FAILED, FETCHED, MOVED

#: (URL, its row, its latest answer)
Due = tuple[Row, RevisitRow, Latest]

_REVISIT, _LATEST = ([field.name for field in fields(row)] for row in (RevisitRow, Latest))
_SAVE = f"INSERT OR REPLACE INTO revisit VALUES ({', '.join('?' * len(_REVISIT))})"
_VALUES = attrgetter(*_REVISIT)
_CONFIRMED = "UPDATE page SET fresh_until = ?1 WHERE url = ?2 AND fresh_until IS NOT ?1"

_DUE = f"""
    SELECT {", ".join(f"url.{name.strip()}" for name in COLUMNS.split(","))},
           {", ".join(f"revisit.{name}" for name in _REVISIT)}, {", ".join(f"page.{name}" for name in _LATEST)}
    FROM revisit JOIN url ON url.id = revisit.url LEFT JOIN page ON page.url = revisit.url
    WHERE (revisit.next, revisit.url) > (?, ?) AND revisit.next <= ? ORDER BY revisit.next, revisit.url LIMIT ?"""

#: URLs that can be visited again: those with an answer, and those that failed. ?1: interval, ?2: that after an error;
#: ?3: the longest time for which an answer may be called fresh by its server.
_ADD = f"""
    INSERT OR IGNORE INTO revisit (url, next, visited)
    SELECT url.id,
           max(processed + iif(state = '{FAILED}' OR status >= 400, ?2, ?1),
               min(coalesce(fresh_until, 0), processed + ?3)),
           processed
    FROM url LEFT JOIN page ON page.url = url.id
    WHERE (state IN ('{FETCHED}', '{MOVED}') AND page.url NOT NULL OR state = '{FAILED}') AND """


class Revisits:
    """Part of the store; works in its transactions."""

    def __init__(self, db: sqlite3.Connection, batches: Batches, flush: Callable[[], None]) -> None:
        self._db, self._batches, self._flush = db, batches, flush

    def take_up(self, now: float, interval: float, after_error: float, fresh: float) -> None:
        """Give each URL a next visit that has none. Visits of a clock that was ahead are counted from now.

        `fresh`: seconds for which an answer is believed to be fresh at most, if its server says so.
        """
        self._flush()
        self._db.execute("UPDATE revisit SET next = ?1 + next - visited, visited = ?1 WHERE visited > ?1", (now,))
        self._db.execute(f"{_ADD} url.id NOT IN (SELECT url FROM revisit)", (interval, after_error, fresh))

    def spread(self, interval: float, fresh: float) -> None:
        """Spread the first visits of pages over an interval, by the ids of their URLs."""
        self._db.execute(
            "UPDATE revisit SET next = max(visited + ?1 * (page.url * 2654435761 % 4294967296) / 4294967296.0,"
            " min(coalesce(fresh_until, 0), visited + ?2))"
            " FROM page WHERE visits = 0 AND page.url = revisit.url AND status < 400",
            (interval, fresh),
        )

    def add(self, urls: Iterable[int], interval: float, after_error: float, fresh: float) -> None:
        """Give URLs a next visit that were answered or failed for the first time."""
        self._flush()
        self._db.executemany(f"{_ADD} url.id = ?4", [(interval, after_error, fresh, url) for url in urls])

    def due(self, after: tuple[float, int], until: float, limit: int) -> list[Due]:
        """Return the first URLs that are due until a moment, of those after this (next visit, id of the URL)."""
        self._flush()
        one, two = len(COLUMNS.split(",")), len(COLUMNS.split(",")) + len(_REVISIT)
        return [
            (Row(*row[:one]), RevisitRow(*row[one:two]), Latest(*row[two:]))
            for row in self._db.execute(_DUE, (*after, until, limit))
        ]

    def next_after(self, moment: float) -> float | None:
        """Return when the next URL is due after a moment."""
        self._flush()
        next_: float | None = self._db.execute("SELECT min(next) FROM revisit WHERE next > ?", (moment,)).fetchone()[0]
        return next_

    def evidence(self, count: int) -> list[str]:
        """Return what the visits of so many pages have shown, those that were visited last."""
        self._flush()
        query = "SELECT evidence FROM revisit WHERE evidence != '' ORDER BY next DESC LIMIT ?"
        return [text for (text,) in self._db.execute(query, (count,))]

    def all_evidence(self) -> Iterator[tuple[str, int | None]]:
        """Yield what the visits of each page have shown, and its depth."""
        self._flush()
        yield from self._db.execute("SELECT evidence, depth FROM revisit JOIN url ON url.id = revisit.url")

    def save(self, row: RevisitRow) -> None:
        self._batches.add(_SAVE, _VALUES(row), row.url)

    def confirmed(self, url: int, fresh_until: float | None) -> None:
        """Note until when the server calls an answer fresh that a visit has confirmed (RFC 9111 section 4.3.4)."""
        self._batches.add(_CONFIRMED, (fresh_until, url), url)

    def remove(self, url: int) -> None:
        """Visit a URL no more."""
        self._batches.add("DELETE FROM revisit WHERE url = ?", (url,), url)

    def contents(self, url: int) -> tuple[str, bytes | None]:
        """Return the title of a page and its main text, packed; None: it has none."""
        self._flush()
        row: tuple[str, bytes | None] | None = self._db.execute(
            "SELECT title, coalesce(main, text) FROM page LEFT JOIN text USING (url) WHERE url = ?", (url,)
        ).fetchone()
        return row or ("", None)


def unpacked(text: bytes) -> str:
    """Return a packed text, as much of it as is compared."""
    return zlib.decompressobj().decompress(text, LONGEST).decode("utf-8", "replace")
