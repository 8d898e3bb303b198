"""The state of a request in flight: when it may start, when it started, its socket and its deadline.

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

from ttcrawl.fetch.head import BoundedResponse
from ttcrawl.ring.clock import Clock

#: How late the system wakes a sleeping thread, seconds; the rest is a busy wait.
LATE = 150e-6


@dataclass(slots=True, kw_only=True)
class Exchange:
    """One request of one thread; times by the crawl's clock."""

    not_before: float
    until: float
    pinned: str  # the address to connect to, "" if unknown
    started: float = 0.0
    socket: socket.socket | None = None
    address: str = ""
    requests: int = 0  # sent
    request: bytes = b""  # the last one, as sent
    tls: str = ""  # of its connection: "tls/1.3"; "" if it has none
    cipher: str = ""
    reused: bool = False  # the last request used a connection that had carried another
    answer: BoundedResponse | None = None  # response to the last request, once its first byte is received
    lost: int = 0  # bytes of incomplete heads
    set_cookies: list[str] = field(default_factory=list)  # of all responses, unchanged
    expired: bool = False  # the deadline passed: this is why the socket broke


@dataclass(slots=True)
class Exchanges:
    """The requests in flight in this process."""

    clock: Clock
    _current: threading.local = field(default_factory=threading.local)
    _in_flight: dict[int, Exchange] = field(default_factory=dict)  # by thread

    @contextlib.contextmanager
    def exchange(self, not_before: float, seconds: float, pinned: str) -> Iterator[Exchange]:
        """A request of the calling thread that may take this many seconds."""
        exchange = Exchange(not_before=not_before, until=max(self.clock(), not_before) + seconds, pinned=pinned)
        thread = threading.get_ident()
        self._current.exchange = self._in_flight[thread] = exchange
        try:
            yield exchange
        finally:
            del self._in_flight[thread]

    @property
    def pinned(self) -> str:
        """The address to which the calling thread must connect; "" if unknown."""
        exchange: Exchange = self._current.exchange
        return exchange.pinned

    def depart(self) -> None:
        """Called immediately before the first packet to the server is sent."""
        exchange: Exchange = self._current.exchange
        if exchange.started:
            return
        while (now := self.clock()) < exchange.not_before:
            if exchange.not_before - now > LATE:
                time.sleep(exchange.not_before - now - LATE)
        exchange.started = now

    def sending(self, *, reused: bool) -> None:
        """Called before a request is sent; `reused`: the connection has carried other requests."""
        exchange: Exchange = self._current.exchange
        exchange.reused = reused
        exchange.answer = None
        exchange.request = b""

    def answered(self, response: BoundedResponse) -> None:
        """Called when the response to the last request begins."""
        exchange: Exchange = self._current.exchange
        exchange.answer = response

    def lost(self, size: int) -> None:
        """Called when a head breaks off after `size` bytes."""
        exchange: Exchange = self._current.exchange
        exchange.lost += size

    def sends(self, data: bytes) -> None:
        """Called with bytes before they are sent; the first ones after `sending` are the request."""
        exchange: Exchange = self._current.exchange
        exchange.request = exchange.request or data

    def sent(self, tls: str, cipher: str) -> None:
        """Called when a request has been sent."""
        exchange: Exchange = self._current.exchange
        exchange.requests += 1
        exchange.tls, exchange.cipher = tls, cipher

    def using(self, connection: socket.socket, address: str) -> None:
        """Called when the calling thread uses this socket to this address."""
        exchange: Exchange = self._current.exchange
        exchange.socket, exchange.address = connection, address

    def enforce(self) -> None:
        """Shut down the socket of every request past its deadline."""
        now = self.clock()
        for exchange in list(self._in_flight.values()):
            if exchange.until < now and exchange.socket is not None:
                exchange.expired = True
                with contextlib.suppress(OSError):
                    # SSLSocket.shutdown would remove the TLS state while another thread reads
                    socket.socket.shutdown(exchange.socket, socket.SHUT_RDWR)
