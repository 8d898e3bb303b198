"""The process that copies a running crawl into PostgreSQL: [postgresql] url.

It is `ttcrawl mirror DIR --follow`, which reads the URL from config.ini: no password is in the list of processes, and
the crawl takes no part in it.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from ttcrawl.config import FORM, SCHEMES, Config
from ttcrawl.errors import UsageError, require
from ttcrawl.ring.modules import PYTHON, environment
from ttcrawl.store.regular import must_be_own, open_regular

#: The file in the crawl directory with its messages.
LOG = "mirror.log"

#: The priority of the process: what the crawl and its processes need comes first.
NICENESS = 10

#: That of its session while it imports what it needs, half a second of work: the crawl that begins comes before it.
NICENESS_OF_START = 19

#: Seconds after which the user is told what the end of the crawl waits for.
SOON = 2.0


def check_mirror(config: Config) -> None:
    """Raises UsageError if a crawl cannot be copied: the extra is missing, or the URL is none of PostgreSQL."""
    if config.postgresql.url:
        require("psycopg")
        if not config.postgresql.url.startswith(SCHEMES):
            raise UsageError(f"[postgresql] url: write {FORM}")


class Mirror:
    """`close` waits until the copy is complete, so the lock of the crawl must be released before."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._process: subprocess.Popen[bytes] | None = None
        self._log = Path(LOG)

    def start(self, directory: Path, config: Config) -> None:
        if not config.postgresql.url:
            return
        self._log = directory / LOG
        must_be_own(self._log)
        command = [*PYTHON, "-m", "ttcrawl", "mirror", str(directory.absolute()), "--follow"]
        with open(open_regular(self._log, os.O_WRONLY | os.O_APPEND | os.O_CREAT), "ab") as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
                env=environment(),
            )
        with contextlib.suppress(OSError):  # it has ended
            os.setpriority(os.PRIO_PROCESS, self._process.pid, NICENESS)
        set_session_niceness(self._process.pid, NICENESS_OF_START)

    def close(self) -> None:
        if self._process is None:
            return
        set_session_niceness(self._process.pid, 0)  # the crawl has ended, and the user waits
        try:
            try:
                status = self._process.wait(SOON)
            except subprocess.TimeoutExpired:
                self._say(
                    "the copy in PostgreSQL is being completed (if the server is away, for five minutes at most);"
                    f" Ctrl-C does not wait for it (see {self._log})"
                )
                status = self._process.wait()
        except KeyboardInterrupt:
            return
        if status:
            self._say(f"the copy in PostgreSQL is not complete: see {self._log}")


def set_session_niceness(pid: int, niceness: int) -> None:
    """Give the session that a process leads a priority; other processes have none of their own to give.

    Linux shares the processors among sessions first (autogroups, see sched(7)), then among their processes.
    """
    with contextlib.suppress(OSError):  # it has ended, or the system has no such file
        if os.getsid(pid) == pid:
            Path(f"/proc/{pid}/autogroup").write_text(str(niceness))
