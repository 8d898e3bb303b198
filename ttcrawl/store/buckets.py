"""The first page of each bucket, as a log-structured merge behind a filter.

A page has up to 18 keys, random 64-bit numbers, and most of them are new. Three things keep their cost the same at ten
thousand pages and at a million. A filter of bits answers "surely new" without a look-up (like the seen set, B. H. Bloom
1970, with one bit per key: a wrong "perhaps" only costs a look-up). New keys go to a memory that is divided by their
leading bits. A sweep runs through these parts in rounds; with every commit it writes the next few into the table, in
order, so that each page of the table takes many at once (P. O'Neil et al., The log-structured merge-tree, Acta
Informatica 33, 1996).

Nothing depends on the memory. The table is complete for the fingerprints up to `bucketed` in table `crawl`, and its
keys are always up to date. When a crawl continues, the later pages are added anew.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from ttcrawl.store import filters, index
from ttcrawl.store.bucket_memory import PARTS, new_memory, part_of
from ttcrawl.store.filters import Filters

#: Parts of the memory that are written at once.
AT_ONCE = 64

_NOTHING: Iterator[None] = iter(())


class Sizes(Struct, frozen=True, kw_only=True):
    """How much new data of crawl.db stays in memory, and how much moves at once: the costs and limits of the store.

    `new_urls` and `new_pages`: those of one round of a sweep. Memory has their keys (12 bytes each for those of
    pages), and twice as many rows are read on resume."""

    new_urls: int = index.ROUND
    new_pages: int = 50_000
    copied: int = 20_000  # keys copied to a larger filter with each commit, until it has all of them
    filters: tuple[int, ...] = filters.SIZES  # bits


#: For millions of pages.
USUAL = Sizes()


class Buckets:
    """Part of the store; works in its transactions. Call `open` first."""

    def __init__(self, db: sqlite3.Connection, sizes: Sizes = USUAL) -> None:
        self._db, self._sizes = db, sizes
        self.close()

    # -- the memory -----------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Forget the contents of memory, which may have been rolled back."""
        self._open = False
        self._memory = new_memory()
        self._filters, self._copied = Filters(sizes=self._sizes.filters), _NOTHING
        self._last = self._goal = 0  # numbers of the last page added, now and at the start of this round
        self._added = 0
        self._swept = 0.0
        self._at = 0  # the parts before this one were written in this round
        self._first_round = False  # into an empty table, which has no other parts
        self.incomplete = False  # a bucket lacks pages: `open` returns 0, so that all are added again

    def open(self) -> int:
        """Return the page up to which the table is complete; the caller adds the later ones."""
        self.close()
        row = self._db.execute("SELECT value FROM crawl WHERE name = 'bucketed'").fetchone()
        self._last = self._goal = int(row[0]) if row else 0
        count: int = self._db.execute("SELECT count(*) FROM bucket").fetchone()[0]
        self._filters, self._first_round = Filters(count, self._sizes.filters), not count
        for keys in self._stored():
            self._filters.add(keys)
            self._filters.crowd(keys)  # as far as is known now
        self._open = True
        return self._last

    def _stored(self) -> Iterator[tuple[int, ...]]:
        """Yield the keys in the table in order, in segments, as they are when each segment is read."""
        last = float("-inf")
        while rows := self._db.execute(
            "SELECT key FROM bucket WHERE key > ? ORDER BY key LIMIT ?", (last, self._sizes.copied)
        ).fetchall():
            last = rows[-1][0]
            yield tuple(key for (key,) in rows)

    def _copies(self) -> Iterator[None]:
        """Copy all keys into a larger filter, a few at a time.

        `_move` copies the keys that it moves from memory to the table meanwhile, because this scan may miss them.
        """
        for keys in self._stored():
            self._filters.copy(keys)
            yield
        copied = 0
        for part in map(self._memory.keys, range(PARTS)):
            self._filters.copy(part)
            copied += len(part)
            if copied >= self._sizes.copied:
                yield
                copied = 0
        self._filters.grown()

    # -- looking up and adding ------------------------------------------------------------------------------------

    def first(self, keys: Sequence[int]) -> dict[int, int]:
        """Return key -> first page, for the buckets that have one."""
        perhaps = self._filters.there(keys)
        if not perhaps:
            return {}
        found = self._memory.pages(perhaps)
        written = self._at if self._first_round else PARTS
        if elsewhere := [key for key in perhaps if key not in found and part_of(key) < written]:
            marks = ", ".join("?" * len(elsewhere))
            found.update(self._db.execute(f"SELECT key, n FROM bucket WHERE key IN ({marks})", elsewhere))
        return found

    def add(self, keys: Sequence[int], page: int) -> None:
        """Add a page that is the only one in these buckets. Pages are added in rising order (without keys too)."""
        self._filters.add(keys)
        self._memory.add(keys, page)
        if page > self._last:
            self._last = page
            self._added += 1

    def crowd(self, keys: Collection[int]) -> None:
        """Note that these buckets have several pages."""
        self._filters.crowd(keys)

    def crowded(self, keys: Collection[int]) -> list[int]:
        """Return the buckets that may have several pages; of those from before this run it is unknown."""
        return self._filters.crowded(keys)

    def replace(self, keys: Collection[int], page: int) -> None:
        """Make a page the first one of these buckets."""
        if elsewhere := self._memory.replace(keys, page):
            self._db.executemany("UPDATE bucket SET n = ? WHERE key = ?", [(page, key) for key in elsewhere])

    def remove(self, keys: Sequence[int]) -> None:
        """Remove buckets whose first page has changed."""
        if elsewhere := self._memory.remove(keys):
            self._db.executemany("DELETE FROM bucket WHERE key = ?", [(key,) for key in elsewhere])

    def lack_pages(self) -> None:
        """Note that removed buckets had several pages."""
        self.incomplete = True
        self._complete_to(0)

    # -- the sweep ------------------------------------------------------------------------------------------------

    def sweep(self) -> None:
        """Continue the round by a share that matches the number of new pages."""
        self._swept += self._added / self._sizes.new_pages
        self._added = 0
        if self._swept >= 1:
            self._move(PARTS)
            self._begin_round(self._goal)
        else:
            self._move(int(self._swept * PARTS))
        if self._filters.full:
            self._filters.grow()
            self._copied = self._copies()
        next(self._copied, None)

    def complete(self) -> None:
        """Write all keys in memory."""
        if self._open:
            self._at = 0
            self._move(PARTS)
            self._begin_round(self._last)

    def _begin_round(self, complete: int) -> None:
        self._complete_to(0 if self.incomplete else complete)
        self._goal = self._last
        self._swept = 0.0
        self._at = 0
        self._first_round = False

    def _complete_to(self, page: int) -> None:
        self._db.execute("INSERT OR REPLACE INTO crawl VALUES ('bucketed', ?)", (str(page),))

    def _move(self, to: int) -> None:
        """Write the parts up to this one."""
        if to > self._at:
            self._db.executemany("INSERT OR REPLACE INTO bucket VALUES (?, ?)", self._taken(self._at, to))
            self._at = to

    def _taken(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the rows of these parts of memory, which are removed from it, a few parts at a time."""
        for part in range(first, end, AT_ONCE):
            rows = self._memory.take(part, min(part + AT_ONCE, end))
            if self._filters.growing:
                self._filters.copy([key for key, _ in rows])
            yield from rows
