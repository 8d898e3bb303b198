"""One host: its queue, its clock, its robots.txt; and what hosts share, an IP address and a registrable domain."""

from __future__ import annotations

import enum
from collections import deque
from typing import Any

from msgspec import Struct, field

from ttcrawl.frontier.backoff import NEVER, Backoff
from ttcrawl.frontier.health import Health
from ttcrawl.frontier.host_queue import HostQueue
from ttcrawl.frontier.line import Line
from ttcrawl.frontier.session import HostLogin
from ttcrawl.frontier.version import NO_VERSION, Version
from ttcrawl.ring.messages import LookUp
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import BLOCKED_ADDRESS, NONE, ROBOTS_UNREADABLE, Code, family, filled
from ttcrawl.vocabulary.state import FAILED, REFUSED, State

#: The back-off of a host that was never backed off.
WELL = Backoff()


class RobotsGate(enum.Enum):
    """The state of a host's robots.txt."""

    UNREAD = enum.auto()
    READING = enum.auto()
    OPEN = enum.auto()  # read: its rules decide
    SHUT = enum.auto()  # could not be read: `verdict` applies to every URL


class ForeignRobots(Struct, frozen=True, kw_only=True):
    """A robots.txt of another host that redirects to this host; `source` is the URL that redirects."""

    url: str
    asker: Host
    source: str
    ruled: bool  # the rules of this host apply to it too


class Probe(Struct, kw_only=True):
    """A URL that cannot exist, to be requested."""

    id: int  # of its row
    url: str
    attempts: int = 0
    overloaded_at: float = NEVER
    renew: bool = False  # as in Queued


class RobotsTxt(Struct, kw_only=True):
    """What is known of the robots.txt of a host, besides its rules."""

    ruled: bool = False  # it has content: its rules are in the rulebook ...
    uncompiled: bool = False  # ... or will be: they were not compiled since it was read
    crawl_delay: float | None = None  # seconds
    version: Version = NO_VERSION  # of the one that was read
    attempts: int = 0
    until: float = float("inf")  # then it is requested again
    unused: bool = False  # it has decided about no URL yet: until then it does not expire
    failing: float = 0.0  # since when it answers with errors; 0: it does not
    hops: int = 0
    redirect: int = 0  # status of its last redirect
    foreign_done: bool = False  # the last turn of its host was for the one of another host: the next is for itself


class Host(Struct, kw_only=True, eq=False):
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
    doubted: int = 0  # turns that count as turns of a possibly slow host
    backoff: Backoff = WELL
    health: Health = field(default_factory=Health)
    scheduled: bool = False  # is in the frontier's heap
    gate: RobotsGate = RobotsGate.UNREAD
    verdict: tuple[State, Code] = (REFUSED, NONE)  # for every URL if robots.txt could not be read
    robots: RobotsTxt = field(default_factory=RobotsTxt)
    overloaded_at: float = NEVER  # when a robots.txt on it last answered 429 or 503
    renew: bool = False  # as in Queued, of a robots.txt on it
    foreign_robots: deque[ForeignRobots] = field(default_factory=deque)
    probes: deque[Probe] = field(default_factory=deque)
    probed: bool = False  # its probes are in the database, requested or not
    queue: HostQueue = field(default_factory=HostQueue)
    login: HostLogin = field(default_factory=HostLogin)
    leaving: bool = False  # another ring of the cluster is to own it: it gets no more turns
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
        return self.health.sluggish or self.gate is RobotsGate.UNREAD or self.gate is RobotsGate.READING

    @property
    def checked_first(self) -> bool:
        """Whether it answered 429 or 503 and has another URL that can be requested."""
        if not self.health.doubted or self.gate is RobotsGate.SHUT or self.login.waits:
            return False
        return bool(self.health.page or self.queue.heap or self.queue.more)

    def wants(self) -> bool:
        """Whether there is something to request from this host."""
        queue = self.queue
        pages = not self.login.waits and bool(self.probes or queue.heap or queue.more or queue.visits)
        return bool(self.foreign_robots) or (self.gate is not RobotsGate.READING and (pages or bool(self.login.due)))


def verdict(status: int | None, reason: Code) -> tuple[State, Code]:
    """Return state and reason of every URL of a host whose robots.txt could not be read (RFC 9309 section 2.3.1.4).

    A host without an answer would not answer for its pages either. One that answers with an error forbids them.
    """
    if family(reason) is Family.ROBOTS:  # the robots.txt of another host, to which it redirects
        return REFUSED, reason
    if status is None:
        return REFUSED if reason == BLOCKED_ADDRESS else FAILED, reason
    return REFUSED, filled(ROBOTS_UNREADABLE, reason)


class Address(Struct, kw_only=True, eq=False, weakref=True):
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


class Domain(Struct, kw_only=True, eq=False, weakref=True):
    """One registrable domain and its share of the crawl."""

    awake: int = 0  # hosts in memory that have work
    in_flight: int = 0  # turns taken and not released, without look-ups
    looking_up: int = 0  # look-ups in flight
    limited: bool = False  # some of its hosts stayed outside memory because it had its maximum
    waiting: Line[Host]  # hosts that are due while it has its share of turns
    unresolved: deque[Host] = field(default_factory=deque)  # hosts to look up while it has its share of look-ups
