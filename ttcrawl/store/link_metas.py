"""What hooks hand to the pages behind links: table `link_meta`."""

from __future__ import annotations

import sqlite3

TABLES = (
    """-- what a hook handed to the page behind a link that it added; the first page that hands something counts
CREATE TABLE link_meta (
    url    INTEGER PRIMARY KEY REFERENCES url (id),
    source INTEGER NOT NULL REFERENCES url (id), -- the page that handed it; of a redirect: that page, too
    meta   TEXT NOT NULL                       -- a JSON object
)""",
    "CREATE INDEX link_meta_source ON link_meta (source)",
)


class LinkMetas:
    """Part of the store; works in its transactions. Few crawls have rows, and the others pay nothing."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._any = db.execute("SELECT 1 FROM link_meta LIMIT 1").fetchone() is not None

    def of(self, url: int) -> str:
        """Return what was handed to a URL, JSON; "" if nothing was."""
        row = self._row(url)
        return row[1] if row else ""

    def add(self, url: int, source: int, meta: str) -> None:
        """Hand something to a URL to which nothing was handed before."""
        self._any = True
        self._db.execute("INSERT OR IGNORE INTO link_meta VALUES (?, ?, ?)", (url, source, meta))

    def pass_on(self, url: int, target: int) -> None:
        """Hand to the target of a redirect what was handed to the URL."""
        if row := self._row(url):
            self.add(target, *row)

    def _row(self, url: int) -> tuple[int, str] | None:
        if not self._any:
            return None
        row: tuple[int, str] | None = self._db.execute(
            "SELECT source, meta FROM link_meta WHERE url = ?", (url,)
        ).fetchone()
        return row
