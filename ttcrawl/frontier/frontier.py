"""A queue of per-domain priority queues: who may be asked now, and for what."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from itertools import count

from ttcrawl import config
from ttcrawl.frontier.backoff import Backoff, Exchange
from ttcrawl.frontier.choosing import Choosing
from ttcrawl.frontier.delays import Delays
from ttcrawl.frontier.host import ForeignRobots, Host, Probe, Queued, RobotsGate
from ttcrawl.frontier.hosts import Hosts
from ttcrawl.frontier.incident import note
from ttcrawl.frontier.judging import Judging
from ttcrawl.frontier.probing import Probing
from ttcrawl.frontier.rulebook import Rulebook
from ttcrawl.frontier.turn import Refusal, Turn
from ttcrawl.frontier.work import REFUSAL, SLICE, TAKE, Work
from ttcrawl.frontier.workbench import Workbench
from ttcrawl.ring.messages import RESOLVE
from ttcrawl.vocabulary.reason import Code
from ttcrawl.vocabulary.state import State
from ttcrawl.web.robots import reader
from ttcrawl.web.robots.paths import is_robots, path_of

#: Seconds of an exchange from which on a host is a slow one.
SLUGGISH = 2.0


class Frontier:
    """Hosts in memory, and on the workbench those that want something and are not held.

    `load(site, limit)` reads the first queued URLs of a host in order of priority, `forget(host)` keeps the clock of a
    host that leaves memory, `addresses(name)` says at which addresses a host is asked (None: it has to be looked up),
    `own_delay(name)` the delay that config.ini has for a host. `most_turns` may be under way at once. `rulebook` has
    the rules of robots.txt; None: none that is long is ever read. Moments are seconds since the epoch.
    """

    def __init__(
        self,
        politeness: config.Politeness,
        settings: config.Frontier,
        load: Callable[[int, int], list[Queued]],
        forget: Callable[[Host], None],
        addresses: Callable[[str], tuple[str, ...] | None],
        *,
        own_delay: Callable[[str], float | None],
        most_turns: int,
        rulebook: Rulebook | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._politeness, self._chance = politeness, chance
        self._at_once = 1 if politeness.obey_delay else politeness.connections
        self._address_delay = politeness.address_delay if politeness.obey_delay else 0.0
        self._bound = settings.urls_per_host
        self._addresses = addresses
        self._delays = Delays(politeness, own_delay)
        self.judging = Judging(rulebook or Rulebook(reader("ttcrawl")), self._delays)
        self._bench = Workbench(self._address_delay, most_turns, politeness.domain_share)
        self._later: list[tuple[float, int, Host, Queued]] = []  # put off: to be tried again
        self._serial = count()
        self.probing = Probing()
        self._choosing = Choosing(self.judging, load, self.put_off, self._bound)
        self._ongoing: tuple[Host | None, Work] = (
            None,
            Work(),
        )  # the host of the last refusal, what is left of its slice
        self._spent, self._refusing = 0, False  # work since a URL was last requested; the last turn was a refusal
        self.hosts = Hosts(settings.hosts, politeness.domain_share, forget)
        self.unknown_until = float("-inf")  # before this moment an earlier run may have asked any address
        self.asleep = False  # hosts that are not in memory may have queued URLs
        self.queued = 0  # URLs, in memory or not, in flight or not
        self.held = 0  # hosts

    # -- hosts ----------------------------------------------------------------------------------------------------

    def new_host(self, site: int, name: str, not_before: float = 0.0) -> Host:
        delay, origin = self._delays.of(name, None)
        host = self.hosts.add(site, name, delay, origin, not_before)
        known = self._addresses(name)
        if known is not None:
            self.resolved(host, known, float("inf"))
        return host

    # -- URLs -----------------------------------------------------------------------------------------------------

    def push_asleep(self, name: str) -> None:
        """A URL has become queued whose host is not in memory."""
        self.queued += 1
        self.asleep = True
        self.hosts.vacancy = self.hosts.vacancy or not self.hosts.crowded(name)

    def wake(self, host: Host) -> None:
        """The database may hold queued URLs of this host, of which none is in memory."""
        host.asleep()
        self._schedule(host)

    def push(self, host: Host, queued: Queued) -> None:
        """A URL has become queued (its row says so)."""
        self.queued += 1
        host.add(queued, self._bound)
        self.hosts.rouse(host)
        self._schedule(host)

    def put_off(self, host: Host, queued: Queued, due: float) -> None:
        """A URL that was in flight stays queued and is to be tried again at `due`."""
        queued.due = due
        heapq.heappush(self._later, (due, next(self._serial), host, queued))

    def promote(self, name: str, now: Queued) -> None:
        """A queued URL has become nearer, or is to come earlier (its row says so)."""
        host = self.hosts.get(name)
        if host is None:
            return
        queued = host.known.get(now.id)
        if queued is None:
            host.add(now, self._bound)  # it lay behind the horizon, and may not any longer
            return
        queued.depth, queued.hops, queued.outside, queued.sitemap = now.depth, now.hops, now.outside, now.sitemap
        host.promote(queued, now.priority)

    def settled(self, host: Host, queued: Queued) -> None:
        """A URL has left the queue (its row says so)."""
        self.queued -= 1
        host.known.pop(queued.id, None)

    def probe(self, host: Host, probes: list[Probe]) -> None:
        """These URLs, which cannot exist, are to be asked for."""
        self.probing.add(host, probes)
        self.hosts.rouse(host)
        self._schedule(host)

    # -- turns ----------------------------------------------------------------------------------------------------

    def take(self, now: float) -> Turn | Refusal | None:
        """What is due now: a turn, whose host is held until `release` or `give_back`, or the refusal of a URL.

        None also where so many URLs were refused that others are to have their turn: then `next_moment` is past.
        """
        self._recall(now)
        if not self._refusing:
            self._spent, self._ongoing = 0, (None, Work())
        self._refusing = False
        while self._spent < TAKE and (host := self._bench.next(now)) is not None:
            work = self._ongoing[1] if host is self._ongoing[0] else Work()
            before, self._ongoing = work.left, (None, work)
            taken = self._choosing.turn(host, now, work)
            self._spent += 1 + before - work.left
            if isinstance(taken, Refusal):
                self._go_on(host, work)
                return taken
            if taken is None and work.left <= 0 and host.wants():
                self._put_behind(host, work)
                continue
            if taken is not None:
                self.held += host.held == 0
                host.flying += taken.queued is not None
                (self._bench.look_up if taken.kind == RESOLVE else self._bench.hold)(host)
                self._ongoing = host, work  # should it be given back
            self._schedule(host)
            if taken is not None:
                return taken
            self.hosts.rest(host)
        return None

    def _go_on(self, host: Host, work: Work) -> None:
        """A host had no turn, but the refusal of a URL: it goes on, until its slice is used up."""
        work.left -= REFUSAL
        self._spent += REFUSAL
        self._refusing = True
        if work.left > 0:
            self._ongoing = host, work
            self._bench.put_first(host)
        else:
            self._put_behind(host, work)

    def _put_behind(self, host: Host, work: Work) -> None:
        self._bench.put_behind(host, first=self.judging.rulebook.goes_on(host.site, SLICE - work.left))

    def give_back(self, turn: Turn) -> None:
        """The URL of a turn is not requested after all."""
        host, work = turn.host, self._ongoing[1] if turn.host is self._ongoing[0] else Work()
        self.held -= host.held == 1
        host.flying -= 1
        host.health.doubted = turn.doubted
        self._bench.give_back(host)
        self._refusing = True
        if not host.scheduled:  # else it may be held several times, and goes on as it is
            self._go_on(host, work)

    def put_back(self, turn: Turn) -> None:
        """The URL of a turn is not requested yet: it has another priority, as its row says."""
        assert turn.queued is not None
        self.give_back(turn)
        del turn.host.known[turn.queued.id]
        turn.host.add(turn.queued, self._bound)

    def release(self, turn: Turn, ended: float, took: float = 0.0) -> None:
        """The outcome of a turn is known; the exchange it was for ended at `ended` and took so many seconds."""
        host = turn.host
        if turn.queued is not None:
            host.flying -= 1
            host.asked += turn.queued.id not in host.known  # else it was put off
        self.held -= host.held == 1
        host.ended = max(host.ended, ended)
        self._delays.adapt(host, took)
        host.sluggish = took > SLUGGISH
        self._bench.release(host, ended)
        self._choose(host)
        self._schedule(host)
        self.hosts.rest(host)

    def next_moment(self) -> float:
        """When `take` may have something again, infinity when only an outcome can bring it."""
        return min(self._bench.next_moment(), self._later[0][0] if self._later else float("inf"))

    def next_host(self) -> Host | None:
        """Whose moment is the next."""
        return self._bench.next_host()

    def next_retry(self) -> tuple[float, str]:
        """When which URL is tried again, of those that are put off; infinity and "" when none is."""
        return (self._later[0][0], self._later[0][3].url) if self._later else (float("inf"), "")

    @property
    def waiting(self) -> int:
        """Hosts that wait for their next moment."""
        return self._bench.waiting

    def _schedule(self, host: Host) -> None:
        at_once = self._at_once if host.gate in (RobotsGate.OPEN, RobotsGate.SHUT) else 1
        if host.held < at_once and host.wants():
            self._bench.put(host)

    def _recall(self, now: float) -> None:
        while self._later and self._later[0][0] <= now:
            _, _, host, queued = heapq.heappop(self._later)
            heapq.heappush(host.heap, (queued.priority, queued.id))
            self._schedule(host)

    # -- hosts that are left alone ---------------------------------------------------------------------------------

    def exchanged(self, host: Host, exchange: Exchange) -> Backoff | None:
        """An exchange with a host has ended: the back-off it led to, if it did."""
        return note(host, exchange, self._politeness, self._chance())

    # -- addresses ------------------------------------------------------------------------------------------------

    def resolved(self, host: Host, addresses: tuple[str, ...], until: float) -> None:
        """At which addresses a host may be asked, until a moment; (): a proxy knows. One that is asked stays."""
        kept = addresses.index(host.address) if host.address in addresses else 0
        if set(addresses) != set(host.addresses):
            host.tried = 0
        host.addresses, host.resolved_until, host.chosen, host.lookups = addresses, until, kept, 0
        self._choose(host)

    def look_up_again(self, host: Host, at: float) -> None:
        """The addresses of a host could not be found: they are looked up once more, not before `at`."""
        host.lookups += 1
        host.resolved_until, host.not_before = at, max(host.not_before, at)

    def looked_up(self, host: Host) -> None:
        """A look-up has ended; what it brought was told."""
        self.held -= host.held == 1
        place, host.place = host.place, None  # the turn was none at this address
        self._bench.looked_up(host)
        host.place = place
        self._schedule(host)
        self.hosts.rest(host)

    def _choose(self, host: Host) -> None:
        """The address that is asked next has its clock."""
        if self._address_delay and host.addresses:
            host.place = self.hosts.place(host.address, self.unknown_until, self._address_delay)

    # -- robots.txt -----------------------------------------------------------------------------------------------

    def robots_moved(self, asker: Host, host: Host, url: str, source: str) -> None:
        """The robots.txt of `asker` is said to lie at `url` on `host`; `source` said so."""
        asker.robots_hops += 1
        ruled = host is not asker and not is_robots(path_of(url))
        host.foreign_robots.append(ForeignRobots(url=url, asker=asker, source=source, ruled=ruled))
        self.hosts.rouse(host)
        self._schedule(host)

    def robots_again(self, asker: Host, at: float) -> None:
        """Ask for robots.txt once more, not before `at`."""
        asker.gate, asker.robots_hops = RobotsGate.UNREAD, 0
        asker.not_before = max(asker.not_before, at)
        self._schedule(asker)

    def robots_read(self, asker: Host, text: str | None, until: float = float("inf")) -> None:
        """robots.txt was read (None or "": there is none), and is believed until a moment."""
        asker.gate, asker.robots_until = RobotsGate.OPEN, until
        asker.health.page = ""  # it may not be allowed any more
        asker.robots_attempts = asker.robots_hops = 0
        self.judging.read(asker, text)
        self._schedule(asker)

    def robots_kept(self, asker: Host, until: float) -> None:
        """robots.txt could not be read again: what it said last holds on (RFC 9309 section 2.4)."""
        asker.gate, asker.robots_until = RobotsGate.OPEN, until
        asker.robots_hops = 0
        self._schedule(asker)

    def robots_unreadable(self, asker: Host, state: State, reason: Code) -> None:
        """Nothing may be fetched from this host: every URL becomes `state` for `reason`."""
        asker.gate, asker.verdict = RobotsGate.SHUT, (state, reason)
        self._schedule(asker)
