"""Link occurrences of a small crawl, counted by Python alone: to import numpy takes longer than to count its links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ttcrawl.report.summary import Tally
from ttcrawl.snapshot.outlinks import keys_of_row, rows
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.region import mask

#: Regions to whether a link lies inside the content region, and outside it (including links that were not followed).
#: Links that are only recorded, because their kind is not followed, are in neither.
IN_CONTENT = mask(lambda region: region.content)
ELSEWHERE = mask(lambda region: not region.content and not region.recorded)
REDIRECT = ord("R")

#: Python counts these in 0.06 s, half of what the import of numpy takes.
FEW = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FewOccurrences:
    """How often each URL key is linked to, inside the content region and elsewhere."""

    content: Counter[int]
    elsewhere: Counter[int]

    def distinct(self) -> tuple[int, int, int]:
        """The number of keys linked to inside the content region, elsewhere, and in all."""
        return len(self.content), len(self.elsewhere), len(self.content.keys() | self.elsewhere.keys())

    def refused(self, urls: Iterable[tuple[int, bool]], *, follow_all: bool) -> tuple[Tally, Tally]:
        """See ttcrawl.report.links.Occurrences."""
        counts: tuple[list[int], list[int]] = ([], [])  # of those out of scope, of those blocked by robots.txt
        for key, by_robots in urls:
            everywhere = follow_all or not by_robots
            counts[by_robots].append(self.content[key] + (self.elsewhere[key] if everywhere else 0))
        out_of_scope, blocked = (Tally(total=sum(each), distinct=len(each) - each.count(0)) for each in counts)
        return blocked, out_of_scope


def few_occurrences(db: View, most: int = FEW) -> FewOccurrences | None:
    """Counts every link of every page except redirects; None if there are more than `most`."""
    if not _few(db, most):
        return None
    content, elsewhere = Counter[int](), Counter[int]()
    for source, targets, kinds, regions, _ in rows(db):
        for key, kind, region in zip(keys_of_row(source, targets, len(kinds)), kinds, regions, strict=True):
            if kind == REDIRECT:
                continue
            if IN_CONTENT[region]:
                content[key] += 1
            elif ELSEWHERE[region]:
                elsewhere[key] += 1
    return FewOccurrences(content=content, elsewhere=elsewhere)


def _few(db: View, most: int) -> bool:
    """SQLite knows the length of a value without reading it."""
    for (links,) in db.execute("SELECT length(kinds) FROM outlinks"):
        most -= links
        if most < 0:
            return False
    return True
