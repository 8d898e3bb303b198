"""Run a command and measure it whole: wall time and the CPU time of every process it started, however deep.

`RUSAGE_CHILDREN` counts a process when its parent has waited for it. A pool of multiprocessing's forkserver is not in
it: the forkserver outlives the command and is waited for by nobody. So this process makes itself the reaper of orphans
(Linux: PR_SET_CHILD_SUBREAPER), starts the command as a group of its own, and waits for every member of that group.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import resource
import shlex
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

PR_SET_CHILD_SUBREAPER = 36

#: Seconds between two looks at the processes; the last time seen of each counts.
LOOK = 0.05

#: Seconds between two looks at the memory: one takes the kernel a millisecond for each process.
MEMORY_LOOK = 0.5

#: What is installed has its bytecode; without it, each process of a crawler that runs from its sources would compile
#: them anew.
KEPT_BYTECODE = {"PYTHONDONTWRITEBYTECODE": ""}

_PSS = re.compile(r"^Pss:\s+(\d+) kB", re.MULTILINE)
_TICKS = os.sysconf("SC_CLK_TCK")

#: Gets the seconds since the start and the CPU seconds of each role so far.
Look: TypeAlias = Callable[[float, Mapping[str, float]], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    returncode: int
    wall: float  # seconds until the command ended
    cpu: float  # seconds of user and system time of all its processes
    roles: Mapping[str, float]  # of them, by the name of the process (/proc/PID/comm), as far as they were seen
    #: (Seconds since the start, bytes of all its processes then), where what they share counts once (PSS).
    memory: tuple[tuple[float, int], ...]
    output: str  # the end of what it printed


def run(
    command: Sequence[str],
    output: Path,
    timeout: float,
    environment: Mapping[str, str] = MappingProxyType({}),
    look: Look = lambda seconds, roles: None,
) -> Measured:
    """Run to the end, with these variables added. What is alive after `timeout` s, or 10 s after the end, is killed.

    `look` is called twenty times a second.
    """
    before, started, seen = _cpu(), time.monotonic(), dict[int, tuple[str, float]]()
    memory, memory_due = list[tuple[float, int]](), started
    with output.open("wb") as sink, _reaper_of_orphans():
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, **KEPT_BYTECODE, **environment},
        )
        while _ended(process, LOOK) is None:
            seen |= (present := _processes(process.pid))
            if time.monotonic() >= memory_due:
                memory.append((time.monotonic() - started, _memory(present)))
                memory_due = time.monotonic() + MEMORY_LOOK
            look(time.monotonic() - started, _by_name(seen.values()))
            if time.monotonic() > started + timeout:
                _kill(process.pid)
        wall = time.monotonic() - started
        _reap(process.pid, time.monotonic() + 10)
    return Measured(
        returncode=process.returncode,
        wall=wall,
        cpu=_cpu() - before,
        roles=_by_name(seen.values()),
        memory=tuple(memory),
        output=output.read_text(encoding="utf-8", errors="replace")[-2000:],
    )


def finished(
    command: Sequence[str],
    output: Path,
    timeout: float,
    environment: Mapping[str, str] = MappingProxyType({}),
    look: Look = lambda seconds, roles: None,
    accepted: Collection[int] = (0,),
) -> Measured:
    """Run as `run` does. Ends the program with what the command printed if its exit status is not `accepted`."""
    measured = run(command, output, timeout, environment, look)
    if measured.returncode not in accepted:
        raise SystemExit(f"{shlex.join(command)} ended with status {measured.returncode}:\n{measured.output}")
    return measured


def cpu_of(process: int) -> float:
    """CPU seconds of a living process so far (proc_pid_stat(5)). Raises OSError if it has ended."""
    numbers = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / _TICKS


def _ended(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        return process.wait(seconds)
    return None


def _processes(session: int) -> dict[int, tuple[str, float]]:
    """Of each living process of the session: its name and its seconds of CPU time."""
    found = {}
    for each in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            name, _, rest = (each / "stat").read_text().partition("(")[2].rpartition(")")
            numbers = rest.split()
            if int(numbers[3]) == session:
                found[int(each.name)] = name, (int(numbers[11]) + int(numbers[12])) / _TICKS
    return found


def _memory(processes: Iterable[int]) -> int:
    """Their proportional set sizes, bytes (proc(5), /proc/PID/smaps_rollup)."""
    total = 0
    for each in processes:
        with contextlib.suppress(OSError):  # it has ended
            if found := _PSS.search(Path(f"/proc/{each}/smaps_rollup").read_text()):
                total += int(found[1]) * 1024
    return total


def _by_name(processes: Iterable[tuple[str, float]]) -> dict[str, float]:
    seconds = Counter[str]()
    for name, cpu in processes:
        seconds[name] += cpu  # type: ignore[assignment]
    return dict(seconds)


@contextlib.contextmanager
def _reaper_of_orphans() -> Iterator[None]:
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "cannot become the reaper of orphans")
    try:
        yield
    finally:
        prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _reap(group: int, deadline: float) -> None:
    with contextlib.suppress(ChildProcessError):  # none is left
        while True:
            pid, _ = os.waitpid(-group, os.WNOHANG)
            if not pid:
                if time.monotonic() > deadline:
                    _kill(group)
                time.sleep(0.01)


def _kill(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
