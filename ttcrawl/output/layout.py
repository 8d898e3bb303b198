"""Sections of rows: the content of the report, without a layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ttcrawl.frozen import frozen

Value: TypeAlias = int | float | str | None
MOST_REASONS = 25  # rows of a break-down; servers choose some reasons, so their number is unlimited

#: What the word means in every table and figure.
PAGES = "Pages crawled are all URLs with a response of any status except redirects"


@frozen
class Row:
    """`values` has one value for each column of the section, crawl after crawl."""

    label: str
    values: tuple[Value, ...]
    foot: bool = False  # a sum or a rest, which stays below when a reader sorts the rows


@frozen
class Section:
    """A table of a report, with its title."""

    title: str
    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ("",)  # for each crawl
    subject: str = ""  # what each row is about, if the rows are a list: site, type ...
    prose: bool = False  # values are words, not numbers
    how: str = ""  # how the figures are computed, unless that is obvious
    hows: tuple[str, ...] = ()  # the same for each crawl, if it differs between crawls
    statements: tuple[str, ...] = ()  # what the figures of each crawl amount to, in a sentence
    links: str = ""  # which links it is about: main or all; "": both, or none
    alone: bool = False  # shown only to those who asked for these links
    group: str = ""  # its group in the HTML report, if it is another than the group of its part


def explanations(section: Section, names: Sequence[str]) -> list[str]:
    """What the figures amount to and how they are computed, one paragraph each.

    What is so for all crawls comes without names, what differs between crawls under theirs.
    """
    return [*statements(section, names), *methods(section, names)]


def statements(section: Section, names: Sequence[str]) -> list[str]:
    """What the figures amount to."""
    return _by_crawl(section.statements, names)


def methods(section: Section, names: Sequence[str]) -> list[str]:
    """How the figures are computed."""
    return [*filter(None, [section.how]), *_by_crawl(section.hows, names)]


def _by_crawl(texts: Sequence[str], names: Sequence[str]) -> list[str]:
    crawls: dict[str, list[str]] = {}
    for name, text in zip(names, texts, strict=True) if texts else ():
        if text:
            crawls.setdefault(text, []).append(name)
    same = len(crawls) == 1 and all(texts)
    return [text if same else f"{', '.join(of)}: {text}" for text, of in crawls.items()]


def most(counts: Sequence[Mapping[str, int]]) -> tuple[list[str], list[str]]:
    """The keys with the highest counts in all crawls, and the rest: with one row for it, at most MOST_REASONS."""
    together: Counter[str] = Counter()
    for each in counts:
        together.update(each)
    names = [name for name, _ in sorted(together.items(), key=lambda each: (-each[1], each[0]))]
    count = len(names) if len(names) <= MOST_REASONS else MOST_REASONS - 1
    return names[:count], names[count:]
