"""A round: compare a crawl with its copy, and make them equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ttcrawl.engine.reporting.mirror_position import write
from ttcrawl.export.postgresql import checksums
from ttcrawl.export.postgresql.differing_rows import BLOCKS, Copy, existing_tables, last_key, note
from ttcrawl.export.postgresql.schemas import TABLES
from ttcrawl.export.postgresql.search_table import refresh
from ttcrawl.export.postgresql.server import Connection
from ttcrawl.export.postgresql.table import END, Table
from ttcrawl.output.steps import Progress
from ttcrawl.snapshot.snapshot import View, view

#: Keys that are compared at once.
CHUNK = 64 * checksums.BLOCK

#: Seconds of writing after which a transaction is committed and a new snapshot is taken, so that a connection that is
#: lost costs little, and the write-ahead log of a running crawl stays small.
LONGEST = 10.0


#: Changed keys after which PostgreSQL gets new statistics for its queries; it makes them itself within some minutes.
MANY = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The keys of a table from `first` up to `end`."""

    table: Table
    first: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    changed: int  # keys
    #: The round was one snapshot and one transaction: the copy is equal to the crawl at one moment.
    equal: bool


def compare(
    directory: Path,
    server: Connection,
    crawl: int,
    clock: Callable[[], float],
    progress: Progress,
    ends: Callable[[], bool] = lambda: False,
) -> Result:
    """Make the copy equal to the crawl, or end between two parts. Raises NotACrawl, LostConnection, UsageError."""
    changed, snapshots = 0, 0
    with view(directory) as db:
        of_all = list(parts(db, server, crawl, CHUNK))
    remaining = list(reversed(of_all))
    while remaining:
        if ends():
            return Result(changed=changed, equal=False)
        snapshots += 1
        with view(directory) as db:
            existing = existing_tables(db)
            written: float | None = None
            while remaining and (written is None or clock() - written < LONGEST):
                part, done = remaining.pop(), len(of_all) - len(remaining)
                for count in compare_part(db, server, crawl, part, existing):
                    written, changed = clock() if written is None else written, changed + count
                    progress(part.table.name, done, len(of_all))
                progress(part.table.name, done, len(of_all))
            if not remaining:
                refresh(server, db, crawl)
                position = note(db, server, crawl, END, complete=snapshots == 1)
        server.commit()
    write(directory, position)
    if changed >= MANY:
        for table in TABLES:
            server.execute(f"ANALYZE {table.name}")
        server.commit()
    return Result(changed=changed, equal=snapshots == 1)


def parts(db: View, server: Connection, crawl: int, keys: int) -> Iterator[Part]:
    """Divide the tables into parts with this number of keys."""
    existing = existing_tables(db)
    for table in TABLES:
        last = Copy(server=server, crawl=crawl, table=table).last_block() * checksums.BLOCK
        if not table.by_range:
            yield Part(table=table, first=0, end=END)
            continue
        if existing.issuperset(table.needs):
            last = max(last, last_key(db, table))
        for first in range(0, last + 1, keys):
            yield Part(table=table, first=first, end=END if first + keys > last else first + keys)


def compare_part(
    db: View, server: Connection, crawl: int, part: Part, existing: set[str], most: int | None = None
) -> Iterator[int]:
    """Make a part equal, or the first keys that differ; yield the number of keys after each step."""
    copy = Copy(server=server, crawl=crawl, table=part.table)
    exists = existing.issuperset(part.table.needs)
    new = checksums.of_range(db, part.table, part.first, part.end) if exists else {}
    old = copy.range(part.first, part.end)
    keys = sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))
    yield from copy.replace(db, old, new, keys[:most])


#: Keys of a part of a sweep.
KEYS = checksums.BLOCK * BLOCKS


class Sweep:
    """Compares a running crawl with its copy part by part, again and again: this finds what `recent` does not copy."""

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
