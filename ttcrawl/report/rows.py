"""Rows of figures of crawls side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import TypeVar

from ttcrawl.output import moments
from ttcrawl.output.layout import Row, Value

T = TypeVar("T")


def row(label: str, crawls: Iterable[T], *values: Callable[[T], Value], foot: bool = False) -> Row:
    """A row with these values of each crawl, one for each column."""
    return Row(label=label, values=tuple(value(each) for each in crawls for value in values), foot=foot)


def row_if(label: str, records: Iterable[T | None], value: Callable[[T], Value]) -> Row:
    """A row with this value of the record of each crawl; None if it has no such record."""
    return Row(label=label, values=tuple(None if each is None else value(each) for each in records))


def row_of(label: str, values: Iterable[Sequence[Value]], *, foot: bool = False) -> Row:
    """A row with the values of all columns of each crawl."""
    return Row(label=label, values=tuple(chain.from_iterable(values)), foot=foot)


def percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def share(count: int, total: int) -> float | None:
    """None: there is nothing to be a share of."""
    return count / total if total else None


def moment(seconds: float) -> str | None:
    """Seconds since the epoch as a moment in UTC, to the second; None for 0."""
    return moments.moment(seconds)[:19] if seconds else None
