"""A command of ttcrawl that works beside a crawl, in a session of its own: `ttcrawl COMMAND DIR --follow`.

It reads what it needs from config.ini, and what is new from the tables. The crawl takes no part.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from ttcrawl.ring.modules import PYTHON, environment
from ttcrawl.store.regular import must_be_own, open_regular

#: How much lower the priority of such a process is: what the crawl and its processes need comes first.
NICENESS = 10


def give_way(process: int = 0) -> None:
    """Let others come before this process, or another one; one that has a still lower priority keeps it."""
    os.setpriority(os.PRIO_PROCESS, process, max(NICENESS, os.getpriority(os.PRIO_PROCESS, process)))


def following(command: str, directory: Path, log: Path) -> subprocess.Popen[bytes]:
    """Start it; its messages are added to `log`."""
    with open(open_regular(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT), "ab") as messages:
        return subprocess.Popen(
            [*PYTHON, "-m", "ttcrawl", command, str(directory.absolute()), "--follow"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=messages,
            start_new_session=True,
            env=environment(),
        )


class Following:
    """`close` waits until the command is done, so the lock of the crawl must be released before.

    Its messages are added to COMMAND.log in the crawl directory. `what`: what is not complete if it fails.
    """

    def __init__(self, command: str, what: str, say: Callable[[str], None]) -> None:
        self._command, self._what = command, what
        self._say = say
        self._process: subprocess.Popen[bytes] | None = None
        self._directory = Path()

    @property
    def _log(self) -> Path:
        return self._directory / f"{self._command}.log"

    def start(self, directory: Path) -> None:
        self._directory = directory
        must_be_own(self._log)
        self._process = following(self._command, self._directory, self._log)

    def close(self) -> None:
        if self._process is None:
            return
        with contextlib.suppress(KeyboardInterrupt):
            status = self._process.wait()
            if status < 0:  # it was killed
                status = following(self._command, self._directory, self._log).wait()
            if status:
                self._say(f"{self._what} not complete: see {self._log}")
