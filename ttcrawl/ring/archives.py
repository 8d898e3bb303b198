"""Where the archive of each parse process ends, by the outcomes that were received."""

from __future__ import annotations

from collections.abc import Iterable

from ttcrawl.ring.messages import Archived
from ttcrawl.ring.position import Position


class Archives:
    """One series of WARC files for each parse process."""

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
