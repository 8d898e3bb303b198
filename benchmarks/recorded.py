"""The messages of a real crawl, recorded once, and a ring that answers with them: no sockets, no other processes.

The recording crawls the documentation sites (`benchmarks.docsites`) with the inline ring. Every page is parsed, also
one with a known body, because a replay takes the pages in another order.
"""

from __future__ import annotations

import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct, msgpack

from benchmarks.docsites import docsites
from ttcrawl.config import Config, read
from ttcrawl.config.compiled import compile_scope
from ttcrawl.engine.environment import Environment
from ttcrawl.engine.inline import InlineRing
from ttcrawl.engine.loop import Crawl
from ttcrawl.engine.run.seeds import seed_links
from ttcrawl.frontier.bounds import bounds
from ttcrawl.frontier.turn import Turn
from ttcrawl.ring.channel import Inbox, encode
from ttcrawl.ring.flight import Flight, Launcher
from ttcrawl.ring.messages import (
    HEAD_ROOM,
    PAGE,
    REPORTS,
    Failed,
    Fetched,
    IdenticalBody,
    Link,
    Outcome,
    Page,
    Parse,
    Request,
    Same,
)
from ttcrawl.ring.position import Position
from ttcrawl.ring.slots import Slots
from ttcrawl.store.sqlite import Store
from ttcrawl.topic.files import DIRECTORY, copies
from ttcrawl.web.scope import Scope
from ttcrawl.web.storable import replace
from ttcrawl.web.url import host

ABOUT = {"seconds": 0, "finished": ""}


class Exchange(Struct, frozen=True):
    """One request of the recording, and its messages."""

    kind: str
    url: str
    fetched: Fetched | Failed
    outcome: Outcome | None = None


class Recording(Struct, frozen=True):
    seeds: list[str]
    resolve: list[str]
    exchanges: list[Exchange]
    settings: dict[str, str] = {}  # of the crawl, besides what every benchmark sets


class Replayed(NamedTuple):
    """A crawl without a network: where it begins, its settings, and what answers its requests."""

    seeds: list[str]
    resolve: list[str]
    settings: Mapping[str, str]
    exchange: Callable[[Request], Exchange]


def of_recording(recording: Recording) -> Replayed:
    pages = {each.url: each for each in recording.exchanges if each.kind == PAGE}
    others = {(each.kind, host(each.url)): each for each in recording.exchanges if each.kind != PAGE}

    def exchange(request: Request) -> Exchange:
        return pages[request.url] if request.kind == PAGE else others[request.kind, host(request.url)]

    return Replayed(recording.seeds, recording.resolve, recording.settings, exchange)


def configuration(resolve: list[str], settings: Mapping[str, str]) -> Config:
    overrides = [("politeness.obey_delay", "no"), ("scope.extensions", ""), ("fetch.resolve", "\n".join(resolve))]
    return read(None, [*overrides, *settings.items()])


