"""Which sections and figures of a report stand together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ttcrawl.output.layout import Section


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A figure as an SVG element."""

    caption: str
    svg: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    title: str
    sections: Sequence[Section]
    figures: Sequence[Drawing] = ()


#: Title of a group -> its parts of the report (see SECTIONS of study.py), its figures.
GROUPS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "Run": (("summary", "politeness", "waiting", "revisits", "browser"), ()),
    "Sites": (("sites", "course"), ()),
    "Topic": (("topic",), ("topic",)),
    "Contents": (("content", "duplicates", "soft_404", "repeats"), ("content", "lsh")),
    "Links and graph": (("graph",), ("degrees",)),
    "Growth and laws": (("laws", "estimates"), ("growth", "laws", "discovery", "zipf")),
}

#: Sections that stand in another group than their part.
ELSEWHERE = {
    "Links on pages": "Links and graph",
    "Links by kind": "Links and graph",
    "Seen filter": "Growth and laws",
    "Growth of distinct URLs": "Growth and laws",
}


def grouped(parts: Mapping[str, Sequence[Section]], figures: Mapping[str, Drawing]) -> list[Group]:
    """The groups of a report: the sections of each part and the figures, both by name."""
    group_of = {part: title for title, (names, _) in GROUPS.items() for part in names}
    sections: dict[str, list[Section]] = {title: [] for title in GROUPS}
    for part, of_part in parts.items():
        for section in of_part:
            sections[ELSEWHERE.get(section.title, group_of[part])].append(section)
    return [
        Group(title=title, sections=sections[title], figures=[figures[name] for name in names if name in figures])
        for title, (_, names) in GROUPS.items()
    ]
