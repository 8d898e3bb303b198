"""What is in items.db of a crawl, and how it grows."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from msgspec import Struct

from ttcrawl.errors import CrawlFailedError, plain
from ttcrawl.extract.captures import Capture
from ttcrawl.ring.columns import Items
from ttcrawl.store.database import StoreError
from ttcrawl.store.items_db import NAME, open_items

#: Pages, characters of items and seconds after which what was extracted is committed.
PAGES, SIZE, SECONDS = 500, 8 << 20, 1.0

_REMEDY = "free the disk, copy the crawl to a place where you can write, or delete the file"


class Outcome(Struct, frozen=True, kw_only=True):
    """What a version made of an answer: JSON objects, or why it failed."""

    error: str
    items: list[str] = []


class ItemsFile:
    """Raises CrawlFailedError if the file cannot be read or written, UsageError if it is not ours."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / NAME
        try:
            self._db = open_items(self._path)
        except (StoreError, OSError) as error:
            raise self._failed(error) from None
        self._pages = list[tuple[int, int, float, str]]()
        self._items = list[tuple[int, int, float, int, str]]()
        self._size, self._committed = 0, time.monotonic()

    def __enter__(self) -> ItemsFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()

    def version(self, name: str, digest: str) -> int:
        """The id of a version, which becomes the latest one of this name."""
        try:
            self._db.execute(
                "INSERT INTO version (name, digest, used)"
                " VALUES (?, ?, (SELECT coalesce(max(used), 0) + 1 FROM version))"
                " ON CONFLICT DO UPDATE SET used = excluded.used",
                (name, digest),
            )
        except StoreError as error:
            raise self._failed(error) from None
        ((id,),) = self._rows("SELECT id FROM version WHERE name = ? AND digest = ?", (name, digest))
        return int(id)

    def before(self, version: int) -> int | None:
        """The version of the same name that was used before this one; None: there is none."""
        rows = self._rows(
            "SELECT other.id FROM version JOIN version AS other USING (name)"
            " WHERE version.id = ?1 AND other.id != ?1 ORDER BY other.used DESC LIMIT 1",
            (version,),
        )
        return rows[0][0] if rows else None

    def done(self, versions: Sequence[int], captures: Sequence[Capture]) -> set[tuple[int, int, float]]:
        """(version, id of URL, time of the answer) of what was extracted."""
        rows = self._rows(
            "SELECT version, url, time FROM page WHERE version IN (SELECT value FROM json_each(?))"
            " AND url IN (SELECT value FROM json_each(?))",
            (json.dumps(versions), json.dumps([each.id for each in captures])),
        )
        return set(rows)

    def add(self, version: int, capture: Capture, items: Items) -> None:
        """Put the items of an answer in the place of earlier ones."""
        self._pages.append((version, capture.id, capture.time, items.error))
        for position, text in enumerate(items.items, 1):
            self._items.append((version, capture.id, capture.time, position, text))
            self._size += len(text)

    @property
    def is_full(self) -> bool:
        """Whether it is time to commit."""
        full = len(self._pages) >= PAGES or self._size >= SIZE
        return full or (bool(self._pages) and time.monotonic() - self._committed >= SECONDS)

    def commit(self) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                "DELETE FROM item WHERE version = ? AND url = ? AND time = ?", (each[:3] for each in self._pages)
            )
            self._db.executemany("INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?)", self._pages)
            self._db.executemany("INSERT OR REPLACE INTO item VALUES (?, ?, ?, ?, ?)", self._items)
            self._db.execute("COMMIT")
        except StoreError as error:
            raise self._failed(error) from None
        self._pages, self._items = [], []
        self._size, self._committed = 0, time.monotonic()

    def outcomes(self, version: int, captures: Sequence[Capture]) -> dict[tuple[int, float], Outcome]:
        """(id of URL, time) -> what a version made of an answer, of those that it has seen."""
        ids = json.dumps([*dict.fromkeys(each.id for each in captures)])
        answers = {(each.id, each.time) for each in captures}
        pages = self._rows(
            "SELECT url, time, error FROM page WHERE version = ? AND url IN (SELECT value FROM json_each(?))",
            (version, ids),
        )
        found = {(url, moment): Outcome(error=error) for url, moment, error in pages if (url, moment) in answers}
        items = self._rows(
            "SELECT url, time, fields FROM item WHERE version = ? AND url IN (SELECT value FROM json_each(?))"
            " ORDER BY url, time, position",
            (version, ids),
        )
        for url, moment, fields in items:
            if (url, moment) in found:
                found[url, moment].items.append(fields)
        return found

    def _rows(self, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(query, values).fetchall()
        except StoreError as error:
            raise self._failed(error) from None

    def _failed(self, error: Exception) -> CrawlFailedError:
        return CrawlFailedError(f"{self._path}: {plain(error)}; {_REMEDY}")
