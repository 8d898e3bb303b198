"""Replace the rows that differ, together with their checksums."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ttcrawl.engine.reporting.mirror_position import Position
from ttcrawl.export.postgresql.checksums import BLOCK, packed, unpacked
from ttcrawl.export.postgresql.server import Connection
from ttcrawl.export.postgresql.table import Table
from ttcrawl.snapshot.snapshot import View

#: Blocks that are written at once: their keys fit into memory, their rows pass one after the other.
BLOCKS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """The copy of one table of a crawl."""

    server: Connection
    crawl: int  # its number in PostgreSQL
    table: Table

    def last_block(self) -> int:
        query = "SELECT coalesce(max(block), 0) FROM ttcrawl.checksum WHERE crawl = %s AND name = %s"
        ((last,),) = self.server.execute(query, (self.crawl, self.table.name))
        return int(last)

    def last_key(self) -> int:
        """Return the largest key; -1 without rows."""
        return max(self.blocks([self.last_block()]), default=-1)

    def range(self, first: int, end: int) -> dict[int, int]:
        """Return key -> checksum of the keys of blocks from the block of `first` up to the block of `end`."""
        return self._sums("BETWEEN %s AND %s - 1", (first // BLOCK, -(-end // BLOCK)))

    def blocks(self, blocks: Collection[int]) -> dict[int, int]:
        """Return key -> checksum of all keys in these blocks."""
        return self._sums("= ANY(%s)", ([*blocks],))

    def _sums(self, condition: str, values: tuple[Any, ...]) -> dict[int, int]:
        query = f"SELECT block, sums FROM ttcrawl.checksum WHERE crawl = %s AND name = %s AND block {condition}"
        sums: dict[int, int] = {}
        for block, data in self.server.execute(query, (self.crawl, self.table.name, *values)):
            sums |= unpacked(block, data)
        return sums

    def replace(self, db: View, old: Mapping[int, int], new: Mapping[int, int], keys: Collection[int]) -> Iterator[int]:
        """Replace the rows of these keys, and some may be gone; yield the number of keys after each step.

        `old` has the checksums of all keys of their blocks, `new` the checksums of the keys that exist.
        """
        by_block: dict[int, list[int]] = {}
        for key in sorted(keys):
            by_block.setdefault(key // BLOCK, []).append(key)
        blocks = [*by_block]
        for first in range(0, len(blocks), BLOCKS):
            group = blocks[first : first + BLOCKS]
            changed = [key for block in group for key in by_block[block]]
            self._delete([key for key in changed if key in old])
            self._insert(db, [key for key in changed if key in new])
            self._note(group, old, new, set(changed))
            for statement in self.table.after:
                self.server.execute(statement, {"crawl": self.crawl, "keys": changed})
            yield len(changed)

    def _delete(self, keys: list[int]) -> None:
        if keys:
            query = f'DELETE FROM {self.table.name} WHERE crawl = %s AND "{self.table.key}" = ANY(%s)'
            self.server.execute(query, (self.crawl, keys))

    def _insert(self, db: View, keys: list[int]) -> None:
        if not keys:
            return
        source = db.execute(self.table.query("IN (SELECT value FROM json_each(?))"), (json.dumps(keys),))
        if self.table.insert is not None:
            self.table.insert(self.server, db, self.crawl, source)
            return
        rows = ((self.crawl, *row) for each in source for row in self.table.rows(db, each))
        columns = {"crawl": "integer", **self.table.columns}
        self.server.copy(self.table.name, [*columns], [*columns.values()], rows)

    def _note(self, blocks: list[int], old: Mapping[int, int], new: Mapping[int, int], changed: set[int]) -> None:
        rows, empty = [], []
        for block in blocks:
            keys = range(block * BLOCK, (block + 1) * BLOCK)
            sums = {key: old[key] for key in keys if key in old and key not in changed}
            sums |= {key: new[key] for key in keys if key in new and key in changed}
            if sums:
                rows.append((self.crawl, self.table.name, block, packed(block, sums)))
            else:
                empty.append(block)
        self.server.execute_many(
            "INSERT INTO ttcrawl.checksum VALUES (%s, %s, %s, %s)"
            " ON CONFLICT (crawl, name, block) DO UPDATE SET sums = excluded.sums",
            rows,
        )
        if empty:
            query = "DELETE FROM ttcrawl.checksum WHERE crawl = %s AND name = %s AND block = ANY(%s)"
            self.server.execute(query, (self.crawl, self.table.name, empty))


def existing_tables(db: View) -> set[str]:
    """Return the names of tables and views: a crawl of an earlier version lacks some."""
    names = db.execute("SELECT name FROM sqlite_schema UNION SELECT name FROM sqlite_temp_schema")
    return {name for (name,) in names}


def last_key(db: View, table: Table) -> int:
    """Return the largest key that a table of crawl.db has, whether rows are made of it or not; 0 without any."""
    source, _, column = table.source_key.rpartition(".")
    (last,) = db.execute(f"SELECT coalesce(max({column}), 0) FROM {source or table.needs[0]}").fetchone()
    return int(last)


def note(db: View, server: Connection, crawl: int, last: int, *, complete: bool) -> Position:
    """Note the end of the last request, up to this id, that is copied. `complete`: all of the snapshot is copied."""
    query = "SELECT id, ended FROM visit WHERE id <= ? ORDER BY id DESC LIMIT 1"
    request, ended = db.execute(query, (last,)).fetchone() or (0, None)
    complete = complete and bool(db.settings.get("finished"))
    server.execute("UPDATE ttcrawl.mirror SET time = %s, complete = %s WHERE crawl = %s", (ended, complete, crawl))
    return Position(request=request, time=time.time(), complete=complete)
