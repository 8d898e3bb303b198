"""What is known of an exchange while it is under way: when it may begin, when it began, over which socket, until when.

Two things urllib3 does not do. It has no bound on a whole exchange (its timeouts start anew with every byte): a thread
of its own looks at all exchanges and shuts the sockets of those whose time is up, whereupon the thread that waits in
such a socket gets an error. And it does not say when the first byte left: `depart` is called at that moment. Requests
are handed out a moment early (`ttcrawl.engine.loop.LEAD`), so that the time a message takes is not added to every
delay; `depart` holds the bytes back for what is left of that, which is at most that moment.
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

#: The system wakes a sleeper this much late, seconds; the rest is waited for awake.
LATE = 150e-6


@dataclass(slots=True, kw_only=True)
class Exchange:
    """One exchange of one thread; moments by the clock of the crawl."""

    not_before: float
    until: float
    pinned: str  # the address to connect to, where it is known
    started: float = 0.0
    socket: socket.socket | None = None
    address: str = ""
    requests: int = 0  # sent
    reused: bool = False  # an earlier request went over the connection of the last one
    answer: BoundedResponse | None = None  # to the last one, of which a byte has come
    lost: int = 0  # bytes of heads that did not come to their end
    set_cookies: list[str] = field(default_factory=list)  # of all answers, as they came
    expired: bool = False  # tells its thread why the socket broke


@dataclass(slots=True)
class Exchanges:
    """The exchanges under way in this process."""

    clock: Clock
    _current: threading.local = field(default_factory=threading.local)
    _under_way: dict[int, Exchange] = field(default_factory=dict)  # by thread

    @contextlib.contextmanager
    def exchange(self, not_before: float, seconds: float, pinned: str) -> Iterator[Exchange]:
        """An exchange of the thread that calls, which may take so many seconds."""
        exchange = Exchange(not_before=not_before, until=max(self.clock(), not_before) + seconds, pinned=pinned)
        thread = threading.get_ident()
        self._current.exchange = self._under_way[thread] = exchange
        try:
            yield exchange
        finally:
            del self._under_way[thread]

    @property
    def pinned(self) -> str:
        """The address to which the thread that calls now has to connect; "" where that is not known."""
        exchange: Exchange = self._current.exchange
        return exchange.pinned

    def depart(self) -> None:
        """The next thing to happen is a packet to the server."""
        exchange: Exchange = self._current.exchange
        if exchange.started:
            return
        while (now := self.clock()) < exchange.not_before:
            if exchange.not_before - now > LATE:
                time.sleep(exchange.not_before - now - LATE)
        exchange.started = now

    def sending(self, *, reused: bool) -> None:
        """A request is about to be sent, over a connection that has carried others or not."""
        exchange: Exchange = self._current.exchange
        exchange.reused, exchange.answer = reused, None

    def answered(self, response: BoundedResponse) -> None:
        """The answer to the last request has begun."""
        exchange: Exchange = self._current.exchange
        exchange.answer = response

    def lost(self, size: int) -> None:
        """A head broke off after so many bytes."""
        exchange: Exchange = self._current.exchange
        exchange.lost += size

    def sent(self) -> None:
        """A request has been sent."""
        exchange: Exchange = self._current.exchange
        exchange.requests += 1

    def using(self, connection: socket.socket, address: str) -> None:
        """The thread that calls now speaks through this socket to this address."""
        exchange: Exchange = self._current.exchange
        exchange.socket, exchange.address = connection, address

    def enforce(self) -> None:
        """Shut the socket of every exchange whose time is up."""
        now = self.clock()
        for exchange in list(self._under_way.values()):
            if exchange.until < now and exchange.socket is not None:
                exchange.expired = True
                with contextlib.suppress(OSError):
                    # not SSLSocket.shutdown, which takes the TLS state from under the thread that reads
                    socket.socket.shutdown(exchange.socket, socket.SHUT_RDWR)
