"""A bound on a whole exchange, which urllib3 does not have: its timeouts start anew with every byte.

A thread of its own looks at the exchanges under way and shuts the sockets of those whose time is up; the thread that
waits in such a socket then gets an error at once.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class Exchange:
    """One exchange of one thread: `expired` tells its thread why the socket broke."""

    until: float  # monotonic seconds
    socket: socket.socket | None = None
    address: str = ""
    expired: bool = False


@dataclass(slots=True)
class Deadlines:
    """The exchanges under way in this process."""

    _current: threading.local = field(default_factory=threading.local)
    _under_way: dict[int, Exchange] = field(default_factory=dict)  # by thread

    @contextlib.contextmanager
    def exchange(self, seconds: float) -> Iterator[Exchange]:
        exchange = Exchange(until=time.monotonic() + seconds)
        thread = threading.get_ident()
        self._current.exchange = self._under_way[thread] = exchange
        try:
            yield exchange
        finally:
            del self._under_way[thread]

    def using(self, connection: socket.socket | None, address: str) -> None:
        """The thread that calls now speaks through this socket to this address."""
        exchange: Exchange = self._current.exchange
        exchange.socket, exchange.address = connection, address

    def current_address(self) -> str:
        """The address that the thread that calls speaks to."""
        exchange: Exchange = self._current.exchange
        return exchange.address

    def enforce(self) -> None:
        """Shut the socket of every exchange whose time is up."""
        now = time.monotonic()
        for exchange in list(self._under_way.values()):
            if exchange.until < now and exchange.socket is not None:
                exchange.expired = True
                with contextlib.suppress(OSError):
                    # not SSLSocket.shutdown, which takes the TLS state from under the thread that reads
                    socket.socket.shutdown(exchange.socket, socket.SHUT_RDWR)
