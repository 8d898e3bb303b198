"""The machine of a ring: an actor that has the ring's process as its child, and passes on the bytes of its connection.

Only the conductor and the ring can write the frames of these bytes. If the actor dies, so does the ring.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from ttcrawl.cluster.member import FENCE
from ttcrawl.cluster.plan import receive_files
from ttcrawl.cluster.process import how, spawn
from ttcrawl.errors import UsageError, plain

#: Seconds that an actor waits for bytes of its ring before it answers that there are none.
WAIT = 1.0

#: Seconds until an actor notices that the process was killed that has started it.
ORPHANED = 0.5

#: Most bytes that are carried at once.
PIECE = 1 << 20

#: Seconds that the process of a ring may take to end after its connection.
END = 20.0


class Machine:
    """An actor: the machine of a ring, with the ring's process. Calls have numbers: a repeated one changes nothing."""

    def __init__(self) -> None:
        self._put, self._taken = 0, (0, b"", b"", "")
        self._putting, self._taking = threading.Lock(), threading.Lock()
        threading.Thread(target=_end_with_parent, daemon=True).start()

    def begin(self, directory: str, ring: int, files: Mapping[str, bytes]) -> tuple[str, str]:
        """Start the process of a ring; return its name and "", or "" and why it cannot be started."""
        try:
            receive_files(Path(directory), ring, files)
            self._process, self._connection = spawn(Path(directory), ring)
        except (OSError, UsageError) as error:
            return "", plain(error)
        self._connection.settimeout(FENCE)
        return f"process {self._process.pid} on {socket.gethostname()}", ""

    def put(self, number: int, data: bytes) -> None:
        """Pass bytes on to the ring."""
        with self._putting, contextlib.suppress(OSError):  # it has ended, which `take` tells
            if number > self._put:
                self._put = number
                self._connection.sendall(data)

    def hang_up(self) -> None:
        """End the connection of the ring, which ends with it."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def take(self, number: int) -> tuple[int, bytes, bytes, str]:
        """Return the number, bytes of the ring, what it writes for the user, and how it has ended, "" while it runs."""
        with self._taking:
            if number > self._taken[0]:
                self._taken = (number, *self._received())
            return self._taken

    def _received(self) -> tuple[bytes, bytes, str]:
        errors = self._process.stderr
        assert errors is not None
        files = self._connection.fileno(), errors.fileno()
        come, _, _ = select.select(files, (), (), WAIT)
        lines, data = errors.read(PIECE) or b"", b""
        if files[0] not in come:
            return data, lines, ""
        with contextlib.suppress(OSError):
            data = self._connection.recv(PIECE)
        if data:
            return data, lines, ""
        status = self._last_status()
        return data, lines + (errors.read() or b""), how(status)

    def _last_status(self) -> int:
        try:
            return self._process.wait(END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


def _end_with_parent() -> None:
    """End this process with the raylet that has started it: Ray leaves the actors of a raylet that was killed."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(ORPHANED)
    os._exit(1)
