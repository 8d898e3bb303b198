"""The URLs of one host that wait: its queue, and the URLs to visit again.

A host has the first of its queued URLs in memory, up to its horizon; the others are in the database.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterator

from msgspec import Struct, field

from ttcrawl.frontier.backoff import NEVER
from ttcrawl.frontier.visit import Rereading, Visit
from ttcrawl.ring.messages import NOT_FOLLOWED
from ttcrawl.store.rows import Row


class Queued(Struct, kw_only=True, gc=False):
    """A queued URL while it is in memory. `depth` shrinks when a shorter path is found; NOT_FOLLOWED: it is only a page
    requisite."""

    id: int
    url: str
    depth: int
    priority: int
    redirects: int = 0
    off_domain: int = 0
    rank: int = 0
    sitemap: bool = False
    requisite: int = 0  # as in UrlPath
    off_topic: int = 0
    score: int = 0
    demoted: bool = False
    found_on: int | None = None  # the page on which it was first discovered
    attempts: int = 0
    due: float = 0.0
    overloaded_at: float = NEVER  # moment of its last 429 or 503, in this run
    renew: bool = False  # its last request had no complete answer: the next one goes over a new connection
    visit: Visit | Rereading | None = None  # it was answered before, and its row is not queued
    entry: tuple[int, int] | None = None  # its entry in the heap of its host; None: it cannot be taken now


class HostQueue(Struct, kw_only=True, eq=False):
    """The URLs of one host in memory, and where the others begin."""

    # (priority, id) of URLs that may be taken; behind the first one also outdated entries of URLs that were promoted
    heap: list[tuple[int, int]] = field(default_factory=list)
    visits: deque[Queued] = field(default_factory=deque)  # URLs to visit again, that may be taken
    visits_only: bool = False  # its queued URLs stay in the database
    visit_done: bool = False  # its last turn was such a visit: the next one is for a new URL, if there is one
    known: dict[int, Queued] = field(default_factory=dict)  # all URLs in memory: to be taken, put off or in flight
    more: bool = False  # the database has queued URLs behind `horizon`
    horizon: tuple[int, int] = (0, 0)

    def asleep(self) -> None:
        """Note that all queued URLs are in the database only."""
        self.more, self.horizon = not self.visits_only, (-(1 << 63), 0)

    def only_visits(self) -> None:
        """Leave the queued URLs that are not in flight to the database, and take no others."""
        self.visits_only, self.more = True, False
        for _, each in self._valid():
            del self.known[each]
        self.heap.clear()

    def add(self, queued: Queued, bound: int) -> None:
        """Put a URL into the queue; a URL behind the horizon stays in the database."""
        if self.visits_only or (self.more and (queued.priority, queued.id) > self.horizon):
            return
        self.known[queued.id] = queued
        self._push(queued)
        if len(self.heap) > bound:
            self._spill(bound)

    def back(self, queued: Queued) -> None:
        """Let a URL in memory be taken again."""
        if queued.visit is not None:
            self.visits.appendleft(queued)
        elif self.visits_only:
            del self.known[queued.id]
        else:
            self._push(queued)

    def promote(self, queued: Queued, priority: int) -> None:
        """Change the priority of a URL in memory: at once if it is in the heap, else when it returns to the heap."""
        before, queued.priority = queued.priority, priority
        if before == priority or queued.entry is None:
            return
        self._push(queued)  # its old entry stays: to search for it costs more
        self._drop_outdated()
        if len(self.heap) > 2 * len(self.known):
            self.heap = sorted(self._valid())

    def reorder(self, priority: Callable[[Queued], int]) -> None:
        """Change the priorities of all URLs. The database has no others of this host."""
        self.heap.clear()
        for queued in self.known.values():
            queued.priority = priority(queued)
            if queued.entry is not None:
                queued.entry = (queued.priority, queued.id)
                self.heap.append(queued.entry)
        heapq.heapify(self.heap)

    def _push(self, queued: Queued) -> None:
        queued.entry = (queued.priority, queued.id)
        heapq.heappush(self.heap, queued.entry)

    def _spill(self, bound: int) -> None:
        """Leave all but the first half of `bound` URLs to the database."""
        self.heap = sorted(self._valid())  # a sorted list is a heap
        if len(self.heap) <= bound:
            return
        for _, each in self.heap[bound // 2 :]:
            del self.known[each]
        del self.heap[bound // 2 :]
        self.more, self.horizon = True, self.heap[-1]

    def _is_valid(self, entry: tuple[int, int]) -> bool:
        queued = self.known.get(entry[1])
        return queued is not None and queued.entry is entry

    def _valid(self) -> Iterator[tuple[int, int]]:
        return filter(self._is_valid, self.heap)

    def _drop_outdated(self) -> None:
        """Let the first entry be a valid one: the heap is empty when no URL may be taken."""
        while self.heap and not self._is_valid(self.heap[0]):
            heapq.heappop(self.heap)

    def refill(self, rows: list[Queued], limit: int) -> None:
        """Add the first queued URLs from the database; `limit` is the number of rows requested."""
        self.more = len(rows) == limit
        if rows:
            self.horizon = (rows[-1].priority, rows[-1].id)
        for row in rows:
            if row.id not in self.known:
                self.known[row.id] = row
                self._push(row)

    def pop(self, *, untried: bool = False) -> Queued:
        """Return the first URL; with `untried`, the first one not requested yet, if there is one in memory."""
        new = [each for each in self._valid() if not self.known[each[1]].attempts] if untried else []
        queued = self.known[min(new)[1] if new else heapq.heappop(self.heap)[1]]
        queued.entry = None
        self._drop_outdated()
        return queued


def queued_of(row: Row) -> Queued:
    """Return the queued URL of a row."""
    return Queued(
        id=row.id,
        url=row.url,
        depth=NOT_FOLLOWED if row.depth is None else row.depth,
        priority=row.priority,
        redirects=row.redirects,
        off_domain=row.off_domain,
        rank=row.rank,
        sitemap=row.sitemap > 0,
        requisite=row.requisite,
        off_topic=row.off_topic,
        score=row.score,
        demoted=row.demoted > 0,
        found_on=row.found_on,
        attempts=row.attempts,
        due=row.due,
    )
