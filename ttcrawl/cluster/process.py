"""The process of a ring, as the conductor sees it."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ttcrawl.cluster.courier import Courier
from ttcrawl.cluster.messages import AnyMessage, Letter
from ttcrawl.ring.modules import PYTHON, environment


class Carrier(Protocol):
    """The conductor's end of a connection with a ring, as `Courier`."""

    closed: bool

    def fileno(self) -> int: ...

    def send(self, to: int, message: AnyMessage) -> None: ...

    def flush(self) -> None: ...

    def receive(self) -> list[Letter]: ...

    def close(self) -> None: ...


class Running(Protocol):
    """A process of a ring, on this machine or on another one.

    `name` is for the user; `trouble`: why it has not begun, so that another start is useless, or "".
    """

    name: str
    trouble: str

    @property
    def courier(self) -> Carrier: ...

    @property
    def errors(self) -> int | None:
        """An open file with the lines that it writes for the user; None: they come as letters."""

    @property
    def waits(self) -> bool:
        """Whether it cannot begin or go on at present: its machine is not there."""

    def ended(self) -> str | None:
        """Return how it has ended, None while it runs."""

    def kill(self) -> None: ...

    def close(self, end: float) -> None:
        """Wait until it has ended, at most until the moment `end` (time.monotonic()); then kill it. Close its files."""


def spawn(directory: Path, ring: int, before: Sequence[str] = ()) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start the process of a ring; return it and our end of its connection. `before`: what precedes its command."""
    ours, theirs = socket.socketpair()
    with theirs:
        number = theirs.fileno()
        command = [*before, *PYTHON, "-m", "ttcrawl.cluster.member", str(directory), str(ring), str(number)]
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=(number,),
            start_new_session=True,  # a Ctrl-C is for the conductor
            env=environment(),
        )
    assert process.stderr is not None
    os.set_blocking(process.stderr.fileno(), False)
    return process, ours


def how(status: int) -> str:
    """Return how a process with this status has ended."""
    return f"was killed by {signal.Signals(-status).name}" if status < 0 else f"has ended with status {status}"


class Process:
    """A process on this machine."""

    waits, trouble = False, ""

    def __init__(self, directory: Path, ring: int, before: Sequence[str] = ()) -> None:
        self._process, connection = spawn(directory, ring, before)
        self.courier = Courier(connection)
        self.name = f"process {self._process.pid}"
        assert self._process.stderr is not None
        self.errors = self._process.stderr.fileno()

    def ended(self) -> str | None:
        status = self._process.poll()
        return None if status is None else how(status)

    def kill(self) -> None:
        self._process.kill()

    def close(self, end: float) -> None:
        self.courier.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(max(0.0, end - time.monotonic()))
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        assert self._process.stderr is not None
        self._process.stderr.close()
