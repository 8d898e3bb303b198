"""Keys of URLs that share a hash: of two in one crawl, the later one takes the next key that is free.

Each ring has given the next key to another of them, or knows one alone. So they get their keys anew, and the links that
lead to them are changed. Hashes can be made to collide, so a page may bring this about.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping

from ttcrawl.web.url import key

TEMPORARY = (
    "CREATE TEMP TABLE key_of_url (id INTEGER PRIMARY KEY, key INTEGER NOT NULL)",
    "CREATE TEMP TABLE changed_key (ring INTEGER, old INTEGER, new INTEGER, PRIMARY KEY (ring, old)) WITHOUT ROWID",
)

#: The new ids of URLs that have several keys, or share one; both are rare.
_SHARED = """
    WITH keyed AS (SELECT new, key FROM discovery JOIN id_of_url USING (ring, old) GROUP BY key, new)
    SELECT new FROM keyed GROUP BY new HAVING count(*) > 1
    UNION SELECT new FROM keyed WHERE key IN (SELECT key FROM keyed GROUP BY key HAVING count(*) > 1)
    ORDER BY new"""
_ROWS = "SELECT ring, url, key FROM discovery JOIN id_of_url USING (ring, old) WHERE new = ?"
_FREE = """
    SELECT NOT EXISTS (SELECT 1 FROM key_of_url WHERE key = ?1) AND NOT EXISTS (
        SELECT 1 FROM discovery JOIN id_of_url USING (ring, old)
        WHERE key = ?1 AND new NOT IN (SELECT value FROM json_each(?2)))"""


def number(db: sqlite3.Connection) -> None:
    """Give these URLs their keys, in the order of discovery."""
    shared = [new for (new,) in db.execute(_SHARED)]
    if not shared:
        return
    db.execute("CREATE INDEX temp.discovery_key ON discovery (key)")
    ids = json.dumps(shared)
    for new in shared:
        rows = db.execute(_ROWS, (new,)).fetchall()
        free = key(rows[0][1])
        while not db.execute(_FREE, (free, ids)).fetchone()[0]:
            free += 1
        db.execute("INSERT INTO key_of_url VALUES (?, ?)", (new, free))
        changed = [(ring, old, free) for ring, _, old in rows if old != free]
        db.executemany("INSERT INTO changed_key VALUES (?, ?, ?)", changed)


def changed(db: sqlite3.Connection, ring: int) -> dict[int, int]:
    """Return key in a ring -> its new one, of those that change; usually there are none."""
    return dict(db.execute("SELECT old, new FROM changed_key WHERE ring = ?", (ring,)))


def define(db: sqlite3.Connection, keys: Mapping[int, int]) -> None:
    """Define the SQL functions `new_key(key)` and `new_keys(targets)`, a JSON array."""

    def new_keys(targets: str) -> str:
        return json.dumps([keys.get(each, each) for each in json.loads(targets)], separators=(",", ":"))

    db.create_function("new_key", 1, lambda old: keys.get(old, old), deterministic=True)
    db.create_function("new_keys", 1, new_keys, deterministic=True)
