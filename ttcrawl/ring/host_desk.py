"""Hosts that pages in browsers request something from, where the crawl process knows who decides: rings on machines.

A fetch process has a line to the desk of the crawl process. It asks for a host, and gives it back, with the two methods
of `HostClocks`. A line that ends gives back all that was taken over it: the system ends it with its process.
"""

from __future__ import annotations

import select
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import TypeAlias

from msgspec import Struct, msgpack

from ttcrawl.ring.clock import Clock
from ttcrawl.ring.host_clocks import HostClocks

#: The answer to a Take: seconds to wait, 0 if the host is taken.
_WAIT = struct.Struct("=d")

#: Most bytes of a message: a host has 253, and a port.
_LARGEST = 1024

#: Shortest wait, seconds: one that the clock, seconds since the epoch, can tell from none.
_LEAST = 1e-3


class Take(Struct, frozen=True, kw_only=True, tag=True):
    """A host is to be taken. `delay`: seconds, as the fetch process knows it."""

    host: str
    delay: float


class Give(Struct, frozen=True, kw_only=True, tag=True):
    """A host is given back. `wait`: seconds until its next request."""

    host: str
    wait: float


_decode = msgpack.Decoder(Take | Give).decode


class Desk:
    """The end of the crawl process. `fileno` can be read as soon as there are requests."""

    def __init__(self) -> None:
        #: Where fetch processes hand in their lines.
        self.entrance: socket.socket
        self._door, self.entrance = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._door.setblocking(False)
        self._lines: dict[int, socket.socket] = {}
        self._readable = select.epoll()
        self._readable.register(self._door, select.EPOLLIN)

    def fileno(self) -> int:
        return self._readable.fileno()

    def requests(self) -> Iterator[tuple[int, Take | Give | None]]:
        """Yield the number of a line, and a request that has come over it; None: the line has ended."""
        for number, _ in self._readable.poll(0):
            if number == self._door.fileno():
                self._admit()
            elif data := self._received(number):
                yield number, _decode(data)
            else:
                self._readable.unregister(number)
                self._lines.pop(number).close()
                yield number, None

    def answer(self, line: int, wait: float) -> None:
        """Answer a Take: seconds to wait, 0 if the host is taken."""
        with suppress(OSError):  # the process has ended, and so will its line
            self._lines[line].send(_WAIT.pack(wait))

    def _admit(self) -> None:
        _, files, _, _ = socket.recv_fds(self._door, 1, 1)
        for file in files:
            self._lines[file] = socket.socket(fileno=file)
            self._lines[file].setblocking(False)
            self._readable.register(file, select.EPOLLIN)

    def _received(self, number: int) -> bytes:
        with suppress(OSError):
            return self._lines[number].recv(_LARGEST)
        return b""

    def close(self) -> None:
        for each in (self._door, self.entrance, *self._lines.values()):
            each.close()
        self._readable.close()


class DeskLine:
    """The end of a fetch process, for all of its threads. Raises EOFError once the crawl process has ended."""

    def __init__(self, entrance: socket.socket, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            socket.send_fds(entrance, [b"+"], [theirs.fileno()])

    def take(self, host: str, now: float, delay: float) -> float:
        """Take a host: return `now`, or the moment at which to try again. `delay`: if its last visit is unknown."""
        with self._lock:
            self._line.send(msgpack.encode(Take(host=host, delay=delay)))
            answer = self._line.recv(_WAIT.size)
        if not answer:
            raise EOFError
        (wait,) = _WAIT.unpack(answer)
        return now + max(wait, _LEAST) if wait else now

    def give(self, host: str, free_at: float) -> None:
        """Give back a host that was taken."""
        with self._lock:
            self._line.send(msgpack.encode(Give(host=host, wait=max(0.0, free_at - self._clock()))))


#: Where the pages of a fetch process take hosts: from the other processes, or from the crawl process.
SharedHosts: TypeAlias = HostClocks | DeskLine
