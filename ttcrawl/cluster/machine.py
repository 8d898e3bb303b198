"""The machine of a ring: an actor that has the ring's process as its child, and carries the letters of that.

The actor keeps the process alive, and Ray the actor: that takes Ray seconds instead of half a one, and it does not tell
how a process has ended. If the actor dies, so does the ring.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ttcrawl.cluster.courier import UnknownLetterError
from ttcrawl.cluster.messages import Ended, Letter, Said
from ttcrawl.cluster.plan import read_plan, receive_files
from ttcrawl.cluster.post import CONDUCTOR
from ttcrawl.cluster.process import Process
from ttcrawl.errors import UsageError, plain

#: Seconds until the carrier looks for letters that the ring did not take at once.
WAIT = 0.25

#: Seconds for which a call waits for the end of a process.
PATIENCE = 30.0

#: Seconds from the end of a process that was killed to the next one.
PAUSE = 0.5

#: Most bytes of a ring's errors that are read at once.
PIECE = 1 << 16

#: Seconds that the process of a ring may take to end after its connection.
END = 20.0

#: How a process has ended that the actor does not know.
LOST = "was lost with its machine"


class Child:
    """The process of a ring. `carry` runs in a thread until it has ended."""

    def __init__(self, process: Process) -> None:
        self._process, self._courier = process, process.courier
        self._carrying = threading.Lock()
        self.name = f"{process.name} on {socket.gethostname()}"
        #: Set once it has ended: then `how`, and its last message if it has ended in order.
        self.over = threading.Event()
        self.how = ""
        self.ended: Ended | None = None

    @property
    def done(self) -> bool:
        """Whether it has ended because the crawl has."""
        return self.ended is not None and self.ended.why == "done"

    def send(self, letters: Sequence[Letter]) -> None:
        """Pass letters on to the ring; what it does not take is lost."""
        with self._carrying:
            for letter in letters:
                self._courier.send(letter.to, letter.message)
            self._courier.flush()

    def carry(self, post: Callable[[int, list[Letter]], None]) -> None:
        """Post what the ring sends, by receiver, until it has ended."""
        while not self._courier.closed:
            select.select([self._courier.fileno(), self._process.errors], [], [], WAIT)
            self._report(post)
            for to, letters in _by_receiver(self._received()).items():
                post(to, letters)
        self._process.wait(time.monotonic() + END)
        while self._report(post):
            pass
        self._process.close(0.0)
        self.how = self._process.ended() or ""
        self.over.set()

    def _report(self, post: Callable[[int, list[Letter]], None]) -> bool:
        """Post what the ring has written for the user; return whether that was anything."""
        with contextlib.suppress(BlockingIOError):
            if text := os.read(self._process.errors, PIECE):
                post(CONDUCTOR, [Letter(to=CONDUCTOR, message=Said(text=text))])
                return True
        return False

    def _received(self) -> list[Letter]:
        with self._carrying:
            try:
                letters = self._courier.receive()
            except UnknownLetterError:
                self._process.kill()
                self._courier.closed = True
                return []
            self._courier.flush()
        for letter in letters:
            if isinstance(letter.message, Ended):
                self.ended = letter.message
        return letters

    def hang_up(self) -> None:
        """End the connection: the ring ends by itself."""
        with self._carrying:
            self._courier.hang_up()


class Machine:
    """An actor: the machine of a ring, with its process. `launch` starts that, `post` takes its letters.

    A letter may be lost on each way. Every other call may be repeated.
    """

    def __init__(
        self,
        directory: str,
        ring: int,
        post: Callable[[int, list[Letter]], None],
        launch: Callable[[Path, int], Process] = Process,
    ) -> None:
        self._directory = Path(directory)
        self._ring, self._post = ring, post
        self._launch = launch
        self._children: dict[str, Child] = {}
        self._child: Child | None = None
        self._starting = threading.Lock()
        self._hung_up = False

    def begin(self, files: Mapping[str, bytes]) -> tuple[str, str]:
        """Start the process of the ring, unless it runs; return its name and "", or "" and why it cannot be started."""
        with self._starting:
            child = self._child
            if child is None or (child.over.is_set() and not child.done):
                self._hung_up = False
                try:
                    receive_files(self._directory, self._ring, files)
                    child = self._start()
                except (OSError, UsageError) as error:
                    return "", plain(error)
            return child.name, ""

    def go_on(self) -> None:
        """Start the process as it was, for Ray has started the actor once more, and maybe there is no conductor."""
        with self._starting, contextlib.suppress(OSError, UsageError):  # the conductor brings what is missing
            if self._child is None and not read_plan(self._directory).finished:
                self._start()

    def ended(self, name: str) -> tuple[str, Ended | None]:
        """Wait for the end of a process; return how, "" if it still runs, and its last message."""
        child = self._children.get(name)
        if child is None:
            return LOST, None
        return (child.how, child.ended) if child.over.wait(PATIENCE) else ("", None)

    def send(self, letters: Sequence[Letter]) -> None:
        """Pass letters on to the ring."""
        if self._child is not None:
            self._child.send(letters)

    def hang_up(self) -> None:
        """End the connection of the ring, and wait for its end."""
        self._hung_up = True
        if (child := self._child) is not None:
            child.hang_up()
            child.over.wait(PATIENCE)

    def _start(self) -> Child:
        child = self._child = Child(self._launch(self._directory, self._ring))
        self._children[child.name] = child
        threading.Thread(target=self._keep, args=(child,), daemon=True).start()
        return child

    def _keep(self, child: Child) -> None:
        """Carry letters; start the ring again if it was killed. What its end in order means, the conductor knows."""
        child.carry(self._post)
        if child.ended is not None or self._hung_up:
            return
        time.sleep(PAUSE)
        with self._starting:
            if self._child is child:
                self._start()


def _by_receiver(letters: Sequence[Letter]) -> dict[int, list[Letter]]:
    result: dict[int, list[Letter]] = {}
    for letter in letters:
        result.setdefault(letter.to, []).append(letter)
    return result
