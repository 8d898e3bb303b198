"""How many earlier answers of a URL the tables keep, and how long ([revisit] keep_answers, keep_days).

The WARC files keep all of them. Each visit of a URL drops what is too old of this URL, so the work is spread like the
visits. It is done with the rows of the visit, in one transaction; after a kill the next visit does it. An answer with
the bytes to which the record of another answer refers (`payload`) stays. Table `dropped` says since when the answers
of a URL are complete.
"""

from __future__ import annotations

import sqlite3

from ttcrawl.store.earlier import BESIDE

#: Answers of one URL that a visit drops at most: more when these keys were set late. The rest goes with the next visit.
MOST = 1_000

#: Needed to find the answers that refer to another one. Made when a crawl first drops answers: others need none.
_INDEXES = tuple(
    f"CREATE INDEX IF NOT EXISTS {table}_payload ON {table} (payload) WHERE payload IS NOT NULL"
    for table in ("page", "earlier_page")
)

#: The answers of URL ?1 that go, with when the next one came: those behind the ?2 latest ones (0: any number stays),
#: and those that were replaced until ?3.
_OLD = f"""
    SELECT old.time, next FROM earlier_page AS old JOIN (
        SELECT time, lead(time) OVER (ORDER BY time) AS next, row_number() OVER (ORDER BY time DESC) AS number
        FROM answer WHERE url = ?1
    ) USING (time)
    WHERE old.url = ?1 AND next NOT NULL AND (0 < ?2 AND ?2 < number OR next <= ?3)
    AND NOT EXISTS (SELECT 1 FROM page WHERE payload = ?1 AND digest = old.digest)
    AND NOT EXISTS (SELECT 1 FROM earlier_page AS other WHERE payload = ?1 AND other.digest = old.digest)
    ORDER BY time LIMIT {MOST}"""

_TABLES = {"page": "url"} | BESIDE
_DROP = tuple(f"DELETE FROM earlier_{table} WHERE {column} = ? AND time = ?" for table, column in _TABLES.items())
_NOTE = """
    INSERT INTO dropped VALUES (?, ?, ?)
    ON CONFLICT (url) DO UPDATE SET answers = answers + excluded.answers, until = max(until, excluded.until)"""
_HOLDER = "SELECT 1 FROM {} WHERE url = ?1 AND digest = ?2 AND payload IS NULL"


class Retention:
    """Part of the store; works in its transactions."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._answers, self._seconds = 0, 0.0
        self._visited = dict[int, float]()  # id of a URL -> moment of its visit

    def limit(self, answers: int, seconds: float) -> None:
        """Keep so many answers of a URL, and none longer than so many seconds after the next one; 0: without limit."""
        self._answers, self._seconds = answers, seconds
        for statement in _INDEXES if self._on else ():
            self._db.execute(statement)

    @property
    def _on(self) -> bool:
        return self._answers > 0 or self._seconds > 0

    def visited(self, url: int, now: float) -> None:
        """Note the end of a visit, seconds since the epoch."""
        if self._on:
            self._visited[url] = now

    def holds(self, url: int, digest: bytes) -> bool:
        """Whether a URL still has the answer with these bytes, to which a record is about to refer."""
        if not self._on:
            return True
        tables = ("page", "earlier_page")
        return any(self._db.execute(_HOLDER.format(table), (url, digest)).fetchone() for table in tables)

    def drop(self) -> None:
        """Drop what is too old of the visited URLs, whose rows are written."""
        for url, now in self._visited.items():
            until = now - self._seconds if self._seconds else float("-inf")
            rows = self._db.execute(_OLD, (url, self._answers, until)).fetchall()
            for statement in _DROP if rows else ():
                self._db.executemany(statement, [(url, time) for time, _ in rows])
            if rows:
                self._db.execute(_NOTE, (url, len(rows), rows[-1][1]))
        self._visited.clear()

    def forget(self) -> None:
        """Forget the visits since the last commit, because their rows are."""
        self._visited.clear()
