"""What differs between two crawls, for somebody who looks: the first pages of each kind of change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ttcrawl.inspect.changes.diff import LISTED, Change, changes
from ttcrawl.output.steps import Progress
from ttcrawl.snapshot.snapshot import view

#: Pages of each kind of change.
MOST = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The first pages of each kind of change, by URL, and how many there are."""

    counts: Mapping[str, int]
    rows: Mapping[str, Sequence[Change]]

    @property
    def first_kind(self) -> str:
        """The first kind of which there are pages."""
        return next((each for each in LISTED if self.counts[each]), LISTED[0])


def compared(directory: Path, other: Path, progress: Progress) -> Compared:
    """Reads all pages of both crawls. Raises what `view` and `changes` raise."""
    rows: dict[str, list[Change]] = {each: [] for each in LISTED}
    with view(directory) as first, view(other) as second:
        result = changes(first, second, None, None, progress)
        for change in result.rows():
            if len(rows[change.change]) < MOST:
                rows[change.change].append(replace(change, appeared=(), vanished=()))
    return Compared(counts=dict(result.counts), rows=rows)
