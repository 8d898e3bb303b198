"""The turns of a page at the hosts of its requests.

For a host, the requests of one page are one visit, like the page and the requests to its own host: they come one after
the other, nobody else requests anything from it meanwhile, and its delay has passed before and passes afterwards. If a
host is not free, the page gives back all hosts that it has before it waits, so two pages never wait for each other.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from ttcrawl.config import Config
from ttcrawl.fetch.answer import Answer
from ttcrawl.frontier.delays import Delays
from ttcrawl.frontier.host_settings import own_delays
from ttcrawl.ring.browsing import ScriptVisit
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.host_desk import SharedHosts
from ttcrawl.ring.messages import Request
from ttcrawl.vocabulary.reason import OVERLOADED_STATUSES
from ttcrawl.web.url import host

#: Longest sleep before a host is looked at again, seconds: another page may give it back earlier.
SLEEP = 0.05

#: Maximum hosts whose Crawl-delay is remembered.
HOSTS = 10_000


class HostDelays:
    """The delays of hosts, as far as a fetch process knows them."""

    def __init__(self, config: Config) -> None:
        self._delays = Delays(config.politeness, own_delays(config.hosts))
        self._crawl_delays = dict[str, float | None]()

    def read(self, name: str, crawl_delay: float | None) -> None:
        """Note the Crawl-delay of a robots.txt that was read, seconds; None: it has none."""
        if len(self._crawl_delays) >= HOSTS:  # threads may pass it
            self._crawl_delays.clear()
        self._crawl_delays[name] = crawl_delay

    def of(self, name: str) -> tuple[float, str]:
        """Return the delay of a host in seconds, and its origin."""
        return self._delays.of(name, self._crawl_delays.get(name))


@dataclass(slots=True)
class _Turn:
    """A host that a page has. `requests` is 0 until the first one has ended."""

    delay: float
    delay_from: str
    url: str = ""
    started: float = 0.0
    ended: float = 0.0
    status: int | None = None
    address: str = ""
    requests: int = 0
    received: int = 0
    backoff: float | None = None


@dataclass(slots=True, kw_only=True)
class Turns:
    """Of one page. `clocks`: None if delays are not obeyed, then nobody waits. Times by the crawl's clock."""

    page: Request
    delays: HostDelays
    clocks: SharedHosts | None
    clock: Clock
    backoff: float  # seconds after 429 or 503 without Retry-After
    done: list[ScriptVisit] = field(default_factory=list)  # besides the visit of the page itself
    own_ended: float = 0.0  # when the page gave back its own host; 0: it has it
    own_requests: int = 0  # of the visit of the page, besides the page
    own_received: int = 0
    _held: dict[str, _Turn] = field(default_factory=dict)

    def begin(self) -> None:
        """Take the host of the page, whose delay the crawl process has kept; other pages may be there."""
        self._take(host(self.page.url), float("inf"))

    def enter(self, name: str, until: float) -> bool:
        """Take a host if the page does not have it; False: it was not free until then, or is backed off."""
        if name in self._held:
            return self._held[name].backoff is None
        return self._take(name, until)

    def _take(self, name: str, until: float) -> bool:
        delay, origin = self._delay(name)
        while self.clocks is not None:
            now = self.clock()
            moment = self.clocks.take(name, now, delay)
            if moment <= now:
                break
            if self._held:
                self.leave()
            if moment >= until:
                return False
            time.sleep(min(moment - now, SLEEP))
        self._held[name] = _Turn(delay, origin)
        return True

    def _delay(self, name: str) -> tuple[float, str]:
        """Return the delay of a host in seconds, and its origin; for the page's host it may be longer now."""
        delay, origin = self.delays.of(name)
        return (max(delay, self.page.delay), origin) if name == host(self.page.url) else (delay, origin)

    def requested(self, url: str, answer: Answer | None, requests: int, received: int, started: float) -> None:
        """Note a request that has ended; `answer`: None if there is none."""
        turn = self._held[host(url)]
        if not turn.requests:
            turn.url, turn.started = url, started
        turn.requests, turn.received = turn.requests + requests, turn.received + received
        turn.ended = self.clock() if answer is None else answer.ended
        if answer is not None:
            turn.status, turn.address = answer.status, answer.address
            if answer.status in OVERLOADED_STATUSES:
                turn.backoff = max(answer.retry_after or self.backoff, turn.delay)

    def leave(self) -> None:
        """Give back all hosts."""
        for name, turn in self._held.items():
            own = not self.own_ended and name == host(self.page.url)
            if own:
                self.own_ended = turn.ended = self.clock()
                self.own_requests, self.own_received = turn.requests, turn.received
            elif turn.requests:
                self.done.append(_script_visit(turn))
            if self.clocks is not None:
                delay = max(self._delay(name)[0], turn.backoff or 0.0)  # its robots.txt may have been read meanwhile
                self.clocks.give(name, turn.ended + delay if own or turn.requests else self.clock())
        self._held.clear()


def _script_visit(turn: _Turn) -> ScriptVisit:
    return ScriptVisit(
        url=turn.url,
        started=turn.started,
        ended=turn.ended,
        status=turn.status,
        address=turn.address,
        requests=turn.requests,
        received=turn.received,
        delay=turn.delay,
        delay_from=turn.delay_from,
        backoff=turn.backoff,
    )
