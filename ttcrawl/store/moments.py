"""Moments until which something waits, if the clock of the run that wrote them was ahead of the present one.

The moments of a run are all by one clock (`ttcrawl.ring.clock`), which it writes with every commit. If that is later
than now, the machine's clock was set back since: the remaining waits of that run are counted from now. Waits of earlier
runs stay, for example a Retry-After of a day. A clock that was behind cannot be distinguished from time that passed.
"""

from __future__ import annotations

import sqlite3

#: Sites whose clock the last run moved: it requested them, or their look-ups failed. ?1: its first request.
MOVED = "(id IN (SELECT site FROM visit WHERE id >= ?1) OR id NOT IN (SELECT site FROM visit))"


class Moments:
    """Part of the store; works in its transactions."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def take_up(self, now: float) -> float:
        """Correct the waits of the last run when a run begins at `now`; return the lead of its clock, seconds, or 0."""
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
        for column in ("robots_time", "robots_failing"):  # starting times of states, not ends of waits
            self._db.execute(f"UPDATE site SET {column} = ?1 WHERE {column} > ?1", (now,))

    def _last(self) -> float:
        """Return the last known moment by the clock of the last run."""
        row = self._db.execute("SELECT ended FROM visit ORDER BY id DESC LIMIT 1").fetchone()
        return float(self._value("clock") or (row[0] if row else 0.0))

    def _value(self, name: str) -> str | None:
        row = self._db.execute("SELECT value FROM crawl WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else None
