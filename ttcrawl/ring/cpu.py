"""The processor time of another process: what it has done, however busy the machine was meanwhile."""

from __future__ import annotations

import sys
import time

#: linux/posix-timers.h: the clock of a process is made of its id, CPUCLOCK_SCHED and no flag for a thread.
_SCHED = 2


def seconds(pid: int | None) -> float:
    """Of all its threads. Where the system does not tell it is the time that passes; 0 for a process that has ended."""
    if sys.platform != "linux" or pid is None:
        return time.monotonic()
    try:
        return time.clock_gettime(~pid << 3 | _SCHED)
    except OSError:
        return 0.0
