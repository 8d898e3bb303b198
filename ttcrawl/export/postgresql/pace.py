"""How much of the machine the copy of a running crawl takes.

PostgreSQL's processes have the usual priority, but the one of this connection works only while this process waits for
it. So after each step this process rests in proportion to the work of both.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from pathlib import Path

#: The share of all processors that the copy takes if they are busy.
BUSY = 0.01

#: The share of one processor that the copy takes if a processor is idle.
IDLE = 0.5

#: The share of one processor that the copy takes if they are busy with something else than the crawl.
BESIDE = 0.1

#: A processor was idle if the process waited for one, besides its server, less than this part of the time that it ran.
WAITED = 0.25

#: Seconds of work that a step is meant to take. A reader of crawl.db keeps its write-ahead log from starting again.
STEP = 0.25

#: The most requests of a step.
MOST = 500

_PROC = Path("/proc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    now: float  # seconds of a steady clock
    ran: float  # seconds of a processor that the process had
    waited: float | None  # seconds that it was ready to run, but all processors did something else; None: unknown
    server: float | None  # seconds of a processor that the process of the connection had; None: unknown


def read(server: int) -> Reading:
    """The clocks of this process and of the process of its connection, 0 if it is on another machine.

    The systems other than Linux tell only the first two.
    """
    own, other = _times("self"), _times(str(server)) if server else None
    with contextlib.suppress(OSError):
        if (_PROC / str(server) / "comm").read_text() != "postgres\n":  # in a container
            other = None
    return Reading(
        now=time.monotonic(),
        ran=time.process_time(),
        waited=own[1] if own else None,
        server=other[0] if other else None,
    )


def _times(process: str) -> tuple[float, float] | None:
    """Seconds that a process ran, and that it waited for a processor."""
    try:
        ran, waited, _ = (_PROC / process / "schedstat").read_text().split()
    except (OSError, ValueError):
        return None
    return int(ran) / 1e9, int(waited) / 1e9


def started() -> Reading:
    """The clocks when this process was started, as if it had run at once since then."""
    reading = read(0)
    return Reading(now=reading.now - reading.ran - (reading.waited or 0.0), ran=0.0, waited=0.0, server=None)


def busy(before: Reading, after: Reading) -> bool:
    """Whether the processors were busy with something else than the copy.

    This process has the lower priority, so it may wait while the server works for it: at most as long as that works.
    """
    if after.waited is None or before.waited is None:
        return True
    waited = after.waited - before.waited
    if before.server is not None and after.server is not None:
        waited -= after.server - before.server
    return waited > WAITED * (after.ran - before.ran)


def work(before: Reading, after: Reading) -> float:
    """Seconds of processors that both processes had. If the server's are unknown, the wait for it counts."""
    if before.server is not None and after.server is not None:
        return after.ran - before.ran + after.server - before.server
    return after.now - before.now - ((after.waited or 0.0) - (before.waited or 0.0))


def rest(before: Reading, after: Reading, cores: int, *, light: bool, least: float) -> float:
    """Seconds to rest after work. `light`: the crawl leaves processors to others. `least`: the share of one processor
    that the copy takes at least."""
    share = IDLE
    if busy(before, after):
        share = min(IDLE, max(BUSY * cores, BESIDE if light else 0.0))
    return max(0.0, work(before, after) / max(share, least) - (after.now - before.now))


def size(requests: int, seconds: float) -> int:
    """The requests of the next step, after a step with `requests` of them that was so much work.

    >>> size(100, 0.5), size(100, 0.001), size(1, 9.0)
    (50, 200, 1)
    """
    return max(1, min(MOST, int(requests * min(2.0, STEP / max(seconds, 0.001)))))
