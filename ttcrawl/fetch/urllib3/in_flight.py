"""The requests in flight: when each may start, its socket and its deadline.

urllib3 lacks two things. It has no limit on the total time of a request (its timeouts restart with every byte): a
separate thread checks all requests in flight and shuts down the sockets of those past their deadline. The thread that
waits on such a socket then gets an error. And urllib3 does not report when the first byte is sent: `depart` is called
at that moment. The crawl process hands out requests slightly early (`ttcrawl.engine.intervals.LEAD`), so that the
message latency is not added to every delay; `depart` waits for the remaining time, at most that lead.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from ttcrawl.config import Proxy
from ttcrawl.fetch.exchange import Exchange
from ttcrawl.fetch.response import Response
from ttcrawl.fetch.urllib3.received import Received, read_head
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.messages import Request

#: How late the system wakes a sleeping thread, seconds; the rest is a busy wait.
LATE = 150e-6


@dataclass(slots=True, kw_only=True)
class InFlight:
    """One request of one thread."""

    exchange: Exchange
    proxy: Proxy | None = None
    response: Response = field(init=False)  # to the last attempt
    received: Received | None = None  # its bytes
    requested: bool = False  # its connection is there
    sent: bytes = b""  # its request, as it was sent
    socket: socket.socket | None = None
    address: str = ""  # of the peer, "" if unknown
    expired: bool = False  # the deadline passed: this is why the socket broke

    def begin(self, response: Response) -> None:
        """Another attempt begins."""
        self.response = response
        self.received = None
        self.requested = False
        self.sent = b""
        self.exchange.reused = False


@dataclass(slots=True)
class Requests:
    """The requests in flight in this process."""

    clock: Clock
    _current: threading.local = field(default_factory=threading.local)
    _in_flight: dict[int, InFlight] = field(default_factory=dict)  # by thread

    @contextlib.contextmanager
    def begin(self, request: Request, slot: memoryview, seconds: float) -> Iterator[InFlight]:
        """A request of the calling thread that may take this many seconds."""
        until = max(self.clock(), request.not_before) + seconds
        in_flight = InFlight(exchange=Exchange(request=request, slot=slot, until=until))
        thread = threading.get_ident()
        self._current.request = self._in_flight[thread] = in_flight
        try:
            yield in_flight
        finally:
            del self._in_flight[thread]

    @property
    def current(self) -> InFlight:
        """That of the calling thread."""
        in_flight: InFlight = self._current.request
        return in_flight

    @property
    def pinned(self) -> str:
        """The address to which the calling thread must connect; "" if unknown."""
        return self.current.exchange.request.address

    def depart(self) -> None:
        """Called immediately before the first packet to the server is sent."""
        exchange = self.current.exchange
        if exchange.started:
            return
        not_before = exchange.request.not_before
        while (now := self.clock()) < not_before:
            if not_before - now > LATE:
                time.sleep(not_before - now - LATE)
        exchange.depart(now)

    def receive_head(self, received: Received) -> Response:
        """The response to the last attempt of the calling thread, which has its head then."""
        in_flight = self.current
        response, in_flight.received = in_flight.response, received
        read_head(received.fp, response.lines)
        response.begin(in_flight.address, reused=in_flight.exchange.reused)
        return response

    def using(self, connection: socket.socket, address: str) -> None:
        """Called when the calling thread uses this socket to this address."""
        in_flight = self.current
        in_flight.socket = connection
        in_flight.address = address

    def enforce(self) -> None:
        """Shut down the socket of every request past its deadline."""
        now = self.clock()
        for in_flight in list(self._in_flight.values()):
            if in_flight.exchange.until < now and in_flight.socket is not None:
                in_flight.expired = True
                with contextlib.suppress(OSError):
                    # SSLSocket.shutdown would remove the TLS state while another thread reads
                    socket.socket.shutdown(in_flight.socket, socket.SHUT_RDWR)
