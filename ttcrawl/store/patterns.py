"""Tables `pattern` and `audit`: part of the store; works in its transactions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from msgspec import Struct


class Figures(Struct):
    """A row of table `pattern` without its names."""

    fetched: int = 0
    duplicates: int = 0
    repeating: bool = False
    put_last: int = 0
    refused: int = 0


class PatternRows:
    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def of(self, host: str, limit: int) -> dict[str, Figures]:
        """Return figures by the text of the pattern, those that repeat first."""
        rows = self._db.execute(
            "SELECT text, fetched, duplicates, repeating, put_last, refused FROM pattern"
            " WHERE site = (SELECT id FROM site WHERE host = ?) ORDER BY repeating DESC, fetched DESC LIMIT ?",
            (host, limit),
        )
        return {text: Figures(fetched, duplicates, bool(on), *acted) for text, fetched, duplicates, on, *acted in rows}

    def one(self, host: str, text: str) -> Figures | None:
        row = self._db.execute(
            "SELECT fetched, duplicates, repeating, put_last, refused FROM pattern"
            " WHERE site = (SELECT id FROM site WHERE host = ?) AND text = ?",
            (host, text),
        ).fetchone()
        return Figures(row[0], row[1], bool(row[2]), *row[3:]) if row else None

    def replace(self, rows: Iterable[tuple[str, str, Figures]]) -> None:
        """Write (host, text, figures) of changed patterns."""
        self._db.executemany(
            "INSERT OR REPLACE INTO pattern VALUES ((SELECT id FROM site WHERE host = ?), ?, ?, ?, ?, ?, ?)",
            (
                (host, text, each.fetched, each.duplicates, each.repeating, each.put_last, each.refused)
                for host, text, each in rows
            ),
        )

    def audit(self, url: int, text: str) -> None:
        self._db.execute("INSERT OR IGNORE INTO audit VALUES (?, ?)", (url, text))

    def last_discovered(self, limit: int) -> Iterator[tuple[int, str]]:
        """Return (id of the original, URL) of the last `limit` fetched pages by discovery, the oldest first."""
        return self._db.execute(
            "SELECT coalesce(duplicate_of, near_duplicate_of, id), name FROM (SELECT url.id, url.url AS name FROM page"
            " JOIN url ON url.id = page.url WHERE state = 'fetched' AND status BETWEEN 200 AND 299"
            " ORDER BY page.url DESC LIMIT ?) LEFT JOIN duplicate ON duplicate.url = id ORDER BY id",
            (limit,),
        )
