"""The score of an area: how many of a hundred pages have no error and no warning there.

It weighs nothing, so a reader can count it again: a page with one error counts as a page with ten. Notices inform, and
do not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ttcrawl.inspect.check.catalogue.kind import ERROR, LEVELS, NOTICE, WARNING
from ttcrawl.inspect.check.overview.pages import PageProblems
from ttcrawl.inspect.check.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Pages by their worst problem. `elsewhere`: errors and warnings that are on no page."""

    pages: int
    errors: int
    warnings: int
    notices: int
    elsewhere: int

    @property
    def fine(self) -> int:
        """Pages without an error and a warning."""
        return self.pages - self.errors - self.warnings

    @property
    def percent(self) -> int | None:
        """Of `fine`, rounded down: 100 is every page, and 0 is said of less than a hundredth, too. None: no page."""
        return 100 * self.fine // self.pages if self.pages else None


def score(pages: int, problems: Mapping[str, PageProblems], kinds: Collection[str], rules: Rules) -> Score:
    """The score of the pages of a crawl (`pages`: their number) in the kinds of an area."""
    worst = Counter[str]()
    for url, of_page in problems.items():
        levels = {rules.level(each.kind) for each in of_page.problems if each.kind in kinds}
        if url and levels:
            worst[min(levels, key=LEVELS.index)] += 1
    elsewhere = problems[""].problems if "" in problems else ()
    return Score(
        pages=pages,
        errors=worst[ERROR],
        warnings=worst[WARNING],
        notices=worst[NOTICE],
        elsewhere=sum(each.kind in kinds and rules.level(each.kind) != NOTICE for each in elsewhere),
    )
