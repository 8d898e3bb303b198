"""Find and end the processes that a converter started and left behind, in any process group (Linux)."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

from ttcrawl.read.documents.libc import LIBC

PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
SECONDS = 5.0  # the kernel may take so long to end a namespace on a busy machine
PAUSE = 1e-3  # seconds


def adopt() -> None:
    """Make processes that a converter leaves behind children of this process, instead of the system's first process."""
    if LIBC is not None:
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1)


def children() -> set[int]:
    numbers = set()
    for task in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):
            numbers |= {int(number) for number in task.read_text().split()}
    return numbers


def end(directory: Path, before: set[int]) -> None:
    """End the children with this HOME, reap dead ones; `before` are the earlier children."""
    mark = b"HOME=" + os.fsencode(directory)
    deadline = time.monotonic() + SECONDS
    while (new := children() - before) and time.monotonic() < deadline:
        for number in new:
            environment = _environment(number)
            if environment and mark not in environment:
                before = before | {number}
                continue
            with contextlib.suppress(OSError):
                if environment:
                    os.kill(number, signal.SIGKILL)
                if os.waitpid(number, 0 if environment else os.WNOHANG)[0] == 0:
                    time.sleep(PAUSE)  # the first process of a namespace ends after all others


def _environment(number: int) -> list[bytes]:
    """Empty if the process is dead."""
    with contextlib.suppress(OSError):
        return [each for each in Path("/proc", str(number), "environ").read_bytes().split(b"\0") if each]
    return []
