"""Sections of rows: what the report says, still without any layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Value: TypeAlias = int | float | str | None
MOST_REASONS = 25  # rows of a break-down; reasons can hold words of a server, so their number has no bound


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """`values` has, crawl after crawl, one value for each column of the section."""

    label: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    title: str
    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ("",)  # of each crawl
    prose: bool = False  # values are words, not numbers
    how: str = ""  # how the figures were computed, where that is not plain
