"""A worker process as its system sees it: its name, its standard output, its processor time."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import time

PR_SET_NAME = 15  # linux/prctl.h

#: linux/posix-timers.h: the clock of a process consists of its id, CPUCLOCK_SCHED and no flag for a thread.
_SCHED = 2


def name_process(name: str) -> None:
    """Give the calling process this name, of 15 bytes at most; on systems other than Linux it keeps its own."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode(), 0, 0, 0)


def leave_stdout() -> None:
    """Let all output of this process and its children go to stderr, because stdout belongs to the command: hooks and
    libraries print."""
    with contextlib.suppress(OSError):  # stderr may be closed
        os.dup2(2, 1)


def processor_seconds(pid: int | None) -> float:
    """Return the processor time of all threads of a process, seconds; 0 if it has ended. It measures work, whatever the
    load of the machine. On systems other than Linux, return the monotonic time instead.
    """
    if sys.platform != "linux" or pid is None:
        return time.monotonic()
    try:
        return time.clock_gettime(~pid << 3 | _SCHED)
    except OSError:
        return 0.0
