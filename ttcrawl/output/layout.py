"""Sections of rows: the content of the report, without a layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Value: TypeAlias = int | float | str | None
MOST_REASONS = 25  # rows of a break-down; servers choose some reasons, so their number is unlimited

#: What the word means in every table and figure.
PAGES = "Pages crawled are all URLs with a response of any status except redirects"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """`values` has one value for each column of the section, crawl after crawl."""

    label: str
    values: tuple[Value, ...]
    foot: bool = False  # a sum or a rest, which stays below when a reader sorts the rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    title: str
    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ("",)  # for each crawl
    subject: str = ""  # what each row is about, if the rows are a list: site, type ...
    prose: bool = False  # values are words, not numbers
    how: str = ""  # how the figures are computed, unless that is obvious
    hows: tuple[str, ...] = ()  # the same for each crawl, if it differs between crawls
    group: str = ""  # its group in the HTML report, if it is another than the group of its part


def explanations(section: Section, names: Sequence[str]) -> list[str]:
    """How the figures are computed, one paragraph each: first for all crawls, then for crawls that differ, by name."""
    crawls_by_how: dict[str, list[str]] = {}
    for name, how in zip(names, section.hows, strict=True) if section.hows else ():
        crawls_by_how.setdefault(how, []).append(name)
    common = [section.how] if section.how else []
    return common + [
        f"{', '.join(crawls)}: {how}" if len(crawls_by_how) > 1 else how for how, crawls in crawls_by_how.items()
    ]


def most(counts: Sequence[Mapping[str, int]]) -> tuple[list[str], list[str]]:
    """The keys with the highest counts in all crawls, and the rest: with one row for it, at most MOST_REASONS."""
    together: Counter[str] = Counter()
    for each in counts:
        together.update(each)
    names = [name for name, _ in sorted(together.items(), key=lambda each: (-each[1], each[0]))]
    count = len(names) if len(names) <= MOST_REASONS else MOST_REASONS - 1
    return names[:count], names[count:]
