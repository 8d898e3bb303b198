"""The tables of a report by the links of the main text, or by all links, instead of both beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ttcrawl.output.layout import Row, Section
from ttcrawl.vocabulary.region import LINK_CHOICES

MAIN, ALL = "main text", "all links"

#: The columns of a table that has both.
BOTH = (MAIN, ALL)


def of_links(sections: Sequence[Section], links: str) -> list[Section]:
    """Only the tables and columns by these `links`, "main" or "all"; "": both. Where both are the same, all stay."""
    if not links:
        return [each for each in sections if not each.alone]
    return [_column(each, LINK_CHOICES.index(links)) for each in sections if each.links in ("", links)]


def _column(section: Section, index: int) -> Section:
    if section.columns != BOTH:
        return section
    rows = tuple(Row(label=row.label, values=row.values[index :: len(BOTH)], foot=row.foot) for row in section.rows)
    return replace(section, rows=rows, columns=BOTH[index : index + 1])
