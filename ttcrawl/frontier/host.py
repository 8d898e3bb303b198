"""One host: its queue, its clock, its robots.txt."""

from __future__ import annotations

import enum
import heapq
from collections import deque
from dataclasses import dataclass, field

from ttcrawl.frontier.backoff import NEVER, Backoff
from ttcrawl.frontier.health import Health
from ttcrawl.frontier.place import Address, Domain
from ttcrawl.frontier.version import NO_VERSION, Version
from ttcrawl.store.rows import Row
from ttcrawl.vocabulary.reason import BLOCKED_ADDRESS, NONE, ROBOTS_UNREADABLE, Code, Family, family, filled
from ttcrawl.vocabulary.state import FAILED, REFUSED, State

#: Never backed off.
WELL = Backoff()


@dataclass(slots=True, kw_only=True)
class Queued:
    """A queued URL while it is in memory. `depth` may shrink when a shorter way is found."""

    id: int
    url: str
    depth: int
    priority: int
    hops: int = 0
    outside: int = 0
    sitemap: bool = False
    attempts: int = 0
    due: float = 0.0
    overloaded_at: float = NEVER  # when it answered 429 or 503 last, in this run


class RobotsGate(enum.Enum):
    """What is known of robots.txt."""

    UNREAD = enum.auto()
    READING = enum.auto()
    OPEN = enum.auto()  # read: its rules decide
    SHUT = enum.auto()  # could not be read: `verdict` is what becomes of every URL


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignRobots:
    """A robots.txt that another host says lies on this one: it answered with a redirect at `source`."""

    url: str
    asker: Host
    source: str
    ruled: bool  # the rules of this host decide about it too


@dataclass(slots=True, kw_only=True)
class Probe:
    """A URL that cannot exist, to be asked for."""

    id: int  # of its row
    url: str
    attempts: int = 0
    overloaded_at: float = NEVER


