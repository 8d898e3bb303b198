"""The processes of one browser: their memory, and their end."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")
PAGE = os.sysconf("SC_PAGE_SIZE")


def memory(group: int) -> int:
    """Return the bytes of memory that the processes of a group have for themselves; 0 where there is no /proc."""
    total = 0
    for each in _members(group):
        with contextlib.suppress(OSError, ValueError, IndexError):
            _, resident, shared, *_ = (PROC / each / "statm").read_text().split()
            total += (int(resident) - int(shared)) * PAGE
    return total


def end(group: int) -> None:
    """Kill all processes of a group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _members(group: int) -> Iterator[str]:
    if not PROC.is_dir():
        return
    for each in os.listdir(PROC):
        if each.isdecimal():
            with contextlib.suppress(OSError, ValueError, IndexError):
                # the name of the program, in parentheses, may contain anything
                if int((PROC / each / "stat").read_text().rpartition(")")[2].split()[2]) == group:
                    yield each
