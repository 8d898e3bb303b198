"""Places in the archive: all that a crawl process knows of it, apart from the libraries that read and write it."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.messages import Archived


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where a series goes on: everything in file `number` behind `end` is unknown to the crawl and is cut off."""

    series: int
    number: int = 0
    end: int = 0

    @property
    def file(self) -> str:
        return f"ttcrawl-{self.series}-{self.number:05d}.warc.gz"


def position_of(file: str, end: int) -> Position:
    """The place `end` in a file of this name."""
    series, number = file.removesuffix(".warc.gz").split("-")[-2:]
    return Position(series=int(series), number=int(number), end=end)


def position_after(archived: Archived) -> Position:
    """Where a series goes on behind a record."""
    return position_of(archived.file, archived.offset + archived.length)
