"""The processor time of another process: a measure of its work that does not depend on the load of the machine."""

from __future__ import annotations

import sys
import time

#: linux/posix-timers.h: the clock of a process consists of its id, CPUCLOCK_SCHED and no flag for a thread.
_SCHED = 2


def seconds(pid: int | None) -> float:
    """Return the processor time of all threads of a process, seconds; 0 if it has ended.

    On systems other than Linux, return the monotonic time instead.
    """
    if sys.platform != "linux" or pid is None:
        return time.monotonic()
    try:
        return time.clock_gettime(~pid << 3 | _SCHED)
    except OSError:
        return 0.0
