"""Rows read in pieces: whoever waits between two of them keeps no snapshot of a crawl that runs.

The rows are those up to the last key at the start. Each piece is read from a snapshot of its own: a row that changes
meanwhile is as it was when its piece was read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from ttcrawl.snapshot.snapshot import View

R = TypeVar("R")

#: A key, and its rows.
Group: TypeAlias = tuple[int, tuple[R, ...]]

#: Smaller than each key.
FIRST = -(1 << 63)

#: Keys of a piece, at most.
KEYS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces(Generic[R]):
    """`last`: the last key; None: there are no rows. `after(db, key, last)`: the groups of some keys behind a key."""

    last: Callable[[View], int | None]
    after: Callable[[View, int, int | None], list[Group[R]]]

    def rows(self, db: View) -> Iterator[R]:
        """All rows. While the caller has one, no snapshot is open."""
        position, last = FIRST, self.last(db)
        while piece := self.after(db, position, last):
            db.rest()
            for key, rows in piece:
                yield from rows
                position = key
            db.renew()
        db.rest()

    def rows_of_one_snapshot(self, db: View) -> Iterator[R]:
        """All rows as of the snapshot that is open, or begins now: it stays open, so the log of a crawl grows."""
        position, last = FIRST, self.last(db)
        while piece := self.after(db, position, last):
            for key, rows in piece:
                yield from rows
                position = key

    def rows_in_snapshots(self, db: View, ends: Callable[[], bool], rested: Callable[[], None]) -> Iterator[R]:
        """All rows. While the caller has one, the snapshot from which it was read is open, so that more can be read.

        `ends`: whether the piece ends behind this key. `rested` is called behind each piece, without a snapshot.
        """
        position, last = FIRST, self.last(db)
        while piece := self.after(db, position, last):
            for key, rows in piece:
                yield from rows
                position = key
                if ends():
                    break
            db.rest()
            rested()
            db.renew()
        db.rest()


def of_query(
    expressions: str, source: str, key: str, row: Callable[..., R], *, where: str = "true", keys: int = KEYS
) -> Pieces[R]:
    """The rows of a query, with one row for each key. `source` begins with the table of the key."""
    table = source.split()[0]
    query = (
        f"SELECT {key}, {expressions} FROM {source} WHERE {key} > ? AND {key} <= ? AND ({where})"
        f" ORDER BY {key} LIMIT {keys}"
    )

    def last(db: View) -> int | None:
        key_of_last: int | None = db.execute(f"SELECT max({key}) FROM {table}").fetchone()[0]
        return key_of_last

    def after(db: View, position: int, last: int | None) -> list[Group[R]]:
        return [(number, (row(*values),)) for number, *values in db.execute(query, (position, last))]

    return Pieces(last=last, after=after)
