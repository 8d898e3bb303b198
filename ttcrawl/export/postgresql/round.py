"""A round: compare a crawl with its copy, and make them equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ttcrawl.ask.progress import Progress
from ttcrawl.ask.view.view import View, view
from ttcrawl.export.postgresql import checksums
from ttcrawl.export.postgresql.layout import TABLES
from ttcrawl.export.postgresql.rows import Copy, existing_tables, note
from ttcrawl.export.postgresql.server import Connection
from ttcrawl.export.postgresql.table import END, Table
from ttcrawl.export.postgresql.words import refresh

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


def compare(directory: Path, server: Connection, crawl: int, clock: Callable[[], float], progress: Progress) -> Result:
    """Make the copy equal to the crawl. Raises NotACrawl, LostConnection, UsageError."""
    changed, snapshots = 0, 0
    with view(directory) as db:
        parts = list(_parts(db, server, crawl))
    remaining = list(reversed(parts))
    while remaining:
        snapshots += 1
        with view(directory) as db:
            existing = existing_tables(db)
            written: float | None = None
            while remaining and (written is None or clock() - written < LONGEST):
                part = remaining.pop()
                progress(f"{part.table.name}", len(parts) - len(remaining) - 1, len(parts))
                for count in _compare_part(db, server, crawl, part, existing):
                    written, changed = clock() if written is None else written, changed + count
                    progress(f"{part.table.name}", len(parts) - len(remaining) - 1, len(parts))
            if not remaining:
                refresh(server, db, crawl)
                note(db, server, crawl, complete=snapshots == 1)
        server.commit()
    if changed >= MANY:
        for table in TABLES:
            server.execute(f"ANALYZE {table.name}")
        server.commit()
    return Result(changed=changed, equal=snapshots == 1)


def _parts(db: View, server: Connection, crawl: int) -> Iterator[Part]:
    existing = existing_tables(db)
    for table in TABLES:
        last = Copy(server=server, crawl=crawl, table=table).last_block() * checksums.BLOCK
        if not table.by_range:
            yield Part(table=table, first=0, end=END)
            continue
        if existing.issuperset(table.needs):
            source, _, column = table.source_key.rpartition(".")
            query = f"SELECT coalesce(max({column}), 0) FROM {source or table.needs[0]}"
            last = max(last, db.execute(query).fetchone()[0])
        for first in range(0, last + 1, CHUNK):
            yield Part(table=table, first=first, end=END if first + CHUNK > last else first + CHUNK)


def _compare_part(db: View, server: Connection, crawl: int, part: Part, existing: set[str]) -> Iterator[int]:
    copy = Copy(server=server, crawl=crawl, table=part.table)
    exists = existing.issuperset(part.table.needs)
    new = checksums.of_range(db, part.table, part.first, part.end) if exists else {}
    old = copy.range(part.first, part.end)
    keys = [key for key in old.keys() | new.keys() if old.get(key) != new.get(key)]
    yield from copy.replace(db, old, new, keys)
