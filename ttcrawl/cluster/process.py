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


class Process:
    """A process on this machine. `before`: what precedes its command."""

    waits, trouble = False, ""

    def __init__(self, directory: Path, ring: int, before: Sequence[str] = ()) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            number = theirs.fileno()
            self._process = subprocess.Popen(
                [*before, *PYTHON, "-m", "ttcrawl.cluster.member", str(directory), str(ring), str(number)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=(number,),
                start_new_session=True,  # a Ctrl-C is for the conductor
                env=environment(),
            )
        assert self._process.stderr is not None
        self._stderr = self._process.stderr
        self.errors = self._stderr.fileno()
        os.set_blocking(self.errors, False)
        self.courier = Courier(ours)
        self.name = f"process {self._process.pid}"

    def ended(self) -> str | None:
        status = self._process.poll()
        if status is None:
            return None
        return f"was killed by {signal.Signals(-status).name}" if status < 0 else f"has ended with status {status}"

    def kill(self) -> None:
        self._process.kill()

    def wait(self, end: float) -> None:
        """Wait until it has ended, at most until the moment `end` (time.monotonic()); then kill it."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(max(0.0, end - time.monotonic()))
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def close(self, end: float) -> None:
        self.courier.close()
        self.wait(end)
        self._stderr.close()
