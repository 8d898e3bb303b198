"""Rows in groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def groups(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    """The rows, `size` at a time."""
    rest = iter(rows)
    while group := list(islice(rest, size)):
        yield group
