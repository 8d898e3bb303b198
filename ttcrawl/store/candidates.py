"""Pairs of pages to compare when a run ends: a page, and the pages after the first one in its buckets.

Table `bucket` has the first page of a bucket alone, which is all that a crawl looks up for each page. Where many pages
are alike, a page may resemble another one and not the first. These pairs are collected from the fingerprints, in
temporary tables: SQLite spills them to the disk, so memory is bounded, and a kill leaves nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter

from ttcrawl.ring.messages import NOT_FOLLOWED
from ttcrawl.store.bits import new_bits

#: Pages of a bucket that others are compared with. Over documentation by 21 generators, recall is 0.91 with the first
#: alone, 0.96 with 4, 0.97 with 8, and 0.974 with all of them.
FEW = 8

#: Bits of a filter per key, and of the largest filter (32 MB): beyond 16 million keys it is wrong more often.
BITS, LARGEST = 16, 1 << 28

#: Rows read at once.
SEGMENT = 1000

_TABLES = (
    "CREATE TEMP TABLE sharing (key INTEGER NOT NULL, n INTEGER NOT NULL)",
    "CREATE TEMP TABLE pair (n INTEGER NOT NULL, other INTEGER NOT NULL, PRIMARY KEY (n, other)) WITHOUT ROWID",
)

#: As `ttcrawl.engine.duplicates.marks.order`. CROSS: `sharing` has the order of `fingerprint`, so that is read once.
_IN_ORDER = f"""
    SELECT sharing.key, n, bands FROM temp.sharing CROSS JOIN fingerprint USING (n)
    CROSS JOIN url ON url.id = fingerprint.url ORDER BY sharing.key, coalesce(depth, {NOT_FOLLOWED}), rank, url.url"""


class Candidates:
    """Part of the store; works in its transactions."""

    def __init__(self, db: sqlite3.Connection, flush: Callable[[], None]) -> None:
        self._db, self._flush = db, flush

    def gather(self, few: int, keys: Callable[[bytes], Sequence[int]]) -> None:
        """Collect the pairs. The second to `few`-th page of a bucket, by order, are candidates of the later ones.

        Pages with the same bands share all buckets, and their main texts are nearly the same: the first of them counts.
        `keys`: those of the buckets of a page, from its bands.
        """
        self._flush()
        self.drop()
        for statement in _TABLES:
            self._db.execute(statement)
        self._db.executemany("INSERT INTO temp.sharing VALUES (?, ?)", self._sharing(keys))
        self._db.executemany("INSERT OR IGNORE INTO temp.pair VALUES (?, ?)", self._pairs(few))
        self._db.execute("DROP TABLE temp.sharing")

    def drop(self) -> None:
        for table in ("sharing", "pair"):
            self._db.execute(f"DROP TABLE IF EXISTS temp.{table}")

    def after(self, n: int, count: int) -> list[int]:
        """The numbers of the next pages that have candidates."""
        rows = self._db.execute("SELECT DISTINCT n FROM temp.pair WHERE n > ? ORDER BY n LIMIT ?", (n, count))
        return [n for (n,) in rows]

    def of(self, n: int) -> list[int]:
        """The numbers of the candidates of a page, all of which come before it."""
        return [other for (other,) in self._db.execute("SELECT other FROM temp.pair WHERE n = ?", (n,))]

    def _sharing(self, keys: Callable[[bytes], Sequence[int]]) -> Iterator[tuple[int, int]]:
        """Yield (key, page) of the buckets of three and more pages, and of some others: in a bucket of two, the one
        that comes before the other is the first."""
        (count,) = self._db.execute("SELECT coalesce(sum(length(bands)), 0) / 8 FROM fingerprint").fetchone()
        size = min(LARGEST, 1 << (BITS * count).bit_length())
        once, twice, thrice = new_bits(size), new_bits(size), new_bits(size)
        for _, bands in self._banded():
            of_page = keys(bands)
            if again := once.perhaps(of_page):
                thrice.add(twice.perhaps(again))
                twice.add(again)
            once.add(of_page)
        for n, bands in self._banded():
            for key in thrice.perhaps(keys(bands)):
                yield key, n

    def _pairs(self, few: int) -> Iterator[tuple[int, int]]:
        for _, pages in groupby(self._db.execute(_IN_ORDER), key=itemgetter(0)):
            members = dict[bytes, int]()
            for _, n, bands in pages:
                for other in islice(members.values(), 1, None):
                    yield n, other
                if len(members) < few:
                    members.setdefault(bands, n)

    def _banded(self) -> Iterator[tuple[int, bytes]]:
        """Yield (number, bands) of the pages that can be near-duplicates."""
        last = 0
        while rows := self._db.execute(
            "SELECT n, bands FROM fingerprint WHERE n > ? AND bands != x'' ORDER BY n LIMIT ?", (last, SEGMENT)
        ).fetchall():
            last = rows[-1][0]
            yield from rows
