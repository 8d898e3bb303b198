"""Sections of rows: what the report says, still without any layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
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
    hows: tuple[str, ...] = ()  # the same of each crawl, where it differs from crawl to crawl


def told(section: Section, names: Sequence[str]) -> list[str]:
    """How the figures were computed, a paragraph each: of all crawls, then of those that differ, by their names."""
    of: dict[str, list[str]] = {}
    for name, how in zip(names, section.hows, strict=True) if section.hows else ():
        of.setdefault(how, []).append(name)
    common = [section.how] if section.how else []
    return common + [f"{', '.join(some)}: {how}" if len(of) > 1 else how for how, some in of.items()]


def most(counts: Sequence[Mapping[str, int]]) -> tuple[list[str], list[str]]:
    """The keys that count most in all crawls together, and the rest: with one row for it they are MOST_REASONS."""
    together: Counter[str] = Counter()
    for each in counts:
        together.update(each)
    names = [name for name, _ in sorted(together.items(), key=lambda each: (-each[1], each[0]))]
    shown = len(names) if len(names) <= MOST_REASONS else MOST_REASONS - 1
    return names[:shown], names[shown:]
