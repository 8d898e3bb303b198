"""Positions in the archive, without the libraries that read and write it.

A WARC file is CRAWL-TIME-SERIES-NUMBER-HOST.warc.gz: the directory of the crawl (of a ring: CLUSTER-RING), when this
run of it began, or the file ([store] warc_daily), in UTC, the parse process, its file, and the machine.
Earlier versions wrote ttcrawl-SERIES-NUMBER.warc.gz.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from msgspec import Struct, field
from msgspec.structs import replace

from ttcrawl.ring.messages import Archived

NAME = re.compile(
    r"(?:ttcrawl|[A-Za-z0-9._-]+-(?P<time>\d{14}))-(?P<series>\d+)-(?P<number>\d{5,})(?:-[A-Za-z0-9._]+)?\.warc\.gz",
    re.ASCII,
)

#: Longest CRAWL and HOST, characters; a file name has 255 bytes at most.
LONGEST = 80

#: Characters of a time that are its day.
DAY = 8


class Run(Struct, frozen=True, kw_only=True):
    """One run of a crawl, from its start or resume to its end; it begins new files."""

    id: str = ""  # written into the files that begin in it
    crawl: str = "crawl"  # the directory of the crawl
    time: str = "00000000000000"  # when it began, or a file of a later day: YYYYMMDDhhmmss, UTC
    host: str = "localhost"  # the machine
    information: tuple[tuple[str, str], ...] = ()  # of the first record of each file


class Position(Struct, frozen=True, kw_only=True):
    """Where a series continues: bytes behind `end` in file `number` are unknown to the crawl and are cut off."""

    series: int
    number: int = 0
    end: int = 0
    run: Run = field(default_factory=Run)

    @property
    def file(self) -> str:
        # a host has no hyphen here, so the name has one reading
        crawl = re.sub("[^A-Za-z0-9._-]+", "_", self.run.crawl).strip(".-")[:LONGEST] or "crawl"
        host = re.sub("[^A-Za-z0-9.]+", "_", self.run.host).strip(".")[:LONGEST] or "localhost"
        return f"{crawl}-{self.run.time}-{self.series}-{self.number:05d}-{host}.warc.gz"

    def after(self, archived: Archived) -> Position:
        """Return the position of the series behind a record of this run."""
        match = _match(archived.file)
        run = replace(self.run, time=match["time"] or self.run.time)  # another one if its day has begun since
        return replace(self, number=int(match["number"]), end=archived.offset + archived.length, run=run)

    def next_file(self) -> Position:
        return replace(self, number=self.number + 1, end=0)

    def next_day(self, moment: float) -> Position | None:
        """Return the position at which the day of a moment begins a new file, in seconds since the epoch.

        None: the file is of that day, or of a later one, because answers come in another order than their requests.
        """
        time = datetime.fromtimestamp(moment, UTC).strftime("%Y%m%d%H%M%S")
        if time[:DAY] <= self.run.time[:DAY]:
            return None
        return replace(self.next_file(), run=replace(self.run, time=time))


class Archives:
    """One series of WARC files for each parse process, and where it ends by the outcomes that were received."""

    def __init__(self, positions: Iterable[Position]) -> None:
        self._positions = {each.series: each for each in positions}
        self._last: dict[int, Archived] = {}  # by series: the last record since its position was computed
        self._grown: dict[str, int] = {}

    def add(self, series: int, archived: Archived) -> None:
        """Note the record of an outcome; an irrelevant page may have none."""
        if not archived.file:
            return
        self._last[series] = archived
        self._grown[archived.file] = archived.offset + archived.length

    def end(self, series: int) -> Position | None:
        """Return the position behind the last record of a series; None: it has none, because nothing is archived."""
        if (archived := self._last.pop(series, None)) is not None:
            self._positions[series] = self._positions[series].after(archived)
        return self._positions.get(series)

    def grown(self) -> dict[str, int]:
        """Return the files that have grown since the last call: name -> size up to the last record."""
        grown, self._grown = self._grown, {}
        return grown


def is_name(file: str) -> bool:
    """Whether a file of a series may have this name."""
    return NAME.fullmatch(file) is not None


def _match(file: str) -> re.Match[str]:
    match = NAME.fullmatch(file)
    if match is None:
        raise ValueError(f"{file} is not the name of a WARC file of a crawl")
    return match


def series_and_number(file: str) -> tuple[int, int]:
    """Return series and number of a file of this name. Raises ValueError for another name."""
    match = _match(file)
    return int(match["series"]), int(match["number"])


def with_number(file: str, number: int) -> str:
    """Return the name of another file of the same series and run."""
    match = _match(file)
    return f"{file[: match.start('number')]}{number:05d}{file[match.end('number') :]}"
