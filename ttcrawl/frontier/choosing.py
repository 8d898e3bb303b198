"""The next request to a host: a look-up of its addresses, a robots.txt, a probe or a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttcrawl.frontier.host import Host, Probe, RobotsGate
from ttcrawl.frontier.host_queue import HostQueue, Queued
from ttcrawl.frontier.hosts import Hosts
from ttcrawl.frontier.priority import LAST
from ttcrawl.frontier.robots_decisions import RobotsDecisions, own_first
from ttcrawl.frontier.session import State
from ttcrawl.frontier.turn import Refusal, Turn
from ttcrawl.frontier.work import Work
from ttcrawl.ring.messages import CHECK, LOGIN, PAGE, PROBE, RESOLVE, ROBOTS
from ttcrawl.vocabulary.state import FAILED
from ttcrawl.web.url import on_host


class Choosing:
    """Chooses turns. `load`, `put_off(host, queued, due)`: frontier methods."""

    def __init__(
        self,
        decisions: RobotsDecisions,
        hosts: Hosts,
        load: Callable[[int, int], list[Queued]],
        put_off: Callable[[Host, Queued, float], None],
    ) -> None:
        self._decisions, self._hosts = decisions, hosts
        self._load = load
        self._put_off = put_off

    def turn(self, host: Host, now: float, work: Work) -> Turn | Refusal | None:
        if host.unresolved(now):
            host.place, host.resolved_until = None, float("inf")  # until the answer arrives
            return Turn(kind=RESOLVE, host=host, url=f"dns:{host.name}")
        checked_first = host.checked_first
        if host.foreign_robots and not checked_first and not own_first(host):
            ruled, url = host.foreign_robots[0].ruled, host.foreign_robots[0].url
            if ruled and (robots := self._robots_first(host, url, now)) is not None:
                return robots
            ready, foreign = self._decisions.foreign(host, now, work)
            if isinstance(foreign, Refusal):
                return foreign
            if not ready or foreign is not None:
                return _turn(ROBOTS, host, foreign.url, asker=foreign.asker) if foreign else None
        if host.login.due:
            return self._login(host, now, work)
        if host.login.waits:
            return None
        if checked_first and (check := self._check(host, now)) is not None:
            return check
        if host.probes and not checked_first:
            if (robots := self._robots_first(host, host.probes[0].url, now)) is not None:
                return robots
            ready, rules = self._decisions.rules(host, now, work)
            if not ready:
                return None
            probe = host.probes.popleft()
            if (refusal := self._decisions.refusal(host, probe, rules, work) or _login_failed(host, probe)) is not None:
                return refusal
            host.health.doubted = False
            return _turn(PROBE, host, probe.url, probe=probe)
        return self._page(host, now, work)

    def _page(self, host: Host, now: float, work: Work) -> Turn | Refusal | None:
        """Return the first queued URL of a host, or its refusal."""
        queued = self._next(host, now)
        if queued is None:
            return None
        robots = self._robots_first(host, queued.url, now)
        ready, rules = self._decisions.rules(host, now, work) if robots is None else (False, None)
        if not ready:
            host.queue.back(queued)
            return robots
        refusal = self._decisions.refusal(host, queued, rules, work) or _login_failed(host, queued)
        if refusal is not None:
            return refusal
        doubted, host.health.doubted = host.health.doubted, False
        return _turn(PAGE, host, queued.url, depth=queued.depth, queued=queued, doubted=doubted)

    def _login(self, host: Host, now: float, work: Work) -> Turn | Refusal | None:
        """Return the next request of a login. The user has named its URL: only the delay of robots.txt holds."""
        session = host.login.due[0]
        if (robots := self._robots_first(host, session.step.url, now)) is not None:
            return robots
        ready, _ = self._decisions.rules(host, now, work)
        if not ready:
            return None
        host.login.due.popleft()
        if host.gate is RobotsGate.SHUT:
            state, reason = host.verdict
            return Refusal(host=host, subject=session, state=state, reason=reason)
        return _turn(LOGIN, host, session.step.url, session=session)

    def _check(self, host: Host, now: float) -> Turn | None:
        """Request again a page that was well, or the robots.txt that must be read before."""
        if not host.health.page:
            return None
        if (robots := self._robots_first(host, host.health.page, now)) is not None:
            return robots
        host.health.doubted = False
        return _turn(CHECK, host, host.health.page)

    def _robots_first(self, host: Host, url: str, now: float) -> Turn | None:
        """Return a turn for the robots.txt that must be read before this URL is decided."""
        if host.gate is RobotsGate.OPEN and host.robots.until <= now and not host.robots.unused:
            host.gate = RobotsGate.UNREAD
        if host.gate is RobotsGate.UNREAD:
            host.gate = RobotsGate.READING
            return _turn(ROBOTS, host, on_host(url, host.name, "/robots.txt"), asker=host)
        host.robots.unused = False
        return None

    def first(self, host: Host) -> int:
        """Return the priority of the first queued URL of a host."""
        heap = self._filled(host).heap
        return heap[0][0] if heap else LAST

    def _filled(self, host: Host) -> HostQueue:
        queue = host.queue
        if not queue.heap and queue.more:
            # URLs in flight or put off are queued in the database too, and would use up the limit
            limit = self._hosts.urls_each // 2 + len(queue.known)
            queue.refill(self._load(host.site, limit), limit)
        return queue

    def _next(self, host: Host, now: float) -> Queued | None:
        queue = host.queue
        if queue.visits and not (queue.visit_done and (queue.heap or queue.more)):
            queue.visit_done = True
            return queue.visits.popleft()
        queue.visit_done = False
        while True:
            if not self._filled(host).heap:
                return queue.visits.popleft() if queue.visits else None
            queued = queue.pop(untried=host.health.doubted)
            if queued.due <= now:
                return queued
            self._put_off(host, queued, queued.due)


def _login_failed(host: Host, subject: Queued | Probe) -> Refusal | None:
    """Return the refusal of a URL for which the user must be logged in, and could not be."""
    session = host.login.session
    if session is None or session.state is not State.FAILED:
        return None
    return Refusal(host=host, subject=subject, state=FAILED, reason=session.reason)


def _turn(kind: str, host: Host, url: str, **fields: Any) -> Turn:
    due = (host.delay, host.delay_from, host.place.delay if host.place else 0.0)
    return Turn(kind=kind, host=host, url=url, address=host.address, due=due, **fields)
