"""One host: its queue, its clock, its robots.txt; and what hosts share, an IP address and a registrable domain."""

from __future__ import annotations

import enum
import heapq
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from ttcrawl.frontier.backoff import NEVER, Backoff
from ttcrawl.frontier.health import Health
from ttcrawl.frontier.line import Line
from ttcrawl.frontier.version import NO_VERSION, Version
from ttcrawl.frontier.visit import Rereading, Visit
from ttcrawl.ring.messages import NOT_FOLLOWED, LookUp
from ttcrawl.store.rows import Row
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import BLOCKED_ADDRESS, NONE, ROBOTS_UNREADABLE, Code, family, filled
from ttcrawl.vocabulary.state import FAILED, REFUSED, State

#: The back-off of a host that was never backed off.
WELL = Backoff()


@dataclass(slots=True, kw_only=True)
class Queued:
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
    attempts: int = 0
    due: float = 0.0
    overloaded_at: float = NEVER  # moment of its last 429 or 503, in this run
    renew: bool = False  # its last request had no complete answer: the next one goes over a new connection
    visit: Visit | Rereading | None = None  # it was answered before, and its row is not queued


class RobotsGate(enum.Enum):
    """The state of a host's robots.txt."""

    UNREAD = enum.auto()
    READING = enum.auto()
    OPEN = enum.auto()  # read: its rules decide
    SHUT = enum.auto()  # could not be read: `verdict` applies to every URL


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignRobots:
    """A robots.txt of another host that redirects to this host; `source` is the URL that redirects."""

    url: str
    asker: Host
    source: str
    ruled: bool  # the rules of this host apply to it too


@dataclass(slots=True, kw_only=True)
class Probe:
    """A URL that cannot exist, to be requested."""

    id: int  # of its row
    url: str
    attempts: int = 0
    overloaded_at: float = NEVER
    renew: bool = False  # as in Queued


@dataclass(slots=True, kw_only=True)
class RobotsTxt:
    """What is known of the robots.txt of a host, besides its rules."""

    version: Version = NO_VERSION  # of the one that was read
    attempts: int = 0
    until: float = float("inf")  # then it is requested again
    unused: bool = False  # it has decided about no URL yet: until then it does not expire
    failing: float = 0.0  # since when it answers with errors; 0: it does not
    hops: int = 0
    redirect: int = 0  # status of its last redirect


