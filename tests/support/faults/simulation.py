"""A whole crawl on a clock of its own: the real crawl process and its tables, and a model of everything outside.

`ModelWeb` says what hosts, addresses, name servers and robots.txt are like, `ModelRing` stands where the two pools do
and keeps a log of what was asked when, `Simulation` lets a crawl live, be killed and be taken up again. All chances
come from one seed. Moments are seconds of the model's clock.
"""

from __future__ import annotations

import heapq
import json
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any
from weakref import WeakSet

from tests.support.crawls.any_messages import UNREAD, sample
from ttcrawl.config import Config
from ttcrawl.engine.environment import Environment
from ttcrawl.engine.loop import Crawl
from ttcrawl.engine.run.seeds import seed_links
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.frontier.host import Address
from ttcrawl.ring.columns import Fingerprint, Headers, LinkCounts, Reading
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import (
    CHECK,
    PAGE,
    PROBE,
    RESOLVE,
    ROBOTS,
    Archived,
    Failed,
    Fetched,
    IdenticalBody,
    Link,
    Moved,
    Page,
    Probed,
    Request,
    Resolved,
    Robots,
    Same,
)
from ttcrawl.ring.sizes import in_flight
from ttcrawl.store.sqlite import Store
from ttcrawl.web import storable
from ttcrawl.web.url import host, key

BEGIN = 1000.0

#: The crawl process looks up seldom, so that what nothing wakes it for is not done by accident.
TICK = 3600.0

ARCHIVED = Archived(file="x-00000-00000.warc.gz", offset=0, length=1)
LINKS = 8  # of a page

#: A robots.txt moves so often, then an answer comes; the crawl follows one more (RFC 9309 section 2.3.1.2).
ROBOTS_HOPS = 4

#: How often the loop may go round at the same moment with nothing to do: the last digits of a clock are lost.
MOST_SPINS = 10


class StuckError(Exception):
    """The crawl goes round and round."""


class KilledError(Exception):
    """The crawl process is no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsTxt:
    """What a host says when it is asked for robots.txt."""

    text: str = ""  # "": there is none
    crawl_delay: float | None = None  # what the text says
    elsewhere: str = ""  # the host to which it redirects
    errors: int = 0  # answers 503 that come first
    refused: bool = False  # no answer at all


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One host. `lookup`: "" when its addresses are found, "flapping" when now and then, else the reason."""

    addresses: tuple[str, ...]
    lookup: str = ""
    robots: RobotsTxt = RobotsTxt()


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """How often something happens to one request, 0 to 1."""

    fetch_dies: float = 0.0
    parse_dies: float = 0.0
    errors: float = 0.0  # status 500 or 503
    moved: float = 0.0


