"""Changes of table `url` that wait in memory until they are written together. Look-ups see them.

A page brings an outcome, some new URLs and shorter paths to others. A statement for each costs several times as much as
its share of a batch. The changes are written before each commit, so a killed process loses what it would have lost
without them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import astuple, replace

from ttcrawl.store.batches import Batches
from ttcrawl.store.index import Index
from ttcrawl.store.rows import NewUrl, Row, UrlPath, insert
from ttcrawl.vocabulary.reason import Code
from ttcrawl.vocabulary.state import State

INSERT_URL = insert("url", NewUrl.__struct_fields__)
SETTLE = "UPDATE url SET state = ?, reason = ?, rule = ?, processed = ?, attempts = ?, due = 0 WHERE id = ?"

PATH = ", ".join(f"{column} = ?" for column in UrlPath._fields)
SHORTEN = f"UPDATE url SET {PATH}, priority = ? WHERE id = ?"

#: New URLs, and new paths of others, that wait at most: a sitemap can bring 50,000.
MOST = 10_000


class Outcome(NamedTuple):
    """The columns of a URL that leaves the queue."""

    state: State
    reason: Code
    rule: int | None
    at: float
    attempts: int


class Shortened(NamedTuple):
    """The path of a URL that has become nearer, and its priority."""

    path: UrlPath
    priority: int


class Pending:
    """Part of the store; works in its transactions."""

    def __init__(self, db: sqlite3.Connection, index: Index) -> None:
        self._db = db
        self._index = index
        self._new: dict[int, NewUrl] = {}  # by id, in rising order
        self._ids: dict[int, int] = {}  # key -> id of a new URL
        self._outcomes: dict[int, Outcome] = {}  # by id
        self._shortened: dict[int, Shortened] = {}  # by id, of URLs in the database
        self._moved: set[int] = set()  # ids of those whose priority has changed

    # -- changes --------------------------------------------------------------------------------------------------

    def add(self, rows: Sequence[NewUrl]) -> None:
        """Add URLs by rising id."""
        for row in rows:
            self._new[row.id] = row
            self._ids[row.key] = row.id
        if len(self._new) >= MOST:
            self.flush()

    def settle(self, url: int, outcome: Outcome) -> None:
        """Note the outcome of a URL."""
        self._outcomes[url] = outcome

    def shorten(self, row: Row, path: UrlPath, priority: int) -> None:
        """Note another path to a URL, and its priority."""
        if (new := self._new.get(row.id)) is not None:
            self._new[row.id] = replace(new, **path._asdict(), priority=priority)
            return
        self._shortened[row.id] = Shortened(path, priority)
        if priority != row.priority:
            self._moved.add(row.id)
        if len(self._shortened) >= MOST:
            self.flush()

    # -- look-ups -------------------------------------------------------------------------------------------------

    def find(self, key: int) -> Row | None:
        """Return the URL with this key if it is not in the database yet."""
        number = self._ids.get(key)
        return self.row(number) if number is not None else None

    def row(self, url: int) -> Row | None:
        """Return the URL with this id if it is not in the database yet."""
        new = self._new.get(url)
        return self.current(_row(new)) if new is not None else None

    def found_on(self, url: int) -> int | None:
        """Return the page on which a URL was first discovered."""
        if (new := self._new.get(url)) is not None:
            return new.found_on
        found_on: int | None = self._db.execute("SELECT found_on FROM url WHERE id = ?", (url,)).fetchone()[0]
        return found_on

    def current(self, row: Row) -> Row:
        """Return the row with its path and its outcome, if they are not in the database yet."""
        if (shortened := self._shortened.get(row.id)) is not None:
            row = replace(row, **shortened.path._asdict(), priority=shortened.priority)
        outcome = self._outcomes.get(row.id)
        if outcome is None:
            return row
        return replace(row, state=outcome.state, reason=outcome.reason, attempts=outcome.attempts, due=0.0)

    # -- writing --------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Write all changes. Raises UnstorableError."""
        new, outcomes, shortened, moved = self._new, self._outcomes, self._shortened, self._moved
        self.clear()
        if not (new or outcomes or shortened):
            return
        self._index.dequeue([*(url for url in outcomes if url not in new), *moved])
        changes = Batches(self._db)
        changes.extend(INSERT_URL, map(astuple, new.values()), [row.found_on or "" for row in new.values()])
        changes.extend(SHORTEN, [(*path, priority, url) for url, (path, priority) in shortened.items()], shortened)
        changes.extend(SETTLE, [(*outcome, url) for url, outcome in outcomes.items()], outcomes)
        changes.flush()
        if new:
            self._index.add(next(iter(new)))
        self._index.enqueue(moved)

    def clear(self) -> None:
        """Forget the changes: they were written or rolled back."""
        self._new = {}
        self._ids = {}
        self._outcomes = {}
        self._shortened = {}
        self._moved = set()


def _row(new: NewUrl) -> Row:
    return Row(
        id=new.id,
        url=new.url,
        site=new.site,
        state=new.state,
        reason=new.reason,
        depth=new.depth,
        redirects=new.redirects,
        off_domain=new.off_domain,
        rank=new.rank,
        sitemap=new.sitemap,
        requisite=new.requisite,
        off_topic=new.off_topic,
        score=new.score,
        demoted=0,
        priority=new.priority,
        attempts=0,
        due=0.0,
        found_on=new.found_on,
    )
