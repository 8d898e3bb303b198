"""Compare a running crawl with its copy, part by part, again and again: this finds what `recent` does not copy."""

from __future__ import annotations

from pathlib import Path

from ttcrawl.export.postgresql.checksums import BLOCK
from ttcrawl.export.postgresql.differing_rows import BLOCKS, existing_tables
from ttcrawl.export.postgresql.round import Part, compare_part, parts
from ttcrawl.export.postgresql.server import Connection
from ttcrawl.snapshot.snapshot import view

#: Keys of a part.
KEYS = BLOCK * BLOCKS


class Sweep:
    """The position of the comparison, for the life of a connection."""

    def __init__(self, directory: Path, server: Connection, crawl: int) -> None:
        self._directory = directory
        self._server = server
        self._crawl = crawl
        self._remaining: list[Part] = []

    def step(self, most: int, *, idle: bool) -> None:
        """Compare a part, and replace at most this many of its keys, in one transaction.

        Tables that can only be read as a whole wait until a processor is idle, or until the crawl has ended.
        Raises NotACrawl, LostConnection, UsageError.
        """
        with view(self._directory) as db:
            if not self._remaining:
                self._remaining = [*parts(db, self._server, self._crawl, KEYS)][::-1]
            part = self._remaining[-1]
            if not part.table.by_range:
                changed = sum(compare_part(db, self._server, self._crawl, part, existing_tables(db))) if idle else 0
            else:
                changed = sum(compare_part(db, self._server, self._crawl, part, existing_tables(db), most))
        self._server.commit()
        if changed < most or not part.table.by_range:
            self._remaining.pop()