@dataclass(slots=True, kw_only=True, eq=False)
class Host:
    """The state of one host; owned by the frontier."""

    site: int
    name: str
    domain: Domain
    addresses: tuple[str, ...] = ()  # at which it may be asked; (): not looked up, or a proxy does that
    resolved_until: float = float("-inf")  # when they are looked up again
    lookups: int = 0  # in a row that brought nothing
    tried: int = 0  # addresses in a row that let nobody connect
    chosen: int = 0  # the place in `addresses` of the one that is asked
    place: Address | None = None  # that one; None: addresses have no clock
    delay: float  # seconds from the end of one exchange to the next
    delay_from: str  # where it comes from: 'robots.txt', 'default', 'config.ini', 'response time', 'not obeyed'
    ended: float = float("-inf")  # when the last exchange ended
    not_before: float = 0.0  # known from elsewhere: an earlier run, a retry
    held: int = 0
    flying: int = 0  # URLs under way
    asked: int = 0  # URLs that were asked for and are settled
    fetched: int = 0  # URLs of which something came that is no redirect
    connected: str = ""  # the address of the last connection
    failures: int = 0  # exchanges without an answer
    sluggish: bool = False  # the last exchange took long
    doubted: int = 0  # turns that count as those of a host that may be slow
    backoff: Backoff = WELL
    health: Health = field(default_factory=Health)
    scheduled: bool = False  # stands in the frontier's heap
    gate: RobotsGate = RobotsGate.UNREAD
    ruled: bool = False  # robots.txt says something: its rules are in the rulebook ...
    uncompiled: bool = False  # ... or not yet, since it was read
    crawl_delay: float | None = None  # what it says, seconds
    verdict: tuple[State, Code] = (REFUSED, NONE)  # of every URL when the gate is shut
    robots_version: Version = NO_VERSION  # of the robots.txt that was read
    robots_attempts: int = 0
    robots_until: float = float("inf")  # then robots.txt is asked for again
    robots_unused: bool = False  # nothing was decided by it yet: so long it is not too old
    robots_failing: float = 0.0  # since when it answers with errors; 0: it does not
    robots_hops: int = 0
    overloaded_at: float = NEVER  # when a robots.txt on it answered 429 or 503 last
    foreign_robots: deque[ForeignRobots] = field(default_factory=deque)
    foreign_done: bool = False  # its last turn was for another host: the next one is its own
    probes: deque[Probe] = field(default_factory=deque)
    probed: bool = False  # its probes are in the database, whether they were asked for or not
    heap: list[tuple[int, int]] = field(default_factory=list)  # (priority, id) of what may be taken
    known: dict[int, Queued] = field(default_factory=dict)  # all that is in memory: in the heap, put off or in flight
    more: bool = False  # the database holds queued URLs behind `horizon`
    horizon: tuple[int, int] = (0, 0)

    @property
    def address(self) -> str:
        """The address that is asked, "" where a proxy knows it."""
        return self.addresses[self.chosen] if self.addresses else ""

    @property
    def pinned(self) -> str:
        """The address to connect to where it was looked up; else the fetch process knows it, for each port its own."""
        return self.address if self.resolved_until < float("inf") else ""

    @property
    def next_at(self) -> float:
        """The next permitted moment."""
        return max(self.not_before, self.ended + self.delay)

    @property
    def asked_at(self) -> float:
        """The next permitted moment by both clocks."""
        return max(self.next_at, self.place.free_at) if self.place is not None else self.next_at

    @property
    def turn_at(self) -> float:
        """When it may have a turn: at once where the turn needs no exchange, because all of its URLs are refused."""
        return 0.0 if self.gate is RobotsGate.SHUT and not self.foreign_robots else self.next_at

    def unresolved(self, now: float) -> bool:
        """Its next turn is a look-up."""
        return self.resolved_until <= now and (self.gate is not RobotsGate.SHUT or bool(self.foreign_robots))

    @property
    def doubtful(self) -> bool:
        """An exchange with it may take long: it has not answered yet, or was slow the last time."""
        return self.sluggish or self.gate is RobotsGate.UNREAD or self.gate is RobotsGate.READING

    def asleep(self) -> None:
        """All queued URLs are in the database."""
        self.more, self.horizon = True, (-(1 << 63), 0)

    @property
    def checked_first(self) -> bool:
        """It answered 429 or 503, and there is something else that it can be asked for."""
        known = self.health.page or self.heap or self.more
        return self.health.doubted and self.gate is not RobotsGate.SHUT and bool(known)

    def wants(self) -> bool:
        """There is something to be asked of this host."""
        return bool(self.foreign_robots) or (
            self.gate is not RobotsGate.READING and bool(self.probes or self.heap or self.more)
        )

    def add(self, queued: Queued, bound: int) -> None:
        """Put a URL into the queue; what lies behind the horizon stays in the database."""
        place = (queued.priority, queued.id)
        if self.more and place > self.horizon:
            return
        self.known[queued.id] = queued
        heapq.heappush(self.heap, place)
        if len(self.heap) > bound:
            self._spill(bound // 2)

    def promote(self, queued: Queued, priority: int) -> None:
        """Give a URL that is in memory another priority: at once where it waits here, else when it is back."""
        old, queued.priority = (queued.priority, queued.id), priority
        if old[0] != priority and old in self.heap:
            self.heap.remove(old)
            self.heap.append((priority, queued.id))
            heapq.heapify(self.heap)

    def _spill(self, kept: int) -> None:
        self.heap.sort()  # a sorted list is a heap
        for _, each in self.heap[kept:]:
            del self.known[each]
        del self.heap[kept:]
        self.more, self.horizon = True, self.heap[-1]

    def refill(self, rows: list[Queued], limit: int) -> None:
        """Take over the first queued URLs as the database has them, `limit` of them having been asked for."""
        self.more = len(rows) == limit
        if rows:
            self.horizon = (rows[-1].priority, rows[-1].id)
        for row in rows:
            if row.id not in self.known:
                self.known[row.id] = row
                heapq.heappush(self.heap, (row.priority, row.id))

    def pop(self, *, untried: bool = False) -> Queued:
        """The first URL; with `untried` the first one that was not requested yet, if there is one in memory."""
        if untried and (new := [each for each in self.heap if not self.known[each[1]].attempts]):
            first = min(new)
            self.heap.remove(first)
            heapq.heapify(self.heap)
            return self.known[first[1]]
        return self.known[heapq.heappop(self.heap)[1]]


def verdict(status: int | None, reason: Code) -> tuple[State, Code]:
    """State and reason of every URL of a host whose robots.txt could not be read (RFC 9309 section 2.3.1.4).

    A host that gave no answer would not answer for its pages either; one that answered with an error forbids them.
    """
    if family(reason) is Family.ROBOTS:  # of another host, where it is said to lie
        return REFUSED, reason
    if status is None:
        return REFUSED if reason == BLOCKED_ADDRESS else FAILED, reason
    return REFUSED, filled(ROBOTS_UNREADABLE, reason)


def state_of(host: Host) -> dict[str, object]:
    """What the row of a host has to keep of it."""
    return {
        "next_at": max(host.next_at, 0.0),
        "delay": host.delay,
        "delay_from": host.delay_from,
        "address": host.connected,
        "failures": host.failures,
        "asked": host.asked,
        "fetched": host.fetched,
        "robots_failing": host.robots_failing,
        "silent": host.backoff.silent,
        "backoff": host.backoff.seconds,
        "backoff_until": host.backoff.until,
        "backoff_from": host.backoff.origin,
    }


def queued_of(row: Row) -> Queued:
    """A queued URL as its row has it."""
    return Queued(
        id=row.id,
        url=row.url,
        depth=row.depth or 0,
        priority=row.priority,
        hops=row.hops,
        outside=row.outside,
        sitemap=row.sitemap > 0,
        attempts=row.attempts,
        due=row.due,
    )
