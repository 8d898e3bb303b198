"""Run a command and measure it whole: wall time and the CPU time of every process it started, however deep.

`RUSAGE_CHILDREN` counts a process when its parent has waited for it. A pool of multiprocessing's forkserver is not in
it: the forkserver outlives the command and is waited for by nobody. So this process makes itself the reaper of orphans
(Linux: PR_SET_CHILD_SUBREAPER), starts the command as a group of its own, and waits for every member of that group.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    returncode: int
    wall: float  # seconds until the command ended
    cpu: float  # seconds of user and system time of all its processes
    output: str  # the end of what it printed


def run(command: Sequence[str], output: Path, timeout: float) -> Measured:
    """Run to the end. Whatever is alive after `timeout` seconds, or 10 s after the command, is killed."""
    before, started = _cpu(), time.monotonic()
    with output.open("wb") as sink, _reaper_of_orphans():
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=sink, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            _kill(process.pid)
            process.wait()
        wall = time.monotonic() - started
        _reap(process.pid, time.monotonic() + 10)
    return Measured(
        returncode=process.returncode,
        wall=wall,
        cpu=_cpu() - before,
        output=output.read_text(encoding="utf-8", errors="replace")[-2000:],
    )


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
