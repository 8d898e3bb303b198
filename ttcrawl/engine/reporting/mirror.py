"""The process that copies a running crawl into PostgreSQL: [postgresql] url.

It is `ttcrawl mirror DIR --follow`, which reads the URL from config.ini: no password is in the list of processes, and
the crawl takes no part in it.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

from ttcrawl.config import FORM, SCHEMES, Config
from ttcrawl.engine.reporting.following import following, give_way
from ttcrawl.errors import USAGE, UsageError, require
from ttcrawl.ring.modules import PYTHON, environment
from ttcrawl.store.regular import must_be_own, open_regular

#: The file in the crawl directory with its messages.
LOG = "mirror.log"

#: How a message begins there, and one of progress, which is not for the terminal of the crawl.
OURS, PROGRESS = "ttcrawl: ", "ttcrawl: reading: "

#: The priority of its session while it imports what it needs, half a second of work: the crawl begins before it.
NICENESS_OF_START = 19

#: Seconds after which the user is told what the end of the crawl waits for.
SOON = 2.0

#: Seconds between two looks at the process and its messages.
LOOK = 1.0

#: Seconds after which a process that was killed is started again, twice as many each time, and its starts in all.
AGAIN, MOST = 5.0, 8

#: Seconds that the crawl waits for the database before its first request.
FIRST = 40.0


def check_mirror(config: Config) -> None:
    """Raises UsageError if a crawl cannot be copied: the extra is missing, or the URL is none of PostgreSQL."""
    if config.postgresql.url:
        require("psycopg")
        if not config.postgresql.url.startswith(SCHEMES):
            raise UsageError(f"[postgresql] url: write {FORM}")


def connect_once(config: Config) -> None:
    """Make the tables before the first request. Raises UsageError if the database has to be changed first.

    A server that is away is not an error: the crawl does not wait for it.
    """
    if not config.postgresql.url:
        return
    command = [*PYTHON, "-m", "ttcrawl.export.postgresql.begin"]
    with contextlib.suppress(subprocess.TimeoutExpired):
        done = subprocess.run(
            command,
            input=config.postgresql.url,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            timeout=FIRST,
            check=False,
        )
        if done.returncode == USAGE:
            message = done.stderr.strip().removeprefix(OURS)
            raise UsageError(f"[postgresql] url: {message}; without a copy: --set postgresql.url=")


class Mirror:
    """`close` waits until the copy is complete, so the lock of the crawl must be released before.

    A thread reports the messages of the process, and starts it again if it is killed.
    """

    def __init__(self, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._say, self._clock = say, clock
        self._process: subprocess.Popen[bytes] | None = None
        self._directory, self._share = Path(), 0.0
        self._reported = 0  # bytes of the log
        self._starts, self._started_at = 0, 0.0
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="mirror", daemon=True)

    def start(self, directory: Path, config: Config) -> None:
        if not config.postgresql.url:
            return
        self._directory, self._share = directory, config.postgresql.share
        must_be_own(self._log)
        with contextlib.suppress(FileNotFoundError):
            self._reported = self._log.stat().st_size
        self._process = self._run()
        self._thread.start()

    def close(self) -> None:
        if self._process is None:
            return
        self._ends.set()
        self._thread.join()
        try:
            while (status := self._end(self._process)) < 0 and self._starts < MOST:
                self._process = self._run()
        except KeyboardInterrupt:
            return
        if status:
            self._say(f"the copy in PostgreSQL is not complete; see {self._log}")

    @property
    def _log(self) -> Path:
        return self._directory / LOG

    def _run(self) -> subprocess.Popen[bytes]:
        self._starts, self._started_at = self._starts + 1, self._clock()
        process = following("mirror", self._directory, self._log)
        if not self._share:
            with contextlib.suppress(OSError):  # it has ended
                give_way(process.pid)
            set_session_niceness(process.pid, NICENESS_OF_START)
        return process

    def _end(self, process: subprocess.Popen[bytes]) -> int:
        """Wait until the copy is complete; return the exit status."""
        set_session_niceness(process.pid, 0)  # the crawl has ended, and the user waits
        wait = SOON
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = process.wait(wait)
                self._report()
                return status
            if wait == SOON:
                self._say(
                    "the copy in PostgreSQL is being completed (if the server is away, for five minutes at most);"
                    f" Ctrl-C does not wait for it (see {self._log})"
                )
            wait = LOOK
            self._report()

    def _watch(self) -> None:
        while not self._ends.wait(LOOK):
            self._report()
            killed = self._process is not None and (self._process.poll() or 0) < 0
            if killed and self._clock() - self._started_at > AGAIN * 2**self._starts and self._starts < MOST:
                self._say("the process that copies the crawl into PostgreSQL was killed: it is started again")
                with contextlib.suppress(OSError):  # no memory, or the directory is gone
                    self._process = self._run()

    def _report(self) -> None:
        """Say what is new in the log."""
        with contextlib.suppress(OSError), open(open_regular(self._log, os.O_RDONLY), "rb") as log:
            log.seek(self._reported)
            for line in log:
                if not line.endswith(b"\n"):
                    return
                self._reported += len(line)
                text = line.decode("utf-8", "replace").rstrip()
                if text.startswith(OURS) and not text.startswith(PROGRESS):
                    self._say(text.removeprefix(OURS))


def set_session_niceness(pid: int, niceness: int) -> None:
    """Give the session that a process leads a priority; other processes have none of their own to give.

    Linux shares the processors among sessions first (autogroups, see sched(7)), then among their processes.
    """
    with contextlib.suppress(OSError):  # it has ended, or the system has no such file
        if os.getsid(pid) == pid:
            Path(f"/proc/{pid}/autogroup").write_text(str(niceness))
