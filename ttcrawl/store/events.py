"""The outcomes of URLs in order, for programs that follow a crawl."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ttcrawl.store.database import PATIENCE

TABLES = (
    """-- every outcome of a URL in order, where [hooks] events or outcome is set
CREATE TABLE event (
    id     INTEGER PRIMARY KEY,
    url    INTEGER NOT NULL REFERENCES url (id),
    time   REAL NOT NULL,                      -- when it was processed
    state  TEXT NOT NULL,
    reason TEXT NOT NULL
)""",
)
INSERT = "INSERT INTO event (url, time, state, reason) VALUES (?, ?, ?, ?)"

_AFTER = """
    SELECT event.id, event.time, url.url, event.state, event.reason, url.depth, found.url AS found_on, page.status,
           page.type, page.title, page.length, page.location, fields.fields, fields.score
    FROM event JOIN url ON url.id = event.url LEFT JOIN url AS found ON found.id = url.found_on
    LEFT JOIN page ON page.url = event.url LEFT JOIN fields ON fields.url = event.url
    WHERE event.id > ? ORDER BY event.id LIMIT ?"""


def last_event(database: Path) -> int:
    """Return the id of the last committed event; 0: there is none, or no database that can have one."""
    try:
        return _rows(database, "SELECT max(id) AS last FROM event")[0]["last"] or 0
    except sqlite3.Error:
        return 0


def events_after(database: Path, last: int, count: int) -> list[dict[str, Any]]:
    """Return the next committed events by their ids, with the URL's page where it has one. For any thread."""
    return _rows(database, _AFTER, last, count)


def _rows(database: Path, query: str, *values: int) -> list[dict[str, Any]]:
    uri = f"file:{quote(str(database.absolute()))}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, timeout=PATIENCE)) as db:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute(query, values)]