class RecordingRing(InlineRing[Turn]):
    """Records each request with its messages."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.exchanges: list[Exchange] = []

    def read(self, token: int, identical: IdenticalBody | None) -> None:
        super().read(token, None)

    def receive(self, timeout: float) -> list[tuple[Any, Flight[Turn] | None]]:
        received = super().receive(timeout)
        for message, flight in received:
            assert flight is not None, message
            if not isinstance(message, Fetched):
                request, fetched = flight.request, flight.fetched or message
                outcome = message if flight.fetched else None
                self.exchanges.append(Exchange(request.kind, request.url, fetched, outcome))
        return received


def crawl_over(
    ring: Launcher[Turn], config: Config, seeds: list[str], scope: Scope, store: Store
) -> tuple[Crawl, Iterator[Link]]:
    """Return a crawl over a ring, and the links with which it begins."""
    home = scope.home if scope.counts_hops else None
    limits = bounds(config, scope.ruling if scope.by_path else None, home, None, scope.ruling)
    environment = Environment(config=config, store=store, ring=ring, clock=time.time, bounds=limits, say=print)
    return Crawl(environment), seed_links(seeds, scope.ruling)


def record(settings: Mapping[str, str]) -> Recording:
    """Crawl the documentation sites. Raises benchmarks.docsites.Missing."""
    with docsites() as sites, tempfile.TemporaryDirectory() as directory:
        config = configuration(sites.resolve, settings)
        scope = compile_scope(config.scope, tuple(sites.seeds), config.hosts)
        slots = Slots(1, HEAD_ROOM + config.fetch.max_body)
        names = frozenset((host(seed).partition(":")[0], "127.0.0.1") for seed in sites.seeds)
        archive, position = Path(directory) / "warc", Position(series=0)
        archive.mkdir()
        subject = Path(directory) / DIRECTORY
        subject.mkdir()
        for name, data in copies(config.topic).items():
            (subject / name).write_bytes(data)
        ring = RecordingRing(config, scope, archive, position, time.time, slots, names)
        with closing(replay_store(Path(directory), sites.seeds)) as store:
            crawl, seeds = crawl_over(ring, config, sites.seeds, scope, store)
            crawl.run(seeds)
        ring.close()
        slots.close()
        return Recording(sites.seeds, sites.resolve, ring.exchanges, dict(settings))


def replay_store(directory: Path, seeds: list[str]) -> Store:
    store = Store(directory / "crawl.db", create=True)
    store.set(**ABOUT, seeds="\n".join(seeds))
    return store


def recorded(path: Path, settings: Mapping[str, str]) -> Recording:
    """Return the recording in a file; without it, record and write it."""
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(msgpack.encode(record(settings)))
    return msgpack.decode(path.read_bytes(), type=Recording)


@dataclass(slots=True)
class Overhead:
    """Processor time of the replay itself, seconds."""

    seconds: float = 0.0

    @contextmanager
    def counted(self) -> Iterator[None]:
        began = time.process_time()
        yield
        self.seconds += time.process_time() - began


class ReplayRing:
    """A ring that answers with recorded messages, up to `batch` of them at once, with `room` requests in flight."""

    def __init__(self, exchange: Callable[[Request], Exchange], *, batch: int, room: int) -> None:
        self._exchange = exchange
        self._batch, self._room = batch, room
        self._inbox = Inbox(REPORTS)
        self._messages: deque[tuple[int, bytes]] = deque()  # token and packed message
        self.flights: dict[int, Flight[Turn]] = {}
        self.overhead = Overhead()
        self.received = self.wakes = 0

    def ready(self) -> None:
        """Return at once."""

    def room(self) -> bool:
        return len(self.flights) < self._room

    def launch(self, request: Request, turn: Turn) -> None:
        self.flights[request.token] = Flight(request=request, turn=turn)
        encode(request)
        with self.overhead.counted():
            self._put(replace(self._exchange(request).fetched, token=request.token))

    def read(self, token: int, identical: IdenticalBody | None) -> None:
        flight = self.flights[token]
        flight.identical = identical
        assert flight.fetched is not None
        encode(Parse(request=flight.request, fetched=flight.fetched, identical=identical))
        with self.overhead.counted():
            outcome = self._exchange(flight.request).outcome
            if identical is not None and identical.same and isinstance(outcome, Page):
                outcome = _same(outcome, identical)
            assert outcome is not None
            self._put(replace(outcome, token=token))

    def _put(self, message: Fetched | Outcome) -> None:
        self._messages.append((message.token, encode(message)))

    def receive(self, timeout: float) -> list[tuple[Any, Flight[Turn] | None]]:
        count = min(self._batch, len(self._messages))
        data = b"".join(self._messages.popleft()[1] for _ in range(count))
        self.received, self.wakes = self.received + count, self.wakes + 1
        results: list[tuple[Any, Flight[Turn] | None]] = []
        for message in self._inbox.feed(data):
            flight = self.flights[message.token]
            if isinstance(message, Fetched):
                flight.fetched = message
            else:
                del self.flights[message.token]
            results.append((message, flight))
        return results

    def archived(self) -> dict[str, int]:
        return {"ttcrawl-0-00000.warc.gz": self.received}

    def in_flight(self) -> list[tuple[str, str, float]]:
        return [(each.request.url, "replay", each.since) for each in self.flights.values()]

    def close(self) -> None:
        """There is nothing to close."""


def _same(page: Page, identical: IdenticalBody) -> Same:
    """The outcome of a body that was not parsed again."""
    file = page.reading.image or page.reading.document
    return Same(
        token=0,
        archived=page.archived,
        original=identical.id,
        headers=page.headers,
        name=file.name if file else "",
        saved=file.saved if file else "",
    )