@dataclass(slots=True, kw_only=True, eq=False)
class Host:
    """The state of one host; owned by the frontier."""

    site: int
    name: str
    domain: Domain
    addresses: tuple[str, ...] = ()  # where it can be requested; (): not looked up, or a proxy does that
    resolved_until: float = float("-inf")  # when they are looked up again
    look_up: LookUp | None = None  # the last one, until it is archived
    lookups: int = 0  # failed look-ups in a row
    tried: int = 0  # addresses in a row that accept no connection
    chosen: int = 0  # the index in `addresses` of the one in use
    place: Address | None = None  # the address in use; None: addresses have no clock
    delay: float  # seconds from the end of one request to the next
    delay_from: str  # its origin: 'robots.txt', 'default', 'config.ini', 'response time', 'rate limit', 'not obeyed'
    ended: float = float("-inf")  # when the last request ended
    not_before: float = 0.0  # from another source: an earlier run, a retry
    locks: int = 0
    flying: int = 0  # URLs in flight
    requested: int = 0  # URLs requested and processed
    fetched: int = 0  # URLs with a response other than a redirect
    connected: str = ""  # the address of the last connection
    failures: int = 0  # requests without an answer
    sluggish: bool = False  # the last request was slow
    doubted: int = 0  # turns that count as turns of a possibly slow host
    backoff: Backoff = WELL
    health: Health = field(default_factory=Health)
    scheduled: bool = False  # is in the frontier's heap
    gate: RobotsGate = RobotsGate.UNREAD
    ruled: bool = False  # robots.txt has content: its rules are in the rulebook ...
    uncompiled: bool = False  # ... or will be: they were not compiled since it was read
    crawl_delay: float | None = None  # the Crawl-delay of robots.txt, seconds
    verdict: tuple[State, Code] = (REFUSED, NONE)  # for every URL if robots.txt could not be read
    robots: RobotsTxt = field(default_factory=RobotsTxt)
    overloaded_at: float = NEVER  # when a robots.txt on it last answered 429 or 503
    renew: bool = False  # as in Queued, of a robots.txt on it
    foreign_robots: deque[ForeignRobots] = field(default_factory=deque)
    foreign_done: bool = False  # its last turn was for another host: the next one is for itself
    probes: deque[Probe] = field(default_factory=deque)
    probed: bool = False  # its probes are in the database, requested or not
    heap: list[tuple[int, int]] = field(default_factory=list)  # (priority, id) of URLs that may be taken
    visits: deque[Queued] = field(default_factory=deque)  # URLs to visit again, that may be taken
    visits_only: bool = False  # its queued URLs stay in the database
    visit_done: bool = False  # its last turn was such a visit: the next one is for a new URL, if there is one
    known: dict[int, Queued] = field(default_factory=dict)  # all URLs in memory: to be taken, put off or in flight
    more: bool = False  # the database has queued URLs behind `horizon`
    horizon: tuple[int, int] = (0, 0)
    line: Line[Any] | None = None  # in which it waits, and its position there
    ticket: tuple[float, int] = (0.0, 0)

    @property
    def address(self) -> str:
        """The address in use, "" if a proxy looks it up."""
        return self.addresses[self.chosen] if self.addresses else ""

    @property
    def pinned(self) -> str:
        """The address to connect to if it was looked up; else "": the fetch process knows one for each port."""
        return self.address if self.resolved_until < float("inf") else ""

    @property
    def next_at(self) -> float:
        """The next permitted moment."""
        return max(self.not_before, self.ended + self.delay)

    @property
    def asked_at(self) -> float:
        """The next permitted moment by the clocks of the host and of its address."""
        return max(self.next_at, self.place.free_at) if self.place is not None else self.next_at

    @property
    def turn_at(self) -> float:
        """When it may have a turn: at once if the turn needs no request, because all its URLs are refused."""
        return 0.0 if self.gate is RobotsGate.SHUT and not self.foreign_robots else self.next_at

    def unresolved(self, now: float) -> bool:
        """Whether its next turn is a look-up."""
        return self.resolved_until <= now and (self.gate is not RobotsGate.SHUT or bool(self.foreign_robots))

    @property
    def doubtful(self) -> bool:
        """Whether its next request may be slow: it has not answered yet, or was slow the last time."""
        return self.sluggish or self.gate is RobotsGate.UNREAD or self.gate is RobotsGate.READING

    def asleep(self) -> None:
        """Note that all queued URLs are in the database only."""
        self.more, self.horizon = not self.visits_only, (-(1 << 63), 0)

    @property
    def checked_first(self) -> bool:
        """Whether it answered 429 or 503 and has another URL that can be requested."""
        known = self.health.page or self.heap or self.more
        return self.health.doubted and self.gate is not RobotsGate.SHUT and bool(known)

    def only_visits(self) -> None:
        """Leave the queued URLs that are not in flight to the database, and take no others."""
        self.visits_only, self.more = True, False
        for _, each in self.heap:
            del self.known[each]
        self.heap.clear()

    def wants(self) -> bool:
        """Whether there is something to request from this host."""
        return bool(self.foreign_robots) or (
            self.gate is not RobotsGate.READING and bool(self.probes or self.heap or self.more or self.visits)
        )

    def add(self, queued: Queued, bound: int) -> None:
        """Put a URL into the queue; a URL behind the horizon stays in the database."""
        place = (queued.priority, queued.id)
        if self.visits_only or (self.more and place > self.horizon):
            return
        self.known[queued.id] = queued
        heapq.heappush(self.heap, place)
        if len(self.heap) > bound:
            self._spill(bound // 2)

    def back(self, queued: Queued) -> None:
        """Let a URL in memory be taken again."""
        if queued.visit is not None:
            self.visits.appendleft(queued)
        elif self.visits_only:
            del self.known[queued.id]
        else:
            heapq.heappush(self.heap, (queued.priority, queued.id))

    def promote(self, queued: Queued, priority: int) -> None:
        """Change the priority of a URL in memory: at once if it is in the heap, else when it returns to the heap."""
        old, queued.priority = (queued.priority, queued.id), priority
        if old[0] != priority and old in self.heap:
            self.heap.remove(old)
            self.heap.append((priority, queued.id))
            heapq.heapify(self.heap)

    def _spill(self, count: int) -> None:
        self.heap.sort()  # a sorted list is a heap
        for _, each in self.heap[count:]:
            del self.known[each]
        del self.heap[count:]
        self.more, self.horizon = True, self.heap[-1]

    def refill(self, rows: list[Queued], limit: int) -> None:
        """Add the first queued URLs from the database; `limit` is the number of rows requested."""
        self.more = len(rows) == limit
        if rows:
            self.horizon = (rows[-1].priority, rows[-1].id)
        for row in rows:
            if row.id not in self.known:
                self.known[row.id] = row
                heapq.heappush(self.heap, (row.priority, row.id))

    def pop(self, *, untried: bool = False) -> Queued:
        """Return the first URL; with `untried`, the first one not requested yet, if there is one in memory."""
        if untried and (new := [each for each in self.heap if not self.known[each[1]].attempts]):
            first = min(new)
            self.heap.remove(first)
            heapq.heapify(self.heap)
            return self.known[first[1]]
        return self.known[heapq.heappop(self.heap)[1]]


def verdict(status: int | None, reason: Code) -> tuple[State, Code]:
    """Return state and reason of every URL of a host whose robots.txt could not be read (RFC 9309 section 2.3.1.4).

    A host without an answer would not answer for its pages either. One that answers with an error forbids them.
    """
    if family(reason) is Family.ROBOTS:  # the robots.txt of another host, to which it redirects
        return REFUSED, reason
    if status is None:
        return REFUSED if reason == BLOCKED_ADDRESS else FAILED, reason
    return REFUSED, filled(ROBOTS_UNREADABLE, reason)


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
        attempts=row.attempts,
        due=row.due,
    )


@dataclass(slots=True, kw_only=True, eq=False, weakref_slot=True)
class Address:
    """One IP address: its clock, and the hosts that are due and wait for it."""

    delay: float = 0.0  # seconds from the end of the last request, whatever the host, to the next
    ended: float = float("-inf")  # when that request ended
    locked: bool = False
    scheduled: bool = False  # is in the heap of the workbench
    waiting: Line[Host]  # the longest waiting first, or the one with the best URL
    line: Line[Any] | None = None  # in which it stands itself, if the best URL is first
    ticket: tuple[float, int] = (0.0, 0)

    @property
    def free_at(self) -> float:
        """When it may be requested."""
        return self.ended + self.delay


@dataclass(slots=True, kw_only=True, eq=False, weakref_slot=True)
class Domain:
    """One registrable domain and its share of the crawl."""

    awake: int = 0  # hosts in memory that have work
    in_flight: int = 0  # turns taken and not released, without look-ups
    looking_up: int = 0  # look-ups in flight
    limited: bool = False  # some of its hosts stayed outside memory because it had its maximum
    waiting: Line[Host]  # hosts that are due while it has its share of turns
    unresolved: deque[Host] = field(default_factory=deque)  # hosts to look up while it has its share of look-ups
