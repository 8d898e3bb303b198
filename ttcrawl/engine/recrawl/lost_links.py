"""Links that vanish: a URL to which no page links any more loses its claim to be visited, until a link appears again.

A page that has changed says which links it had and has. A day after a link vanished, the links of all pages are looked
through for another one, in short steps between other work; a kill begins that again. The cost follows the changes: a
crawl in which no link vanishes looks through nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from ttcrawl.recrawl.prior import DAY
from ttcrawl.store.unlinked import Unlinked

#: URLs that are looked for at once, and answers whose links are looked through in one step.
MOST, STEP = 100_000, 500


class LostLinks:
    """Part of the crawl process, of crawls that are continued. `seeds`: keys of the seeds, which need no link.

    `due` is called when a URL is to be visited now.
    """

    def __init__(self, table: Unlinked, seeds: frozenset[int], longest: float, due: Callable[[], None]) -> None:
        self._table = table
        self._seeds = seeds
        self._longest = longest
        self._due = due
        self._any, first = table.any, table.first_lost
        self._next = float("inf") if first is None else first + DAY  # when all links are looked through
        self._candidates = dict[int, int]()  # key -> id of URLs for which no link was found yet
        self._linked = dict[int, int]()  # the others
        self._position = 0  # id of the last URL whose links were looked through; 0: none is under way

    def before(self, url: int) -> frozenset[int]:
        """Return the links of a page that is about to change."""
        return self._table.links(url)

    def changed(self, url: int, before: frozenset[int], now: float) -> None:
        """Compare the links of a page with those before."""
        after = self._table.links(url)
        if vanished := before - after - self._seeds:
            self._table.lost(vanished, now)
            self._any = True
            for key in vanished & self._linked.keys():  # it was found on this page
                del self._linked[key]
            self._next = min(self._next, now + DAY)
        self._found(after, now)

    def appeared(self, url: int, now: float) -> None:
        """Note the links of a page that was answered for the first time."""
        if self._any:
            self._found(self._table.links(url), now)

    def _found(self, keys: frozenset[int], now: float) -> None:
        if not self._any or not keys:
            return
        for key in keys & self._candidates.keys():
            del self._candidates[key]
        if self._table.linked(keys, now):
            self._due()

    def is_unlinked(self, url: int) -> bool:
        """Whether no page links to a URL any more."""
        return self._any and self._table.is_unlinked(url)

    def pending(self, now: float) -> bool:
        """Whether the links of all pages are, or should be, looked through."""
        return now >= self._next

    def step(self, now: float) -> None:
        """Look through the links of some pages."""
        if not self._position:
            self._candidates = self._table.candidates(MOST)
        rows = self._table.sources(self._position, STEP) if self._candidates else []
        for _, own, targets in rows:
            for key in self._candidates.keys() & set(json.loads(targets)):
                if key != own:
                    self._linked[key] = self._candidates.pop(key)
        if len(rows) == STEP:
            self._position = rows[-1][0]
            return
        self._table.still_linked(self._linked.values())
        self._table.confirm(self._candidates.values(), now, self._longest)
        self._position, first = 0, self._table.first_lost
        self._next = float("inf") if first is None else now + DAY
        self._any = self._table.any
        self._candidates.clear()
        self._linked.clear()
