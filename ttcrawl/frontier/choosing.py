"""What a host is asked next: its addresses, a robots.txt, a probe or a page."""

from __future__ import annotations

import heapq
from collections.abc import Callable

from ttcrawl.frontier.host import Gate, Host, Queued
from ttcrawl.frontier.judging import PUT_LAST, Judging, own_first
from ttcrawl.frontier.probing import Probing
from ttcrawl.frontier.turn import Turn
from ttcrawl.frontier.work import REFUSAL, Work
from ttcrawl.ring.messages import CHECK, PAGE, PROBE, RESOLVE, ROBOTS
from ttcrawl.vocabulary.reason import Code
from ttcrawl.vocabulary.state import State


class Choosing:
    """`load` and `refuse` are those of the frontier, `put_off(host, queued, due)` is its; `bound`: URLs of a host in
    memory."""

    def __init__(
        self,
        judging: Judging,
        probing: Probing,
        load: Callable[[int, int], list[Queued]],
        refuse: Callable[[Queued, State, Code], None],
        put_off: Callable[[Host, Queued, float], None],
        bound: int,
    ) -> None:
        self._judging = judging
        self._probing = probing
        self._load = load
        self._refuse = refuse
        self._put_off = put_off
        self._bound = bound

    def turn(self, host: Host, now: float, work: Work) -> Turn | None:
        if host.unresolved(now):
            host.place, host.resolved_until = None, float("inf")  # until the answer is there
            return Turn(kind=RESOLVE, host=host, url=f"dns:{host.name}")
        checked_first = host.checked_first
        if host.errands and not checked_first and not own_first(host):
            ruled, url = host.errands[0].ruled, host.errands[0].url
            if ruled and (robots := self._robots_first(host, url, now)) is not None:
                return robots
            ready, errand = self._judging.errand(host, now, work)
            if not ready or errand is not None:
                return Turn(kind=ROBOTS, host=host, url=errand.url, asker=errand.asker) if errand else None
        if checked_first and (check := self._check(host, now)) is not None:
            return check
        if host.probes and not checked_first:
            if (robots := self._robots_first(host, host.probes[0].url, now)) is not None:
                return robots
            ready, rules = self._judging.rules(host, now, work)
            if not ready:
                return None
            if (probe := self._probing.next(host, rules)) is not None:
                host.health.doubted = False
                return Turn(kind=PROBE, host=host, url=probe.url, probe=probe)
        return self._page(host, now, work)

    def _page(self, host: Host, now: float, work: Work) -> Turn | None:
        """The first of its URLs that may be asked for; those before it are refused."""
        while work.left > 0:
            queued = self._next(host, now)
            if queued is None:
                return None
            if (robots := self._robots_first(host, queued.url, now)) is not None:
                heapq.heappush(host.heap, (queued.priority, queued.id))
                return robots
            ready, rules = self._judging.rules(host, now, work)
            if not ready:
                heapq.heappush(host.heap, (queued.priority, queued.id))
                return None
            refusal = self._judging.refusal(host, queued, rules, work)
            if refusal is None:
                host.health.doubted = False
                return Turn(kind=PAGE, host=host, url=queued.url, depth=queued.depth, queued=queued)
            work.left -= REFUSAL
            if refusal[1] == PUT_LAST:
                del host.known[queued.id]
                host.add(queued, self._bound)
            else:
                self._refuse(queued, *refusal)
        return None

    def _check(self, host: Host, now: float) -> Turn | None:
        """A page that was well is requested again, or the robots.txt that has to be read before."""
        if not host.health.page:
            return None
        if (robots := self._robots_first(host, host.health.page, now)) is not None:
            return robots
        host.health.doubted = False
        return Turn(kind=CHECK, host=host, url=host.health.page)

    def _robots_first(self, host: Host, url: str, now: float) -> Turn | None:
        """The robots.txt that has to be read before this URL is decided."""
        if host.gate is Gate.OPEN and host.robots_until <= now and not host.robots_unused:
            host.gate = Gate.UNREAD
        if host.gate is Gate.UNREAD:
            host.gate = Gate.READING
            return Turn(kind=ROBOTS, host=host, url=f"{url.partition(':')[0]}://{host.name}/robots.txt", asker=host)
        host.robots_unused = False
        return None

    def _next(self, host: Host, now: float) -> Queued | None:
        while True:
            if not host.heap and host.more:
                # what is in flight or put off is queued in the database too, and would fill the answer
                limit = self._bound // 2 + len(host.known)
                host.refill(self._load(host.site, limit), limit)
            if not host.heap:
                return None
            queued = host.pop(untried=host.health.doubted)
            if queued.due <= now:
                return queued
            self._put_off(host, queued, queued.due)
