"""Requests of a crawl without processes: one at a time, while the caller waits. Deadlines hold as with processes."""

from __future__ import annotations

import threading
from queue import SimpleQueue

from ttcrawl.config import Config
from ttcrawl.fetch.lookups import LookUps
from ttcrawl.fetch.outcome import resolved
from ttcrawl.fetch.settings import CHECK_INTERVAL
from ttcrawl.fetch.worker import fetch, transport_of
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.messages import RESOLVE, Failed, Fetched, Request, Resolved
from ttcrawl.web.address import Pairs


class InlineFetcher:
    """Uses the transport that a fetch process would use. A thread ends what is past its deadline."""

    def __init__(self, config: Config, clock: Clock, granted: Pairs) -> None:
        self._clock = clock
        self._transport = transport_of(config, clock, granted)
        self._lookups = LookUps(self._transport.resolve, config.fetch.dns_timeout)
        self._closed = threading.Event()
        threading.Thread(target=self._enforce, daemon=True).start()

    def fetch(self, request: Request, slot: memoryview) -> Fetched | Resolved | Failed:
        """One request, one outcome; the body of a Fetched is in `slot`."""
        if request.kind == RESOLVE:
            return resolved(request.token, self._resolve(request.url), self._clock)
        return fetch(self._transport, request, slot, self._clock)

    def _resolve(self, url: str) -> tuple[str, ...] | Exception:
        results = SimpleQueue[tuple[str, ...] | Exception]()
        self._lookups.begin(url, results.put)
        return results.get()

    def _enforce(self) -> None:
        while not self._closed.wait(CHECK_INTERVAL):
            self._transport.enforce()
            self._lookups.enforce()

    def close(self) -> None:
        self._closed.set()
        self._lookups.close()
