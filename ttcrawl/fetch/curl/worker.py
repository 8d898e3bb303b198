"""A fetch process over libcurl: one loop for the messages of the crawl process and for all connections."""

from __future__ import annotations

import os
import socket
import threading
from functools import partial
from typing import Any, NoReturn

from ttcrawl.config import Config
from ttcrawl.fetch.answer import Answer
from ttcrawl.fetch.curl.transport import CurlTransport
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.fetch.lookups import LookUps
from ttcrawl.fetch.outcome import failed, fetched, resolved
from ttcrawl.fetch.settings import CHECK_INTERVAL
from ttcrawl.ring.channel import Peer, encode
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.garbage import rarely_collect
from ttcrawl.ring.messages import RESOLVE, WORK, Ready, Request
from ttcrawl.ring.slots import Slots
from ttcrawl.web.address import Pairs


class Worker:
    """Requests come in, outcomes go out: those that are ready together in one write."""

    def __init__(
        self, connection: socket.socket, slots: Slots, transport: CurlTransport, clock: Clock, dns_timeout: float
    ) -> None:
        self._socket = connection
        self._slots = slots
        self._transport = transport
        self._clock = clock
        self._peer = Peer(connection, WORK)
        self._thread = threading.get_ident()
        self._sending = threading.Lock()
        self._outcomes: list[Any] = []
        self._lookups = LookUps(transport.resolve, dns_timeout)

    def receive(self) -> None:
        """Begin the requests that have arrived."""
        messages = self._peer.receive()
        if messages is None:
            os._exit(0)  # the crawl process has ended: the outcomes have no receiver
        for request in messages:
            self._begin(request)

    def _begin(self, request: Request) -> None:
        if request.kind == RESOLVE:  # in a thread: name servers may be slow
            self._lookups.begin(request.url, partial(self._end_look_up, request.token))
        else:
            slot = self._slots.slot(request.slot)
            self._transport.begin(request, slot, partial(self._end, request, slot))

    def _end(self, request: Request, slot: memoryview, outcome: Answer | NotFetched) -> None:
        if isinstance(outcome, NotFetched):
            self.report(failed(request, outcome, self._clock))
        else:
            self.report(fetched(request, outcome, slot, self._transport.read_by))

    def _end_look_up(self, token: int, result: tuple[str, ...] | Exception) -> None:
        self.report(resolved(token, result, self._clock))

    def enforce(self) -> None:
        """Check the deadlines of what threads do. To be called often."""
        self._transport.enforce()
        self._lookups.enforce()

    def report(self, message: Any) -> None:
        """Send a message: at once from another thread, and with the next `flush` from the thread of the loop."""
        if threading.get_ident() == self._thread:
            self._outcomes.append(message)
        else:
            self._send([message])

    def flush(self) -> None:
        if self._outcomes:
            outcomes, self._outcomes = self._outcomes, []
            self._send(outcomes)

    def _send(self, messages: list[Any]) -> None:
        try:
            with self._sending:
                self._socket.sendall(b"".join(map(encode, messages)))
        except OSError:
            os._exit(0)  # as above


def serve(connection: socket.socket, slots: Slots, config: Config, clock: Clock, granted: Pairs) -> NoReturn:
    """Main loop. The process ends when the crawl process closes the connection or ends."""
    transport = CurlTransport(config, clock, granted)
    worker = Worker(connection, slots, transport, clock, config.fetch.dns_timeout)
    transport.watch(connection.fileno(), worker.receive)
    rarely_collect()
    worker.report(Ready())
    checked = clock()
    while True:
        worker.flush()
        transport.run(CHECK_INTERVAL)
        if clock() - checked >= CHECK_INTERVAL:
            checked = clock()
            worker.enforce()
