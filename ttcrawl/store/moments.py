"""Moments until which something waits, when the clock of the run that wrote them was ahead of the present one.

A run's moments are all by one clock (`ttcrawl.ring.clock`), which it writes with every commit. Where that is later than
now, the machine's clock was set back since: what the run put off waits for as long from now as was left of it then.
What runs before it put off stays, a Retry-After of a day too. A clock that was behind cannot be told from time that
passed.
"""

from __future__ import annotations

import sqlite3

#: Sites whose clock the last run moved: it asked them, or looked them up in vain. ?1: its first exchange.
MOVED = "(id IN (SELECT site FROM visit WHERE id >= ?1) OR id NOT IN (SELECT site FROM visit))"


class Moments:
    """Part of the store, whose transactions it works in."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def take_up(self, now: float) -> float:
        """A run begins at `now`: set right what the last one put off. How far its clock was ahead, seconds; else 0."""
        ahead = max(0.0, self._last() - now)
        if ahead:
            self._set_right(int(self._value("first_visit") or 1), now, ahead)
        next_visit = self._db.execute("SELECT coalesce(max(id), 0) + 1 FROM visit").fetchone()[0]
        rows = (("clock", str(now)), ("first_visit", str(next_visit)))
        self._db.executemany("INSERT OR REPLACE INTO crawl VALUES (?, ?)", rows)
        return ahead

    def _set_right(self, first: int, now: float, ahead: float) -> None:
        for table, column, sites in (
            ("url", "due", f"site IN (SELECT id FROM site WHERE {MOVED})"),
            ("site", "next_at", MOVED),
            ("site", "backoff_until", MOVED),
        ):
            change = f"UPDATE {table} SET {column} = {column} - ?3 WHERE {column} > ?2 AND {sites}"
            self._db.execute(change, (first, now, ahead))
        for column in ("robots_at", "robots_failing"):  # since when, not until when
            self._db.execute(f"UPDATE site SET {column} = ?1 WHERE {column} > ?1", (now,))

    def _last(self) -> float:
        """The last moment that is known of the clock of the last run."""
        row = self._db.execute("SELECT ended FROM visit ORDER BY id DESC LIMIT 1").fetchone()
        return float(self._value("clock") or (row[0] if row else 0.0))

    def _value(self, name: str) -> str | None:
        row = self._db.execute("SELECT value FROM crawl WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else None
