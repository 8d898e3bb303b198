"""What one part of the report is: a row of the table in ttcrawl.report.study."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

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
    """A part of the report, and how it is made."""

    module: str  # in ttcrawl/report/parts
    group: Group
    step: str  # what is read, for the display of progress
    cached: bool  # as a whole; each law is cached by itself
    needs: str  # a library that a crawl does not need; "": none

    @property
    def file(self) -> PartFile:
        """Imported at its first use: a report may show one part, and some need numpy."""
        return cast(PartFile, import_module(f"ttcrawl.report.parts.{self.module}"))


def part(module: str, group: Group, step: str, *, cached: bool = True, needs: str = "") -> dict[str, Part]:
    """The metadata of a field of Study."""
    return {"part": Part(module=module, group=group, step=step, cached=cached, needs=needs)}
