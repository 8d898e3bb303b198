"""Waits for sockets until a moment, with the precision that politeness needs."""

from __future__ import annotations

import select
from collections.abc import Callable

import pycurl

from ttcrawl.ring.poll import readable

#: What libcurl wants to know of a socket, as epoll has it.
WANTED = {
    pycurl.POLL_IN: select.EPOLLIN,
    pycurl.POLL_OUT: select.EPOLLOUT,
    pycurl.POLL_INOUT: select.EPOLLIN | select.EPOLLOUT,
}

#: Events of all sockets that are handled at once, so that a request whose socket is not among them has no data.
BATCH = 4096


class Sockets:
    """The sockets of libcurl, and others, in one epoll object."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._registered: dict[int, int] = {}
        self._others: dict[int, Callable[[], None]] = {}

    def watch(self, file: int, callback: Callable[[], None]) -> None:
        """Call this whenever the file can be read."""
        self._epoll.register(file, select.EPOLLIN)
        self._others[file] = callback

    def change(self, what: int, file: int, _multi: object, _data: object) -> None:
        """libcurl calls this."""
        wanted = WANTED.get(what, 0)
        if wanted == self._registered.get(file, 0):
            return
        if not wanted:
            del self._registered[file]
            self._epoll.unregister(file)
            return
        (self._epoll.modify if file in self._registered else self._epoll.register)(file, wanted)
        self._registered[file] = wanted

    def poll(self, seconds: float, *, precise: bool) -> list[tuple[int, int]]:
        """(Socket of libcurl, bits for it) of all that are ready; the callbacks of the others are called.

        `precise`: wait for microseconds; otherwise whole milliseconds are good enough, and cheaper.
        """
        if precise and seconds > 0:
            readable([self._epoll.fileno()], seconds)
            seconds = 0.0
        ready = []
        for file, events in self._epoll.poll(max(0.0, seconds), BATCH):
            if (callback := self._others.get(file)) is not None:
                callback()
                continue
            bits = pycurl.CSELECT_IN if events & select.EPOLLIN else 0
            bits |= pycurl.CSELECT_OUT if events & select.EPOLLOUT else 0
            bits |= pycurl.CSELECT_ERR if events & (select.EPOLLERR | select.EPOLLHUP) else 0
            ready.append((file, bits))
        return ready
