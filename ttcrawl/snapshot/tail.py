"""The URLs of a crawl that runs which by_key lacks: see ttcrawl.store.index. No index on the disk has them."""

from __future__ import annotations

import json
from collections.abc import Collection

from ttcrawl.store.database import Database

#: Look-ups that scan the URLs; after them the keys are remembered, which takes as long as several scans.
SCANS = 4

_SCAN = "SELECT id FROM url WHERE id > ? AND key IN (SELECT value FROM json_each(?))"


class Tail:
    """What is remembered of one crawl, for several snapshots one after the other: at most some hundred thousand keys,
    100 bytes each."""

    def __init__(self) -> None:
        self._scans = 0
        self._ids: dict[int, int] = {}  # key -> id
        self._after, self._last = 0, 0  # it has the URLs behind the first id up to the last one

    def ids(self, db: Database, keys: Collection[int], indexed: int) -> list[int]:
        """The ids of those keys that a URL behind the id `indexed` has."""
        if self._scans < SCANS and not self._ids:
            self._scans += 1
            return [id for (id,) in db.execute(_SCAN, (indexed, json.dumps([*keys])))]
        self._update(db, indexed)
        return [self._ids[key] for key in keys if key in self._ids]

    def _update(self, db: Database, indexed: int) -> None:
        if indexed > self._after:
            self._ids = {key: id for key, id in self._ids.items() if id > indexed}
            self._after = indexed
        (last,) = db.execute("SELECT coalesce(max(id), 0) FROM url").fetchone()
        if last < self._last:  # another crawl has its name now
            self._ids, self._last = {}, 0
        if last != self._last:
            rows = db.execute("SELECT key, id FROM url WHERE id > ?", (max(indexed, self._last),))
            self._ids.update(rows.fetchall())
            self._last = last
