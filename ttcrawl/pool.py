"""N processes of one role: start, feed, hear, replace.

Processes are started by multiprocessing's fork server: they begin small, share no memory with the crawl process and
hold none of its files. Each speaks with the crawl process alone, over a socket pair; when either side dies the other
reads the end of the stream at once.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import socket
from collections import deque
from collections.abc import Callable
from importlib import import_module
from multiprocessing import forkserver, resource_tracker
from typing import Any

from ttcrawl.channel import CHUNK, TO_ALL, Inbox, encode
from ttcrawl.errors import CrawlFailedError

#: Deaths of one worker in a row before it took any work, after which another try makes no sense.
HOPELESS = 5

#: Role -> the module whose `main` is the life of such a process. The fork server imports them once, for all processes
#: it starts; the crawl process, which needs nothing of what they import, never does.
ROLES = {"fetch": "ttcrawl.fetch.worker", "parse": "ttcrawl.parse.worker"}


def prepare() -> None:
    """Start the fork server, which imports what workers need, while the caller goes on; again if it has died.

    It is started with the signals blocked that go to whole groups of processes: when it dies, all workers die with it.
    """
    multiprocessing.get_context("forkserver").set_forkserver_preload(list(ROLES.values()))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, TO_ALL)
    try:
        resource_tracker.ensure_running()  # which the fork server would start, and unblock two of them here
        signal.pthread_sigmask(signal.SIG_BLOCK, TO_ALL)
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _live(role: str, *arguments: Any) -> None:
    with contextlib.suppress(ConnectionError):  # the crawl process is gone before this one could say that it is ready
        import_module(ROLES[role]).main(*arguments)


class HopelessError(CrawlFailedError):
    """Workers die as soon as they are started."""


class Worker:
    """One process of a pool and the tokens of what it was given, oldest first."""

    def __init__(self, number: int, role: str, arguments: Callable[[], tuple[Any, ...]]) -> None:
        self.number = number
        self.role = role
        self.given: deque[int] = deque()
        self.deaths = 0
        self.ready = False
        self._arguments = arguments
        self.start()

    def start(self) -> None:
        prepare()
        context = multiprocessing.get_context("forkserver")
        self.socket, theirs = socket.socketpair()
        self._inbox = Inbox()
        name = f"ttcrawl-{self.role}-{self.number}"
        self.process = context.Process(
            target=_live, args=(self.role, theirs, *self._arguments()), name=name, daemon=True
        )
        self.process.start()
        theirs.close()

    def send(self, token: int, message: Any) -> None:
        """Messages to workers are small and few are under way, so they always fit into the socket."""
        self.given.append(token)
        try:
            self.socket.sendall(encode(message))
        except OSError:
            return  # it is dead; `receive` will say so

    def receive(self) -> list[Any] | None:
        """The messages that have come; None when the process is dead."""
        try:
            data = self.socket.recv(CHUNK, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return []
        except OSError:
            return None
        if not data:
            return None
        return self._inbox.feed(data)

    def replace(self) -> list[int]:
        """Put a new process in the place of a dead or stuck one: the tokens of what the old one was given."""
        lost = list(self.given)
        self.given.clear()
        self.stop()
        self.deaths = 0 if self.ready else self.deaths + 1
        self.ready = False
        if self.deaths >= HOPELESS:
            raise HopelessError(f"the {self.role} processes end as soon as they are started")
        self.start()
        return lost

    def stop(self) -> None:
        if self.socket.fileno() < 0:
            return  # it was replaced by nothing
        self.socket.close()
        self.process.kill()
        self.process.join()
        self.process.close()
