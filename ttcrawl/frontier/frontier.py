"""A queue of per-domain priority queues: which host may be requested now, and which URL."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Sequence
from itertools import count

from ttcrawl import config
from ttcrawl.frontier.backoff import Backoff, Exchange
from ttcrawl.frontier.choosing import Choosing
from ttcrawl.frontier.delays import Delays
from ttcrawl.frontier.departures import Departures
from ttcrawl.frontier.host import Address, ForeignRobots, Host, Probe, RobotsGate
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.hosts import Hosts
from ttcrawl.frontier.incident import note
from ttcrawl.frontier.priority import FIRST
from ttcrawl.frontier.probing import Probing
from ttcrawl.frontier.robots_decisions import RobotsDecisions
from ttcrawl.frontier.rulebook import Rulebook
from ttcrawl.frontier.session import Session
from ttcrawl.frontier.turn import Refusal, Turn
from ttcrawl.frontier.work import REFUSAL, SLICE, TAKE, Work
from ttcrawl.frontier.workbench import Workbench
from ttcrawl.ring.messages import RESOLVE
from ttcrawl.vocabulary.reason import Code
from ttcrawl.vocabulary.state import State
from ttcrawl.web.robots import reader
from ttcrawl.web.robots.paths import is_robots, path_of

#: Requests longer than this mark a host as slow, seconds.
SLUGGISH = 2.0


class Frontier:
    """Hosts in memory, and a workbench of those that have work and are not locked.

    `load(site, limit)` reads the first queued URLs of a host in order of priority. `forget(host)` stores the clock of a
    host that leaves memory. `addresses(name)` returns the known addresses of a host (None: a look-up is needed).
    `own_delay(name)` returns the delay of a host in config.ini. At most `most_turns` turns are in flight at once.
    `rulebook` has the rules of robots.txt; None: no long robots.txt is ever read. Moments are seconds since the epoch.
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
    ) -> None:
        self._politeness = politeness
        self._max_connections = 1 if politeness.obey_delay else politeness.connections
        self._address_delay = politeness.address_delay if politeness.obey_delay else 0.0
        self._addresses = addresses
        self._delays = Delays(politeness, own_delay)
        self.decisions = RobotsDecisions(rulebook or Rulebook(reader("ttcrawl")), self._delays)
        rank = self._rank if settings.best_first else None
        self._bench = Workbench(self._address_delay, most_turns, politeness.domain_share, rank)
        self._later: list[tuple[float, int, Host, Queued]] = []  # retries, by the moment they are due
        self._serial = count()
        self.probing = Probing()
        self._ongoing: tuple[Host, Work] | None = None  # the host of the last refusal, and the rest of its slice
        self._spent, self._refusing = 0, False  # work since the last request; the last turn was a refusal
        self.hosts = Hosts(settings.hosts, settings.urls_per_host, politeness.domain_share, forget, rank)
        self.departures = Departures(self.hosts, self._bench, self.probing)
        self._choosing = Choosing(self.decisions, self.hosts, load, self.put_off)
        self.unknown_until = float("-inf")  # before this moment an earlier run may have sent requests to any address
        self.asleep = False  # hosts that are not in memory may have queued URLs
        self.visits_only = False  # queued URLs stay in the database
        self.sessions: Sequence[Session] = ()  # of the user
        self.queued = 0  # URLs, in memory or not, in flight or not
        self.locked_hosts = 0  # hosts

    def rank_hosts(self, rank: Callable[[Host], int]) -> None:
        """Let the smallest rank of the hosts that are due be next. Call it before there are hosts."""
        self._bench.rank_hosts(rank)
        self.hosts.rank_hosts(rank)

    # -- hosts ----------------------------------------------------------------------------------------------------

    def new_host(self, site: int, name: str, not_before: float = 0.0) -> Host:
        delay, origin = self._delays.of(name, None)
        host = self.hosts.add(site, name, delay, origin, not_before)
        host.queue.visits_only = self.visits_only
        host.leaving = self.departures.leaves(name)
        host.login.session = next((each for each in self.sessions if each.covers(name)), None)
        addresses = self._addresses(name)
        if addresses is not None:
            self.resolved(host, addresses, float("inf"))
        return host

    # -- URLs -----------------------------------------------------------------------------------------------------

    def push_asleep(self, name: str, count: int) -> None:
        """Count URLs that became queued and whose host is not in memory."""
        self.queued, self.asleep = self.queued + count, not self.visits_only
        self.hosts.vacancy = self.hosts.vacancy or not self.hosts.crowded(name)

    def wake(self, host: Host) -> None:
        """Schedule a host that has no URL in memory; the database may have queued URLs of it."""
        host.queue.asleep()
        self._schedule(host)

    def push(self, host: Host, *queued: Queued) -> None:
        """Add URLs that became queued (their rows have this state)."""
        self.queued += len(queued)
        for each in queued:
            host.queue.add(each, self.hosts.urls_each)
        self.hosts.rouse(host)
        self._schedule(host)
        self._bench.risen(host)

    def put_off(self, host: Host, queued: Queued, due: float) -> None:
        """Keep a URL that was in flight queued, and retry it at `due`."""
        queued.due = due
        heapq.heappush(self._later, (due, next(self._serial), host, queued))

    def promote(self, name: str, now: Queued) -> None:
        """Update a queued URL that has become nearer or gets a higher priority (its row has the new values)."""
        host = self.hosts.get(name)
        if host is None:
            return
        queued = host.queue.known.get(now.id)
        if queued is None:
            host.queue.add(now, self.hosts.urls_each)  # it was behind the horizon, and may not be any longer
            self._bench.risen(host)
            return
        queued.depth = now.depth
        queued.rank = now.rank
        queued.sitemap = now.sitemap
        queued.redirects = now.redirects
        queued.off_domain = now.off_domain
        queued.requisite = now.requisite
        queued.off_topic, queued.score = now.off_topic, now.score
        host.queue.promote(queued, now.priority)
        self._bench.risen(host)

    def move(self, host: Host, queued: Queued, priority: int) -> None:
        """Change the priority of a queued URL in memory."""
        host.queue.promote(queued, priority)
        self._bench.risen(host)

    def reorder(self, priority: Callable[[Queued], int]) -> None:
        """Change the priorities of all queued URLs, which must be in memory."""
        for host in self.hosts.values():
            host.queue.reorder(priority)
            self._bench.risen(host)

    def only_visits(self) -> None:
        """Hand out no queued URL from now on, only visits."""
        self.visits_only, self.asleep = True, False
        for host in self.hosts.values():
            host.queue.only_visits()
            self.hosts.rest(host)

    def visit(self, host: Host, queued: Queued) -> None:
        """Schedule a visit to a URL that was answered before (its row keeps its state)."""
        host.queue.known[queued.id] = queued
        host.queue.visits.append(queued)
        self.hosts.rouse(host)
        self._schedule(host)

    def settled(self, host: Host, queued: Queued) -> None:
        """Remove a URL that left the queue (its row has the new state), or whose visit has ended."""
        self.queued -= queued.visit is None
        host.queue.known.pop(queued.id, None)

    def probe(self, host: Host, probes: list[Probe]) -> None:
        """Schedule requests for these URLs, which cannot exist."""
        self.probing.add(host, probes)
        self.hosts.rouse(host)
        self._schedule(host)

    # -- logins ---------------------------------------------------------------------------------------------------

    def log_in(self, host: Host, session: Session, moment: float) -> None:
        """Schedule the next request of a login, not before a moment. The pages of its hosts wait for its end."""
        host.login.due.append(session)
        host.not_before = max(host.not_before, moment)
        self.hosts.rouse(host)
        self._schedule(host)
        self._bench.risen(host)

    def login_ended(self, session: Session) -> None:
        """Schedule the hosts that have waited for a login."""
        for host in self.hosts.values():
            if host.login.session is session:
                self._schedule(host)

    # -- turns ----------------------------------------------------------------------------------------------------

    def take(self, now: float) -> Turn | Refusal | None:
        """Return a turn that is due, or the refusal of a URL. A turn locks its host until `release` or `give_back`.

        Return None also after many refusals, so that other work has its turn: then `next_moment` is in the past.
        """
        self._recall(now)
        if not self._refusing:
            self._spent, self._ongoing = 0, None
        self._refusing = False
        while self._spent < TAKE and (host := self._bench.next(now)) is not None:
            work = self._slice_of(host)
            before, self._ongoing = work.remaining, None
            turn = self._choosing.turn(host, now, work)
            self._spent += 1 + before - work.remaining
            if isinstance(turn, Refusal):
                self._go_on(host, work)
                return turn
            if turn is None and work.remaining <= 0 and host.wants():
                self._put_behind(host, work)
                continue
            if turn is not None:
                self.locked_hosts += host.locks == 0
                host.flying += turn.queued is not None
                (self._bench.look_up if turn.kind == RESOLVE else self._bench.hold)(host)
                self._ongoing = host, work  # for `give_back`
            self._schedule(host)
            if turn is not None:
                return turn
            self.hosts.rest(host)
        return None

    def _slice_of(self, host: Host) -> Work:
        """Return the rest of the slice of the host that goes on, or a new slice for another one."""
        return self._ongoing[1] if self._ongoing is not None and self._ongoing[0] is host else Work()

    def _go_on(self, host: Host, work: Work) -> None:
        """Let a host continue after the refusal of a URL, until its slice is used up."""
        work.remaining -= REFUSAL
        self._spent += REFUSAL
        self._refusing = True
        if work.remaining > 0:
            self._ongoing = host, work
            self._bench.put_first(host)
        else:
            self._put_behind(host, work)

    def _put_behind(self, host: Host, work: Work) -> None:
        self._bench.put_behind(host, first=self.decisions.rulebook.may_continue(host.site, SLICE - work.remaining))

    def give_back(self, turn: Turn) -> None:
        """Take back a turn whose URL is not requested after all."""
        host, work = turn.host, self._slice_of(turn.host)
        self.locked_hosts -= host.locks == 1
        host.flying -= 1
        host.health.doubted = turn.doubted
        self._bench.give_back(host)
        self._refusing = True
        if not host.scheduled:  # otherwise it has other turns, and continues as it is
            self._go_on(host, work)

    def put_back(self, turn: Turn) -> None:
        """Take back a turn whose URL is requested later; its row has the new priority."""
        assert turn.queued is not None
        self.give_back(turn)
        del turn.host.queue.known[turn.queued.id]
        turn.host.queue.add(turn.queued, self.hosts.urls_each)

    def release(self, turn: Turn, ended: float, took: float = 0.0) -> None:
        """Unlock the host of a turn whose outcome is known. Its request ended at `ended` and took `took` seconds."""
        host = turn.host
        if turn.queued is not None:
            host.flying -= 1
            # otherwise it was put off, or counted before
            host.requested += turn.queued.id not in host.queue.known and turn.queued.visit is None
        self.locked_hosts -= host.locks == 1
        host.ended = max(host.ended, ended)
        self._delays.adapt(host, took)
        host.health.sluggish = took > SLUGGISH
        self._bench.release(host, ended)
        self._choose(host)
        self._schedule(host)
        self.hosts.rest(host)

    def next_moment(self) -> float:
        """Return when `take` may have something again; infinity if it waits for an outcome."""
        return min(self._bench.next_moment(), self._later[0][0] if self._later else float("inf"))

    def next_host(self) -> Host | None:
        """Return the host whose next moment is the earliest."""
        return self._bench.next_host()

    def next_retry(self) -> tuple[float, str]:
        """Return the moment and URL of the next retry; infinity and "" if there is none."""
        return (self._later[0][0], self._later[0][3].url) if self._later else (float("inf"), "")

    @property
    def waiting(self) -> int:
        """The number of hosts that wait for their next moment."""
        return self._bench.waiting

    def _schedule(self, host: Host) -> None:
        most = self._max_connections if host.gate in (RobotsGate.OPEN, RobotsGate.SHUT) else 1
        if host.locks < most and host.wants() and not host.leaving:
            self._bench.put(host)

    def _recall(self, now: float) -> None:
        while self._later and self._later[0][0] <= now:
            _, _, host, queued = heapq.heappop(self._later)
            host.queue.back(queued)
            self._schedule(host)
            self._bench.risen(host)

    def _rank(self, host: Host) -> int:
        """Return the priority of the first URL of a host. A robots.txt for which another host waits comes before."""
        return FIRST if host.foreign_robots else self._choosing.first(host)

    # -- back-off ---------------------------------------------------------------------------------------------------

    def exchanged(self, host: Host, exchange: Exchange) -> Backoff | None:
        """Note a finished request to a host; return the back-off that it causes, if any.

        The clock of the host moves now, not with `release`, which waits for the parsing: a commit may come in between.
        """
        host.ended = max(host.ended, exchange.ended)
        return note(host, exchange, self._politeness, random.random())

    # -- addresses ------------------------------------------------------------------------------------------------

    def resolved(self, host: Host, addresses: tuple[str, ...], until: float) -> None:
        """Set the addresses of a host until a moment; (): a proxy looks them up. The chosen one stays if valid."""
        index = addresses.index(host.address) if host.address in addresses else 0
        if set(addresses) != set(host.addresses):
            host.tried = 0
        host.addresses = addresses
        host.resolved_until = until
        host.chosen = index
        host.lookups = 0
        self._choose(host)

    def look_up_again(self, host: Host, moment: float) -> None:
        """Schedule another look-up of a host whose addresses could not be found, not before `moment`."""
        host.lookups += 1
        host.resolved_until, host.not_before = moment, max(host.not_before, moment)

    def end_look_up(self, host: Host) -> None:
        """Unlock a host whose look-up ended; its outcome is already processed."""
        self.locked_hosts -= host.locks == 1
        address, host.place = host.place, None  # the turn did not use this address
        self._bench.end_look_up(host)
        host.place = address
        self._schedule(host)
        self.hosts.rest(host)

    def _choose(self, host: Host) -> None:
        """Attach the clock of the address that is requested next."""
        if self._address_delay and host.addresses:
            host.place = self.hosts.address_of(host.address, self.unknown_until, self._address_delay)

    def unlock(self, address: Address) -> None:
        """Let hosts have turns at an address that another ring of the cluster had."""
        self._bench.unlock(address)

    # -- robots.txt -----------------------------------------------------------------------------------------------

    def robots_moved(self, asker: Host, host: Host, url: str, source: str) -> None:
        """Note that the robots.txt of `asker` redirects to `url` on `host`; `source` is the URL that redirects."""
        asker.robots.hops += 1
        ruled = host is not asker and not is_robots(path_of(url))
        host.foreign_robots.append(ForeignRobots(url=url, asker=asker, source=source, ruled=ruled))
        self.hosts.rouse(host)
        self._schedule(host)
        self._bench.risen(host)

    def robots_again(self, asker: Host, moment: float) -> None:
        """Request robots.txt once more, not before `moment`."""
        asker.gate, asker.robots.hops = RobotsGate.UNREAD, 0
        asker.not_before = max(asker.not_before, moment)
        self._schedule(asker)

    def robots_read(self, asker: Host, text: str | None, until: float = float("inf")) -> None:
        """Apply a robots.txt that was read (None or "": it does not exist). It is valid until a moment."""
        asker.gate, asker.robots.until = RobotsGate.OPEN, until
        asker.health.page = ""  # the new rules may not allow it
        asker.robots.attempts = asker.robots.hops = 0
        self.decisions.read(asker, text)
        self._schedule(asker)

    def keep_robots(self, asker: Host, until: float) -> None:
        """Keep the rules that were read last, because robots.txt could not be read again (RFC 9309 section 2.4)."""
        asker.gate, asker.robots.until = RobotsGate.OPEN, until
        asker.robots.hops = 0
        self._schedule(asker)

    def robots_unreadable(self, asker: Host, state: State, reason: Code) -> None:
        """Fetch nothing from this host: every URL becomes `state` for `reason`."""
        asker.gate, asker.verdict = RobotsGate.SHUT, (state, reason)
        self._schedule(asker)
