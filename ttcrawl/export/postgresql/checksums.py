"""Checksums of rows: which keys of a table differ between crawl.db and PostgreSQL. Pure, apart from the queries.

The checksum of a key is the sum of the hashes of its rows, so that their order does not matter. PostgreSQL has the
checksums of 256 keys in a row of table `ttcrawl.checksum`: for each key its last byte and eight bytes.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec
import xxhash

from ttcrawl.export.postgresql.table import Table
from ttcrawl.snapshot.snapshot import View

#: Keys in a block of checksums, and the bytes of one.
BLOCK, SIZE = 256, 8

#: Of the rows in PostgreSQL: a version that makes them otherwise counts on, and all rows are replaced.
VERSION = 6

_MASK = (1 << 64) - 1
_encode = msgspec.msgpack.Encoder().encode


def of_range(db: View, table: Table, first: int, end: int) -> dict[int, int]:
    """Return key -> checksum for the keys from `first` up to `end`."""
    return _sums(db.execute(table.query("BETWEEN ? AND ? - 1"), (first, end)))


def first(db: View, table: Table, key: int, most: int) -> dict[int, int]:
    """Return key -> checksum for the first keys from `key` on, of a table with one row for each."""
    return _sums(db.execute(f"{table.query('>= ?')} ORDER BY 1 LIMIT ?", (key, most)))


def of_keys(db: View, table: Table, keys: Collection[int]) -> dict[int, int]:
    return _sums(db.execute(table.query("IN (SELECT value FROM json_each(?))"), (json.dumps([*keys]),)))


def _sums(rows: Iterable[tuple[Any, ...]]) -> dict[int, int]:
    sums: dict[int, int] = {}
    for row in rows:
        key = row[0]
        sums[key] = sums.get(key, 0) + xxhash.xxh3_64_intdigest(_encode(row), seed=VERSION) & _MASK
    return sums


def packed(block: int, sums: Mapping[int, int]) -> bytes:
    """Return the checksums of the keys in a block.

    >>> unpacked(1, packed(1, {256: 5, 300: 7, 512: 9}))
    {256: 5, 300: 7}
    """
    keys = range(block * BLOCK, (block + 1) * BLOCK)
    return b"".join(bytes([key % BLOCK]) + sums[key].to_bytes(SIZE, "big") for key in keys if key in sums)


def unpacked(block: int, data: bytes) -> dict[int, int]:
    step = 1 + SIZE
    return {
        block * BLOCK + data[start]: int.from_bytes(data[start + 1 : start + step], "big")
        for start in range(0, len(data), step)
    }
