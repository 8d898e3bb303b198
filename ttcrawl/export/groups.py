"""Rows in groups of bounded size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

#: Rows of a group of Parquet at most, and bytes or characters of its values after which it ends.
ROWS, SIZE = 20_000, 8 << 20


def groups(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    """The rows, `size` at a time."""
    rest = iter(rows)
    while group := list(islice(rest, size)):
        yield group


def row_groups(rows: Iterable[tuple[T, int]]) -> Iterator[list[T]]:
    """The row groups of Parquet, of rows with their sizes. A row that is larger than a group ends one."""
    group: list[T] = []
    total = 0
    for row, size in rows:
        group.append(row)
        total += size
        if total >= SIZE or len(group) >= ROWS:
            yield group
            group, total = [], 0
    if group:
        yield group
