"""What one part of the report is: a row of the table in ttcrawl.report.study."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from ttcrawl.frozen import frozen
from ttcrawl.output.layout import Section

if TYPE_CHECKING:
    from ttcrawl.report.sources import Sources


class Group(StrEnum):
    """The groups of the HTML report, in order."""

    RUN = "Run"
    SITES = "Sites"
    TOPIC = "Topic"
    CONTENTS = "Contents"
    GRAPH = "Links and graph"
    GROWTH = "Growth and laws"


class PartFile(Protocol):
    """A file in ttcrawl/report/parts. Its record is a frozen dataclass of plain values: it is cached, and JSON."""

    def read(self, sources: Sources, /) -> Any:
        """The figures of one crawl."""

    def sections(self, crawls: Sequence[Any], /) -> Sequence[Section]:
        """The tables of one crawl, or of several side by side; none if there is nothing to show."""


@frozen
class Part:
    file: PartFile
    group: Group
    step: str  # what is read, for the display of progress
    cached: bool  # as a whole


def part(file: PartFile, group: Group, step: str, *, cached: bool = True) -> dict[str, Part]:
    """The metadata of a field of Study."""
    return {"part": Part(file=file, group=group, step=step, cached=cached)}
