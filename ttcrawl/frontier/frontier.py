"""A queue of per-domain priority queues: who may be asked now, and for what."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from ttcrawl import config
from ttcrawl.frontier.backoff import Backoff, Exchange, after
from ttcrawl.frontier.host import Errand, Gate, Host, Queued
from ttcrawl.robots import Rules

#: URLs of one host that robots.txt may refuse in one go before others get their turn.
REFUSALS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What is to be fetched now: a queued URL of `host`, or (then `queued` is None) the robots.txt of `asker`."""

    host: Host
    url: str
    depth: int = 0
    queued: Queued | None = None
    asker: Host | None = None


class Frontier:
    """Hosts in memory, and in the heap those that want something and are not held.

    `load(site, limit)` reads the first queued URLs of a host from the ledger in order of priority, `refuse(queued,
    state, reason)` settles a URL without a visit, `forget(host)` keeps the clock of a host that leaves memory. Moments
    are seconds since the epoch.
    """

    def __init__(
        self,
        politeness: config.Politeness,
        settings: config.Frontier,
        load: Callable[[int, int], list[Queued]],
        refuse: Callable[[Queued, str, str], None],
        forget: Callable[[Host], None],
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._at_once = 1 if politeness.obey_delay else politeness.connections
        self._obey = politeness.obey_delay
        self._delay = politeness.delay
        self._max_delay = politeness.max_delay
        self._backoff, self._give_up, self._chance = politeness.backoff, politeness.give_up, chance
        self._bound = settings.urls_per_host
        self._load = load
        self._refuse = refuse
        self._forget = forget
        self._most_hosts = settings.hosts
        self._idle: dict[Host, None] = {}  # in memory, and nothing is wanted of them; the longest idle first
        self._ready: list[tuple[float, int, Host]] = []
        self._later: list[tuple[float, int, Host, Queued]] = []  # put off: to be tried again
        self._serial = count()
        self.hosts: dict[str, Host] = {}
        self.asleep = False  # hosts that are not in memory may have queued URLs
        self.queued = 0  # URLs, in memory or not, in flight or not
        self.held = 0  # hosts

    # -- hosts ----------------------------------------------------------------------------------------------------

    def new_host(self, site: int, name: str, not_before: float = 0.0) -> Host:
        delay, origin = self._delay_of(None)
        host = self.hosts[name] = Host(site=site, name=name, delay=delay, delay_from=origin, not_before=not_before)
        return host

    def _delay_of(self, rules: Rules | None) -> tuple[float, str]:
        """The delay in force under these rules, seconds, and where it comes from."""
        if not self._obey:
            return 0.0, "not obeyed"
        if rules is not None and rules.delay is not None:
            return min(rules.delay, self._max_delay), "robots.txt"
        return self._delay, "default"

    # -- URLs -----------------------------------------------------------------------------------------------------

    def room(self, wanted: int) -> int:
        """How many of so many hosts may be taken into memory; for their sake idle ones leave it."""
        while self._idle and len(self.hosts) + wanted > self._most_hosts:
            self._leave(next(iter(self._idle)))
        return max(0, min(wanted, self._most_hosts - len(self.hosts)))

    def much_room(self) -> bool:
        """A tenth of the memory for hosts is free or idle."""
        return (self._most_hosts - len(self.hosts) + len(self._idle)) * 10 >= self._most_hosts

    def _leave(self, host: Host) -> None:
        del self._idle[host], self.hosts[host.name]
        self._forget(host)

    def _rest(self, host: Host) -> None:
        """Note whether a host is idle."""
        if host.held or host.known or host.wants() or host.gate is Gate.READING:
            self._idle.pop(host, None)
        else:
            self._idle[host] = None

    def push_asleep(self) -> None:
        """A URL has become queued whose host is not in memory."""
        self.queued += 1
        self.asleep = True

    def wake(self, host: Host) -> None:
        """The database may hold queued URLs of this host, of which none is in memory."""
        host.asleep()
        self._schedule(host)

    def push(self, host: Host, queued: Queued) -> None:
        """A URL has become queued (its row says so)."""
        self.queued += 1
        host.add(queued, self._bound)
        self._idle.pop(host, None)
        self._schedule(host)

    def put_off(self, host: Host, queued: Queued, due: float) -> None:
        """A URL that was in flight stays queued and is to be tried again at `due`."""
        queued.due = due
        heapq.heappush(self._later, (due, next(self._serial), host, queued))

    def shorten(self, name: str, url: int, depth: int, hops: int) -> None:
        """A queued URL has become nearer (its row says so)."""
        host = self.hosts.get(name)
        if host is not None and url in host.known:
            host.known[url].depth, host.known[url].hops = depth, hops

    def settled(self, host: Host, queued: Queued) -> None:
        """A URL has left the queue (its row says so)."""
        self.queued -= 1
        host.known.pop(queued.id, None)

    # -- turns ----------------------------------------------------------------------------------------------------

    def take(self, now: float) -> Turn | None:
        """The next turn whose moment has come; its host is held until `release`."""
        self._recall(now)
        while self._ready and self._ready[0][0] <= now:
            host = heapq.heappop(self._ready)[2]
            host.scheduled = False
            turn = self._turn(host, now) if host.turn_at <= now else None
            if turn is not None:
                self.held += host.held == 0
                host.held += 1
                self._schedule(host)
                return turn
            self._schedule(host)
            self._rest(host)
        return None

    def release(self, host: Host, ended: float) -> None:
        """The outcome of a turn is known; the exchange it took ended at `ended`."""
        host.held -= 1
        self.held -= host.held == 0
        host.ended = max(host.ended, ended)
        self._schedule(host)
        self._rest(host)

    def next_moment(self) -> float:
        """When `take` may have something again, infinity when only an outcome can bring it."""
        return min(
            self._ready[0][0] if self._ready else float("inf"), self._later[0][0] if self._later else float("inf")
        )

    def next_host(self) -> Host | None:
        """Whose moment is the next."""
        return self._ready[0][2] if self._ready else None

    @property
    def waiting(self) -> int:
        """Hosts that wait for their next moment."""
        return len(self._ready)

    def _schedule(self, host: Host) -> None:
        at_once = self._at_once if host.gate in (Gate.OPEN, Gate.SHUT) else 1
        if not host.scheduled and host.held < at_once and host.wants():
            host.scheduled = True
            heapq.heappush(self._ready, (host.turn_at, next(self._serial), host))

    def _recall(self, now: float) -> None:
        while self._later and self._later[0][0] <= now:
            _, _, host, queued = heapq.heappop(self._later)
            heapq.heappush(host.heap, (queued.priority, queued.id))
            self._schedule(host)

    def _turn(self, host: Host, now: float) -> Turn | None:
        if host.errands:
            errand = host.errands.popleft()
            return Turn(host=host, url=errand.url, asker=errand.asker)
        for _ in range(REFUSALS):
            queued = self._next(host, now)
            if queued is None:
                return None
            if host.gate is Gate.OPEN and host.robots_until <= now:
                host.gate = Gate.UNREAD
            if host.gate is Gate.UNREAD:
                self._back(host, queued)
                host.gate = Gate.READING
                scheme = queued.url.partition(":")[0]
                return Turn(host=host, url=f"{scheme}://{host.name}/robots.txt", asker=host)
            if host.gate is Gate.SHUT:
                self._refuse(queued, *host.verdict)
            elif host.rules is not None and not host.rules.allows(queued.url):
                self._refuse(queued, "refused", "robots.txt")
            else:
                return Turn(host=host, url=queued.url, depth=queued.depth, queued=queued)
        return None

    def _next(self, host: Host, now: float) -> Queued | None:
        while True:
            if not host.heap and host.more:
                # what is in flight or put off is queued in the database too, and would fill the answer
                limit = self._bound // 2 + len(host.known)
                host.refill(self._load(host.site, limit), limit)
            if not host.heap:
                return None
            queued = host.pop()
            if queued.due <= now:
                return queued
            self.put_off(host, queued, queued.due)

    def _back(self, host: Host, queued: Queued) -> None:
        heapq.heappush(host.heap, (queued.priority, queued.id))

    # -- hosts that are left alone ---------------------------------------------------------------------------------

    def exchanged(self, host: Host, exchange: Exchange) -> Backoff | None:
        """An exchange with a host has ended: the back-off it led to, if it did.

        After too many in a row without any connection all URLs of the host have failed.
        """
        before, host.backoff = host.backoff, after(exchange, host.backoff, self._backoff, self._chance())
        if host.backoff.silent >= self._give_up and host.gate is Gate.OPEN:
            host.gate, host.verdict = Gate.SHUT, ("failed", exchange.reason)
            return None
        if host.backoff.until <= before.until:
            return None
        host.not_before = max(host.not_before, host.backoff.until)
        return host.backoff

    # -- robots.txt -----------------------------------------------------------------------------------------------

    def robots_moved(self, asker: Host, host: Host, url: str) -> None:
        """The robots.txt of `asker` is said to lie at `url` on `host`."""
        asker.robots_hops += 1
        host.errands.append(Errand(url=url, asker=asker))
        self._schedule(host)

    def robots_again(self, asker: Host, at: float) -> None:
        """Ask for robots.txt once more, not before `at`."""
        asker.gate, asker.robots_hops = Gate.UNREAD, 0
        asker.not_before = max(asker.not_before, at)
        self._schedule(asker)

    def robots_read(self, asker: Host, rules: Rules | None, until: float = float("inf")) -> None:
        """robots.txt was read (None: there is none), and is believed until a moment."""
        asker.gate, asker.rules, asker.robots_until = Gate.OPEN, rules, until
        asker.robots_attempts = asker.robots_hops = 0
        asker.delay, asker.delay_from = self._delay_of(rules)
        self._schedule(asker)

    def robots_kept(self, asker: Host, until: float) -> None:
        """robots.txt could not be read again: what it said last holds on (RFC 9309 section 2.4)."""
        asker.gate, asker.robots_until = Gate.OPEN, until
        asker.robots_hops = 0
        self._schedule(asker)

    def robots_unreadable(self, asker: Host, state: str, reason: str) -> None:
        """Nothing may be fetched from this host: every URL becomes `state` for `reason`."""
        asker.gate, asker.verdict = Gate.SHUT, (state, reason)
        self._schedule(asker)
