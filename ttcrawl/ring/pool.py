"""N processes of one role: start them, send work, receive messages, replace them.

Processes are started by multiprocessing's fork server: they begin small, share no memory with the crawl process and
have none of its files. Each communicates with the crawl process alone, over a socket pair; when either side dies, the
other reads the end of the stream at once.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import socket
import time
from collections import deque
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ttcrawl.errors import CrawlFailedError, plain
from ttcrawl.ring.channel import Peer, encode, pair
from ttcrawl.ring.fork_server import prepare, server_pid, starting, without_main
from ttcrawl.ring.messages import REPORTS, Broken, Ended, Trouble
from ttcrawl.ring.process import leave_stdout, name_process
from ttcrawl.vocabulary.reason import FETCH_DIED, FETCH_STUCK, PARSE_DIED, PARSE_STUCK

#: Deaths of one worker in a row before it took any work, after which another try is useless.
HOPELESS = 5

#: The same limit for deaths of the fork server, with all its workers.
HOPELESS_SERVER = 50

#: How much lower the priority of an additional process is (nice(2)): the others come first.
NICE = 10

#: The likely cause.
HINT = "is there too little memory, or are too few processes or open files allowed (ulimit -v, -u, -n)?"

#: Role -> the module with the `main` of such a process. The fork server imports them once, for all its processes. The
#: crawl process does not need their imports, and never imports them.
ROLES = {"fetch": "ttcrawl.fetch.worker", "parse": "ttcrawl.parse.worker"}
#: Processes that try hooks, and fetch processes with browsers: most crawls do not need their imports.
ROLES_ON_DEMAND = {"hooks": "ttcrawl.parse.hooks.check", "browser": "ttcrawl.browser.worker"}

#: (Role, end of a process) -> the reason for its URL.
DEATHS = {
    ("fetch", "died"): FETCH_DIED,
    ("fetch", "stuck"): FETCH_STUCK,
    ("browser", "died"): FETCH_DIED,
    ("browser", "stuck"): FETCH_STUCK,
    ("parse", "died"): PARSE_DIED,
    ("parse", "stuck"): PARSE_STUCK,
}


def live(role: str, nice: int, connection: socket.socket, *arguments: Any) -> None:
    """The main function of a worker process."""
    leave_stdout()
    os.nice(nice)
    name_process(f"ttcrawl-{role}")
    try:
        import_module((ROLES | ROLES_ON_DEMAND)[role]).main(connection, *arguments)
    except ConnectionError:
        pass  # the crawl process ended before this one was ready
    except Exception as error:
        remedy = isinstance(error, CrawlFailedError)
        message = str(error) if remedy else f"{type(error).__name__}: {error}".rstrip(": ")
        with contextlib.suppress(OSError):
            connection.sendall(encode(Ended(message=message, remedy=remedy)))
        os._exit(1)  # does not wait for threads


class HopelessError(CrawlFailedError):
    """Workers die as soon as they are started."""


class Worker:
    """One process of a pool and the tokens of its work, oldest first. `nice`: how much lower its priority is."""

    def __init__(self, number: int, role: str, arguments: Callable[[], tuple[Any, ...]], nice: int = 0) -> None:
        self.number = number
        self.role = role
        self._nice = nice
        self.tokens: deque[int] = deque()
        self.lookups = 0  # look-ups among them
        self.deaths = self._server_deaths = 0
        self.ready = False
        self.orphaned = False  # the last process died with the fork server, not because of its work
        self._arguments = arguments
        self._outgoing = bytearray()
        self.start()

    def start(self) -> None:
        """Start the process. If the fork server dies meanwhile, with all workers, start another one."""
        for tries in range(1, HOPELESS + 1):
            try:
                self._begin()
                return
            except (EOFError, OSError) as error:
                if tries == HOPELESS:
                    raise HopelessError(f"no {self.role} process can be started: {plain(error)}; {HINT}") from error
                time.sleep(0.02 * 2**tries)  # the fork server does not answer and may not be dead yet

    def _begin(self) -> None:
        prepare()
        context = multiprocessing.get_context("forkserver")
        name = f"ttcrawl-{self.role}-{self.number}"
        ours, theirs = pair()
        try:
            arguments = (self.role, self._nice, theirs, *self._arguments())
            process = context.Process(target=live, args=arguments, name=name, daemon=True)
            with without_main(), starting():  # the server may have died since
                process.start()
        except BaseException:
            ours.close()  # this ends the process, if it exists
            raise
        finally:
            theirs.close()
        self.socket = ours
        self._peer = Peer(ours, REPORTS)
        self.process = process
        self._server = server_pid()

    def send(self, token: int, message: Any) -> None:
        """Send work with the next `flush`."""
        self.tokens.append(token)
        self._outgoing += encode(message)

    def flush(self) -> bool:
        """Send the collected work, as much as the socket takes: a stuck process must not keep this one waiting. Return
        whether that is all of it."""
        if not self._outgoing:
            return True
        try:
            sent = self.socket.send(self._outgoing, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        except OSError:  # the process is dead; `receive` reports it
            sent = len(self._outgoing)
        del self._outgoing[:sent]
        return not self._outgoing

    def receive(self) -> list[Any] | None:
        """Return the received messages; None if the process is dead, or sent an invalid message."""
        messages = self._peer.receive()
        if messages is None:
            return None
        return [self._last(each) if isinstance(each, Ended) else each for each in messages]

    def _last(self, ended: Ended) -> Broken | Trouble:
        if self.ready:
            return Trouble(message=f"{self.role} process {self.process.pid}: {ended.message}")
        if ended.remedy:
            return Broken(message=ended.message)
        return Broken(message=f"no {self.role} process can be started: {ended.message}; {HINT}")

    def replace(self) -> list[int]:
        """Replace a dead or stuck process by a new one; return the tokens of its work."""
        lost = list(self.tokens)
        self.tokens.clear()
        self.lookups = 0
        self._outgoing.clear()
        self.stop()
        self.orphaned = server_pid() != self._server
        if self.ready:
            self.deaths = self._server_deaths = 0
        elif self.orphaned:
            self._server_deaths += 1
        else:
            self.deaths += 1
        self.ready = False
        if self.deaths >= HOPELESS or self._server_deaths >= HOPELESS_SERVER:
            raise HopelessError(f"the {self.role} processes end as soon as they are started; {HINT}")
        self.start()
        return lost

    def stop(self) -> None:
        if self.socket.fileno() < 0:
            return  # stopped before, without a replacement
        self.socket.close()
        self.process.kill()
        self.process.join()
        self.process.close()
