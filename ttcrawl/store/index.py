"""The two indexes of URLs, by key and by position in the queue, as log-structured merges.

An index of millions of rows cannot take rows in random order at a constant cost: every commit would change, and write,
a page of it for nearly every URL. So new rows go into small tables in memory, and a sweep runs through both orders in
rounds. With every commit it moves the new rows of the next segment at once into the tables on the disk (P. O'Neil et
al., The log-structured merge-tree, Acta Informatica 33, 1996). So the cost of a URL is the same at ten thousand and at
ten million.

Nothing depends on the memory: both tables on the disk are complete up to the URL `indexed` in table `crawl`. When a
crawl continues, the URLs discovered later are read from table `url`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

#: New URLs per round of the sweep: they are in memory, and twice as many are read on resume.
ROUND = 200_000

FIRST_KEY, LAST_KEY = -(1 << 63), (1 << 63) - 1
LAST_SITE = (1 << 63) - 1

FRESH = (
    "CREATE TEMP TABLE fresh_key (key INTEGER PRIMARY KEY, id INTEGER NOT NULL)",
    "CREATE TEMP TABLE fresh_queue (site INTEGER, priority INTEGER, id INTEGER, PRIMARY KEY (site, priority, id))"
    " WITHOUT ROWID",
)

#: Queued URLs of a site, the first in order of priority; a URL may be in both tables.
FIRST_QUEUED = """
    SELECT priority, id FROM (
        SELECT * FROM (SELECT priority, id FROM queue WHERE site = ?1 ORDER BY priority, id LIMIT ?2) UNION
        SELECT * FROM (SELECT priority, id FROM fresh_queue WHERE site = ?1 ORDER BY priority, id LIMIT ?2))
    ORDER BY priority, id LIMIT ?2"""

#: The id of a URL by its key, or NULL.
OF_KEY = "coalesce((SELECT id FROM fresh_key WHERE key = ?1), (SELECT id FROM by_key WHERE key = ?1))"

QUEUE_ANEW = (
    "DELETE FROM queue",
    "INSERT INTO queue SELECT site, priority, id FROM url WHERE state = 'queued' ORDER BY site, priority, id",
)

#: Positions of URLs in the queue, by a JSON array of their ids.
_POSITIONS = "SELECT site, priority, id FROM url WHERE id IN (SELECT value FROM json_each(?))"


class Index:
    """Part of the store; works in its transactions. Create it outside of one: a rollback would undo the tables."""

    def __init__(self, db: sqlite3.Connection, new_urls: int = ROUND) -> None:
        self._db, self._new_urls = db, new_urls
        db.execute("PRAGMA temp_store = MEMORY")
        for table in FRESH:
            db.execute(table)
        self._swept = 0.0  # of this round
        self._added = 0  # since the last step
        self._key, self._site = FIRST_KEY, 0  # the position of the sweep
        self._goal = 0  # the last URL when this round began
        self._load()

    def _load(self) -> None:
        """Read the rows that are not on the disk yet."""
        row = self._db.execute("SELECT value FROM crawl WHERE name = 'indexed'").fetchone()
        self.add(int(row[0]) + 1 if row else 1)
        self._begin_round()

    # -- new rows -------------------------------------------------------------------------------------------------

    def add(self, first: int) -> None:
        """Add the rows of table `url` from this id on."""
        added = self._db.execute("INSERT INTO fresh_key SELECT key, id FROM url WHERE id >= ?", (first,))
        self._db.execute(
            "INSERT INTO fresh_queue SELECT site, priority, id FROM url WHERE id >= ? AND state = 'queued'", (first,)
        )
        self._added += added.rowcount

    def enqueue(self, urls: Iterable[int]) -> None:
        """Add URLs that were discovered earlier to the queue, if table `url` has them as queued."""
        self._db.executemany(
            "INSERT OR IGNORE INTO queue SELECT site, priority, id FROM url WHERE id = ? AND state = 'queued'",
            [(url,) for url in urls],
        )

    def dequeue(self, urls: Iterable[int]) -> None:
        """Remove URLs from the queue; call it while table `url` has their priority there."""
        some = (json.dumps(list(urls)),)
        for table in ("fresh_queue", "queue"):
            self._db.execute(f"DELETE FROM {table} WHERE (site, priority, id) IN ({_POSITIONS})", some)

    def reorder(self) -> None:
        """Make the queue anew from table `url`, whose priorities have changed."""
        for query in ("DELETE FROM fresh_queue", *QUEUE_ANEW):
            self._db.execute(query)

    # -- the sweep ------------------------------------------------------------------------------------------------

    def sweep(self) -> None:
        """Continue the round by a share that matches the number of new URLs."""
        self._swept += self._added / self._new_urls
        self._added = 0
        if self._swept >= 1:
            self._move(LAST_KEY, LAST_SITE)
            self._indexed(self._goal)
            self._begin_round()
        else:
            key = FIRST_KEY + int(self._swept * (1 << 64))
            sites = self._db.execute("SELECT max(id) FROM site").fetchone()[0] or 0
            self._move(max(self._key, key), max(self._site, int(self._swept * sites)))

    def complete(self) -> None:
        """Move all new rows."""
        self.restart()
        self._move(LAST_KEY, LAST_SITE)
        self._indexed(self._last())
        self._begin_round()

    def restart(self) -> None:
        """Begin this round again, because its moves may have been rolled back."""
        self._key = FIRST_KEY
        self._site = 0
        self._swept = 0.0

    def _begin_round(self) -> None:
        self.restart()
        self._goal = self._last()

    def _move(self, key: int, site: int) -> None:
        """Move the rows up to this key and this site."""
        for table, fresh, column, bounds in (
            ("by_key", "fresh_key", "key", (self._key, key)),
            ("queue", "fresh_queue", "site", (self._site, site)),
        ):
            segment = f"FROM {fresh} WHERE {column} BETWEEN ? AND ?"
            self._db.execute(f"INSERT OR IGNORE INTO {table} SELECT * {segment}", bounds)
            self._db.execute(f"DELETE {segment}", bounds)
        self._key, self._site = key, site

    def _indexed(self, url: int) -> None:
        self._db.execute("INSERT OR REPLACE INTO crawl VALUES ('indexed', ?)", (str(url),))

    def _last(self) -> int:
        last: int = self._db.execute("SELECT coalesce(max(id), 0) FROM url").fetchone()[0]
        return last


def rebuild(db: sqlite3.Connection) -> None:
    """Make both anew from table `url`, inside the caller's transaction."""
    for query in (
        "DELETE FROM by_key",
        "INSERT OR IGNORE INTO by_key SELECT key, id FROM url ORDER BY key",
        *QUEUE_ANEW,
        "INSERT OR REPLACE INTO crawl SELECT 'indexed', coalesce(max(id), 0) FROM url",
    ):
        db.execute(query)
