"""Memory and descriptors of the processes of a crawl, and how busy the machine is."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

from tests.support.faults.killing import descendants, processes


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """`memory`: PSS in bytes, and `descriptors`: open files, of the largest process of each role."""

    at: float
    memory: dict[str, int]
    descriptors: dict[str, int]
    idle: float  # share of the processors, since the last sample
    pressure: float  # share of the time in which a process waited for a processor, since the last sample


class Watch:
    def __init__(self) -> None:
        self._last = (time.time(), *_times(), _waited())

    def sample(self, leader: int) -> Sample:
        roles = processes(leader)
        session = {pid for pids in roles.values() for pid in pids}
        roles["mirror"] = [pid for pid, _ in descendants(leader) if pid not in session]
        now, idle, total, waited = time.time(), *_times(), _waited()
        before, self._last = self._last, (now, idle, total, waited)
        return Sample(
            at=now,
            memory={role: max(map(proportional, pids), default=0) for role, pids in roles.items()},
            descriptors={role: max(map(_descriptors, pids), default=0) for role, pids in roles.items()},
            idle=(idle - before[1]) / max(1, total - before[2]),
            pressure=(waited - before[3]) / 1e6 / max(1e-3, now - before[0]),
        )


def _times() -> tuple[int, int]:
    """(Ticks in which the processors were idle, all ticks)."""
    ticks = [int(each) for each in Path("/proc/stat").read_text().partition("\n")[0].split()[1:9]]
    return ticks[3] + ticks[4], sum(ticks)


def _waited() -> int:
    """Microseconds in which a process waited for a processor; 0 where the kernel does not count them."""
    try:
        found = re.search(r"^some .*total=(\d+)", Path("/proc/pressure/cpu").read_text())
    except OSError:
        return 0
    return int(found[1]) if found else 0


def _descriptors(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def proportional(pid: int) -> int:
    """The PSS of a process in bytes; 0 if it has ended."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0
