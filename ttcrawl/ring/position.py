"""Positions in the archive, without the libraries that read and write it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ttcrawl.ring.messages import Archived


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where a series continues: bytes behind `end` in file `number` are unknown to the crawl and are cut off."""

    series: int
    number: int = 0
    end: int = 0
    run: str = ""  # id of the run, written into the files that begin in it

    @property
    def file(self) -> str:
        return f"ttcrawl-{self.series}-{self.number:05d}.warc.gz"

    def after(self, archived: Archived) -> Position:
        """Return the position of the series behind a record."""
        _, number = _numbers(archived.file)
        return Position(series=self.series, number=number, end=archived.offset + archived.length, run=self.run)

    def next_file(self) -> Position:
        return replace(self, number=self.number + 1, end=0)


def is_name(file: str) -> bool:
    """Whether a file of a series may have this name."""
    return re.fullmatch(r"ttcrawl-\d+-\d{5,}\.warc\.gz", file, re.ASCII) is not None


def position_of(file: str, end: int) -> Position:
    """Return the position `end` in a file of this name."""
    series, number = _numbers(file)
    return Position(series=series, number=number, end=end)


def _numbers(file: str) -> tuple[int, int]:
    """Return series and number of a file of this name."""
    series, number = file.removesuffix(".warc.gz").split("-")[-2:]
    return int(series), int(number)


def position_after(archived: Archived) -> Position:
    """Return the position of a series behind a record."""
    return position_of(archived.file, archived.offset + archived.length)
