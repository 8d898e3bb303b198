"""A URL of the ledger found by its key, also while the index by key is not complete."""

from __future__ import annotations

import sqlite3

from ttcrawl.web.url import key


def find(db: sqlite3.Connection, indexed: int, url: str) -> int | None:
    """The id of a canonical URL; two that share a hash have keys that follow one another."""
    wanted = key(url)
    while (found := of_key(db, indexed, wanted)) is not None:
        if found[1] == url:
            return found[0]
        wanted += 1
    return None


def of_key(db: sqlite3.Connection, indexed: int, wanted: int) -> tuple[int, str] | None:
    """(id, URL) of a key. What the index lacks is the few rows behind the URL `indexed`, looked through."""
    row: tuple[int, str] | None = db.execute(
        "SELECT id, url FROM url WHERE id = (SELECT id FROM by_key WHERE key = ?1) UNION ALL"
        " SELECT id, url FROM url WHERE id > ?2 AND key = ?1 LIMIT 1",
        (wanted, indexed),
    ).fetchone()
    return row


#: What the index by key lacks, some hundred thousand URLs at most.
FRESH = (
    "CREATE TEMP TABLE IF NOT EXISTS fresh (key INTEGER PRIMARY KEY, id INTEGER NOT NULL)",
    "INSERT OR IGNORE INTO fresh SELECT key, id FROM url WHERE id > ?",
)
#: The id of the URL whose key is `value` in `place`, for many keys at a time; `bring_fresh` goes before.
OF_PLACE = "coalesce((SELECT id FROM by_key WHERE key = place.value), (SELECT id FROM fresh WHERE key = place.value))"


def indexed(db: sqlite3.Connection) -> int:
    """The last URL up to which table `by_key` is complete."""
    row = db.execute("SELECT value FROM crawl WHERE name = 'indexed'").fetchone()
    return int(row[0]) if row else 0


def bring_fresh(db: sqlite3.Connection) -> None:
    """Make the temporary table `fresh` of what the index by key lacks."""
    for statement, values in zip(FRESH, ((), (indexed(db),)), strict=True):
        db.execute(statement, values)
