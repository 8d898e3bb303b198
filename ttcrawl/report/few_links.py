"""Link occurrences counted without numpy, whose import takes longer than to count the links of a small crawl."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ttcrawl import core
from ttcrawl.errors import installed
from ttcrawl.frozen import frozen
from ttcrawl.report.summary import Tally
from ttcrawl.report.target_counts import CONTENT, ELSEWHERE, TargetCounts, new_target_counts
from ttcrawl.snapshot.main_links import OUTSIDE_CONTENT
from ttcrawl.snapshot.outlinks import keys_of_row, rows
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.region import mask

if TYPE_CHECKING:
    from ttcrawl.core import native

#: Regions to whether a link lies inside the content region. Links of kinds that are not followed are in neither.
IN_CONTENT = mask(lambda region: region.content)
REDIRECT = ord("R")

#: Regions to where a link stands, for `bytes.translate`.
_POSITIONS = bytes(
    CONTENT if content else ELSEWHERE * other for content, other in zip(IN_CONTENT, OUTSIDE_CONTENT, strict=True)
)

#: Python alone counts these in 0.06 s, half of what the import of numpy takes. The core counts ten million in 1 s.
FEW = 50_000


@frozen
class FewOccurrences:
    """How often each URL key is linked to, inside the content region and elsewhere."""

    counts: TargetCounts | native.TargetCounts

    def distinct(self) -> tuple[int, int, int]:
        """The number of keys linked to inside the content region, elsewhere, and in all."""
        return self.counts.distinct()

    def refused(self, urls: Iterable[tuple[int, bool]], *, follow_all: bool) -> tuple[Tally, Tally]:
        """See ttcrawl.report.links.Occurrences."""
        counts: tuple[list[int], list[int]] = ([], [])  # of those out of scope, of those blocked by robots.txt
        for key, by_robots in urls:
            content, elsewhere = self.counts.of(key)
            everywhere = follow_all or not by_robots
            counts[by_robots].append(content + elsewhere if everywhere else content)
        out_of_scope, blocked = (Tally(total=sum(each), distinct=len(each) - each.count(0)) for each in counts)
        return blocked, out_of_scope


def few_occurrences(db: View, most: int = FEW) -> FewOccurrences | None:
    """Counts every link of every page except redirects; None if numpy is to do it: there are more than `most`, and no
    compiled core. Raises ValueError for a damaged row."""
    if core.native is None and not _few(db, most) and installed("numpy"):
        return None
    counts = new_target_counts()
    for source, targets, kinds, regions, _ in rows(db):
        positions = regions.translate(_POSITIONS)
        if REDIRECT in kinds:
            positions = bytes(
                0 if kind == REDIRECT else position for kind, position in zip(kinds, positions, strict=True)
            )
        if not counts.add(targets, positions):  # else it is packed in another way
            counts.add(json.dumps(keys_of_row(source, targets, len(kinds)), separators=(",", ":")), positions)
    return FewOccurrences(counts=counts)


def _few(db: View, most: int) -> bool:
    """SQLite knows the length of a value without reading it."""
    for (links,) in db.execute("SELECT length(kinds) FROM outlinks"):
        most -= links
        if most < 0:
            return False
    return True