#: Nothing goes wrong by chance.
NONE = Faults()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelWeb:
    """`pages` pages on each host, each with links to pages of all hosts (`linked`) or to none."""

    sites: dict[str, Site]
    pages: int = 1
    linked: bool = True
    bodies: int = 0  # so many different ones are on its pages; 0: all differ
    dead: frozenset[str] = frozenset()  # addresses that let nobody connect
    faults: Faults = NONE
    seconds: tuple[float, ...] = (0.05,)  # that an exchange may take
    listed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # URL -> its links, whatever `linked` says
    busy: Mapping[str, int] = field(default_factory=dict)  # URL -> 429 or 503, which it always answers
    retry_after: float | None = None  # what these say

    def links(self, url: str) -> list[str]:
        if url in self.listed:
            return list(self.listed[url])
        if not self.linked:
            return []
        chance, names = random.Random(self.digest(url) or url), list(self.sites)
        links = [f"http://{chance.choice(names)}/{chance.randrange(self.pages)}" for _ in range(LINKS)]
        return list(dict.fromkeys(links))

    def digest(self, url: str) -> bytes:
        """Of what a page has for a body; empty where it is no matter."""
        return b"%016d" % (key(url) % self.bodies) if self.bodies else b""

    def crawl_delay(self, name: str) -> float | None:
        """What the robots.txt of a host says, wherever it lies."""
        for _ in range(ROBOTS_HOPS):
            if not self.sites[name].robots.elsewhere:
                break
            name = self.sites[name].robots.elsewhere
        return self.sites[name].robots.crawl_delay


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What the model saw of one request. `due`: the Crawl-delay that the host had told before, None: none."""

    start: float
    end: float
    host: str
    address: str
    url: str
    due: float | None


@dataclass(order=True, slots=True)
class Arrival:
    """Messages that the crawl process will receive; `last`: they end a request."""

    moment: float
    serial: int
    message: Any = field(compare=False)
    last: bool = field(compare=False)
    told: tuple[str, float] | None = field(compare=False, default=None)  # (host, Crawl-delay) that it then knows


class ModelRing:
    """Stands where `ttcrawl.ring.pools.Ring` does. Raises StuckError in `receive` after `most` calls of it."""

    def __init__(self, web: ModelWeb, chance: random.Random, *, threads: int, most: int) -> None:
        self._web, self._chance = web, chance
        self._threads, self._most = threads, most
        self._arrivals: list[Arrival] = []
        self._serial = count()
        self.flights: dict[int, Flight] = {}
        self._spins = 0
        self._errors: Counter[str] = Counter()  # answers 503 for robots.txt so far
        self._told: dict[str, float] = {}
        self._unread: dict[int, tuple[Any, tuple[str, float] | None, float]] = {}  # outcome, told, its time
        self._killed_at = -1
        self.now = BEGIN
        self.calls = 0  # of `receive`
        self.log: list[Exchange] = []
        self.clocks: WeakSet[Address] = WeakSet()  # of the addresses that were asked, as far as they are in memory
        #: What answers (request, name of the host) with (status, outcome, what it tells); a test may put others in.
        self.answers = {PAGE: self._page, CHECK: self._probe, PROBE: self._probe, ROBOTS: self._robots}

    # -- what the crawl process wants -----------------------------------------------------------------------------

    def ready(self) -> None:
        """Nothing has to come up."""

    def close(self) -> None:
        """Nothing has to end."""

    def room(self) -> bool:
        return len(self.flights) < self._threads

    def archived(self) -> dict[str, int]:
        return {}

    def in_flight(self) -> list[tuple[str, str, float]]:
        return []

    def launch(self, request: Request, turn: Any) -> None:
        self.flights[request.token] = Flight(request=request, turn=turn)
        if request.kind == RESOLVE:
            moment = self.now + self._chance.choice([0.0005, 0.02, 1.0])
            self._arrive(moment, self._looked_up(request, moment), last=True)
            return
        name, start = host(request.url), max(self.now, request.not_before)
        end = start + self._chance.choice(self._web.seconds)
        seen = Exchange(
            start=start, end=end, host=name, address=request.address, url=request.url, due=self._told.get(name)
        )
        self.log.append(seen)
        self.clocks.update([turn.host.place] if turn.host.place else [])
        if reason := self._silence(request, name):
            failed = Failed(token=request.token, reason=reason, detail="", started=start, ended=end)
            self._arrive(end, failed, last=True)
            return
        status, outcome, told = self.answers[request.kind](request, name)
        self._unread[request.token] = outcome, told, self._chance.choice([0.0, 0.001, 0.5])
        fetched = Fetched(
            token=request.token,
            status=status,
            address=request.address,
            started=start,
            ended=end,
            head_size=1,
            body_size=1,
            refused="",
            digest=self._web.digest(request.url) if request.kind == PAGE and status == 200 else b"",
            parse_context=1,
            retry_after=self._web.retry_after if request.url in self._web.busy else None,
        )
        self._arrive(end, fetched, last=False)

    def read(self, token: int, identical: IdenticalBody | None) -> None:
        outcome, told, seconds = self._unread.pop(token)
        self.flights[token].identical = identical
        if identical is not None and identical.same and isinstance(outcome, Page):
            outcome = Same(token=token, archived=ARCHIVED, original=identical.id, headers=Headers())
        self._arrive(self.now + seconds, outcome, last=True, told=told)

    def receive(self, timeout: float) -> list[tuple[Any, Flight | None]]:
        self.calls += 1
        if self.calls > self._most:
            raise StuckError(f"{self._most:,} times round the loop, {self.now - BEGIN:.1f} s after the begin")
        if self.calls == self._killed_at:
            raise KilledError
        first = self._arrivals[0].moment if self._arrivals else float("inf")
        if first > self.now + max(0.0, timeout):
            self._idle(timeout)
            return []
        self._spins = 0
        self.now = max(self.now, first)
        received: list[tuple[Any, Flight | None]] = []
        while self._arrivals and self._arrivals[0].moment <= self.now:
            arrival = heapq.heappop(self._arrivals)
            received.append((arrival.message, self._flight(arrival)))
            self._told.update([arrival.told] if arrival.told else [])
        return received

    def _flight(self, arrival: Arrival) -> Flight:
        flight = self.flights.pop(arrival.message.token) if arrival.last else self.flights[arrival.message.token]
        if isinstance(arrival.message, Fetched):
            flight.fetched = arrival.message
        return flight

    # -- kills ----------------------------------------------------------------------------------------------------

    def kill_after(self, calls: int) -> None:
        self._killed_at = self.calls + calls

    def restart(self) -> None:
        """The crawl process and its pools are new: what was under way ended when they did."""
        self.log = [replace(each, end=min(each.end, self.now)) for each in self.log if each.start <= self.now]
        self._arrivals.clear()
        self._unread.clear()
        self._told.clear()  # it may not have been committed
        self.clocks.clear()  # of the process that was killed
        self.flights.clear()
        self._killed_at = -1
        self.now += 0.01

    # -- answers --------------------------------------------------------------------------------------------------

    def _arrive(self, moment: float, message: Any, *, last: bool, told: tuple[str, float] | None = None) -> None:
        heapq.heappush(self._arrivals, Arrival(moment, next(self._serial), message, last, told))

    def _idle(self, timeout: float) -> None:
        """Nothing comes: so much time passes, and a little where that is none."""
        self._spins = self._spins + 1 if timeout <= 0 else 0
        if self._spins > MOST_SPINS:
            raise StuckError(f"a busy loop {self.now - BEGIN:.1f} s after the begin")
        self.now += timeout if timeout > 0 else 1e-5

    def _happens(self, how_often: float) -> bool:
        return self._chance.random() < how_often

    def _looked_up(self, request: Request, moment: float) -> Resolved | Failed:
        site = self._web.sites[request.url.removeprefix("dns:")]
        reason = site.lookup
        if self._happens(self._web.faults.fetch_dies):
            reason = "fetch process died"
        elif reason == "flapping":
            reason = self._chance.choice(["", "dns: temporary"])
        if reason:
            return Failed(token=request.token, reason=reason, detail="", started=moment, ended=moment, requests=0)
        return Resolved(token=request.token, addresses=site.addresses)

    def _silence(self, request: Request, name: str) -> str:
        """Why there is no answer, "" when there is one."""
        if self._happens(self._web.faults.fetch_dies):
            return "fetch process died"
        refused = request.kind == ROBOTS and self._web.sites[name].robots.refused
        return "connection refused" if refused or request.address in self._web.dead else ""

    def _robots(self, request: Request, name: str) -> tuple[int, Robots | Moved, tuple[str, float] | None]:
        robots, path = self._web.sites[name].robots, request.url.rpartition("/")[2]
        hops = 0 if path == "robots.txt" else int(path)
        if robots.elsewhere and hops < ROBOTS_HOPS:
            return 302, self._moved(request, f"http://{robots.elsewhere}/{hops + 1}", 0), None
        self._errors[name] += 1
        known = any(name == "If-None-Match" for name, _ in request.headers)
        busy = self._errors[name] <= robots.errors or request.url in self._web.busy
        status = 503 if busy else 304 if known else 200 if robots.text else 404
        told = (name, robots.crawl_delay) if status == 200 and hops == 0 and robots.crawl_delay is not None else None
        text, etag = (robots.text if status == 200 else ""), ('"1"' if robots.text else "")
        return status, Robots(token=request.token, archived=ARCHIVED, text=text, etag=etag, last_modified=""), told

    def _probe(self, request: Request, name: str) -> tuple[int, Probed | Failed, None]:
        """Every other host says 200."""
        if request.url in self._web.busy:
            return self._web.busy[request.url], probed(request), None
        faults, found = self._web.faults, 404 if name.partition(".")[0][-1] in "02468" else 200
        status = self._chance.choice([500, 503]) if self._happens(faults.errors) else found
        if self._happens(faults.parse_dies):
            return status, Failed(token=request.token, reason="parse process died", detail="", stage="parse"), None
        return status, probed(request), None

    def _page(self, request: Request, name: str) -> tuple[int, Page | Moved | Failed, None]:
        faults, links = self._web.faults, self._web.links(request.url)
        if request.url in self._web.busy:
            return self._web.busy[request.url], page(request, []), None
        status = self._chance.choice([500, 503]) if self._happens(faults.errors) else 200
        if self._happens(faults.parse_dies):
            return status, Failed(token=request.token, reason="parse process died", detail="", stage="parse"), None
        if self._happens(faults.moved):
            return 301, self._moved(request, links[0], request.depth), None
        made = page(request, links)
        if digest := self._web.digest(request.url):
            reading = Reading(fingerprint=Fingerprint())
            made = storable.replace(made, digest=digest, reading=reading, uses_page_url=request.url in links)
        return status, made, None

    def _moved(self, request: Request, url: str, distance: int) -> Moved:
        return Moved(token=request.token, archived=ARCHIVED, location=url, target=link(url, distance))


def probed(request: Request) -> Probed:
    return sample(Probed, token=request.token, archived=ARCHIVED)


def link(url: str, distance: int) -> Link:
    return Link(url=url, key=key(url), host=host(url), distance=distance, refused="")


def page(request: Request, links: list[str]) -> Page:
    return sample(
        Page,
        token=request.token,
        archived=ARCHIVED,
        type="text/html",
        declared_type="text/html",
        charset="utf-8",
        charset_from="header",
        length=1,
        digest=bytes(16),
        parser="lexbor",
        counts=LinkCounts(links=len(links), content_links=len(links)),
        content_hashes=(0, 0),
        links=tuple(link(each, request.depth + 1) for each in links),
        targets=json.dumps([key(each) for each in links]),
        kinds=b"A" * len(links),
        regions=b"c" * len(links),
        **UNREAD,
    )


class Simulation:
    """One crawl of the first page of each host of `web`, in one life or more."""

    def __init__(self, directory: Path, web: ModelWeb, config: Config, seed: int = 0, most: int = 20_000) -> None:
        random.seed(seed)  # back-offs are scattered by Python's own generator
        self.chance = random.Random(seed)
        self.web, self.config = web, config
        self.ring = ModelRing(web, self.chance, threads=in_flight(config), most=most)
        self.told: list[str] = []  # what a person would have read
        self._database = directory / "crawl.db"
        with self._store(create=True) as store:
            store.set(seconds=0.0, started=0, finished="", seeds="")
            store.commit()

    @contextmanager
    def life(self) -> Iterator[tuple[Crawl, Store]]:
        """The crawl process from its begin; `run` lets it go on."""
        with self._store(create=False) as store:
            given = Environment(
                config=self.config,
                store=store,
                ring=self.ring,
                clock=lambda: self.ring.now,
                bounds=Bounds(),
                say=self.told.append,
                tick=TICK,
            )
            yield Crawl(given), store

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """What was committed."""
        with closing(sqlite3.connect(f"file:{self._database}?mode=ro", uri=True)) as database:
            return database.execute(sql).fetchall()

    def run(self, crawl: Crawl) -> None:
        """Raises StuckError, KilledError, and what the crawl raises."""
        crawl.run(seed_links([f"http://{name}/0" for name in self.web.sites], lambda url: ("", "")))

    @contextmanager
    def _store(self, *, create: bool) -> Iterator[Store]:
        store = Store(self._database, create=create)
        try:
            yield store
        finally:
            store.rollback()
            store.close()
