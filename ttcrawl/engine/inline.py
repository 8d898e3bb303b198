"""The ring without processes: the same roles, one after the other, in the calling process. For tests and debugging."""

from __future__ import annotations

import dataclasses
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

from msgspec import structs

from ttcrawl.config import Config
from ttcrawl.fetch.inline import InlineFetcher
from ttcrawl.parse.compared import Comparer
from ttcrawl.parse.hooks.call import CalledHooks
from ttcrawl.parse.read import Reader
from ttcrawl.parse.worker import parse
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import Broken, Failed, Fetched, IdenticalBody, Outcome, Parse, Request
from ttcrawl.ring.position import Position
from ttcrawl.ring.slots import Slots
from ttcrawl.web.address import Pairs
from ttcrawl.web.scope import Scope

T = TypeVar("T")


class InlineRing(Generic[T]):
    """One request at a time; `sleep` is called when there is nothing to do (a virtual clock passes its own)."""

    def __init__(
        self,
        config: Config,
        scope: Scope,
        archive: Path,
        position: Position,
        clock: Clock,
        slots: Slots,
        granted: Pairs,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._sleep = sleep
        self._slots = slots
        self._fetcher = InlineFetcher(config, clock, granted)
        hooks = CalledHooks(dataclasses.replace(config.hooks, outcome=""), limited=False)
        self._reader = Reader(config, scope, archive, position, hooks=hooks)
        self._comparer = Comparer(config, archive)
        self.flights: dict[int, Flight[T]] = {}
        self._waiting: deque[Request] = deque()
        self._arrival: tuple[Request, Fetched] | None = None  # in the slot, waiting for `read`
        self._parsing: Parse | None = None
        self._grown: dict[str, int] = {}

    def ready(self) -> None:
        """Return at once: there are no processes to wait for."""

    def room(self) -> bool:
        return not (self._waiting or self._arrival or self._parsing)

    def launch(self, request: Request, turn: T) -> None:
        request = structs.replace(request, slot=0)
        self.flights[request.token] = Flight(request=request, turn=turn)
        self._waiting.append(request)

    def read(self, token: int, identical: IdenticalBody | None) -> None:
        assert self._arrival is not None and self._arrival[0].token == token
        (request, fetched), self._arrival = self._arrival, None
        self.flights[token].identical = identical
        self._parsing = Parse(request=request, fetched=fetched, identical=identical)

    def receive(self, timeout: float) -> list[tuple[Any, Flight[T] | None]]:
        if self._parsing:
            work, self._parsing = self._parsing, None
            outcome, flight = self._parse(work), self.flights.pop(work.request.token)
            return [(outcome, None if isinstance(outcome, Broken) else flight)]
        if not self._waiting:
            self._sleep(max(0.0, timeout))
            return []
        request = self._waiting.popleft()
        fetched = self._fetcher.fetch(request, self._slots.slot(0))
        if not isinstance(fetched, Fetched):
            return [(fetched, self.flights.pop(request.token))]
        flight = self.flights[request.token]
        self._arrival, flight.fetched = (request, fetched), fetched
        return [(fetched, flight)]

    def _parse(self, work: Parse) -> Outcome | Broken:
        outcome = parse(self._reader, self._comparer, work, self._slots)
        if not isinstance(outcome, Broken | Failed):
            archived = outcome.archived
            if archived.file:
                self._grown[archived.file] = archived.offset + archived.length
        return outcome

    def archived(self) -> dict[str, int]:
        grown, self._grown = self._grown, {}
        return grown

    def in_flight(self) -> list[tuple[str, str, float]]:
        return []  # the caller and the ring are one process

    def close(self) -> None:
        self._fetcher.close()
        self._reader.close()
