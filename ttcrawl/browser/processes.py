"""The processes of one browser: their start, their memory, and their end.

Playwright starts a driver, which starts the browser. Where prctl(2) is, a guard is between: see ttcrawl.browser.guard.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ttcrawl.browser import guard

PROC = Path("/proc")
PAGE = os.sysconf("SC_PAGE_SIZE")


#: What ends a driver, with all that it has started.
END = guard.END if sys.platform == "linux" else signal.SIGKILL


class Drivers(asyncio.DefaultEventLoopPolicy):
    """Makes the event loops in which Playwright starts drivers, one in each thread, and knows these drivers."""

    def __init__(self) -> None:
        super().__init__()
        self._of_thread = dict[int, asyncio.SubprocessTransport]()

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        self._of_thread.pop(threading.get_ident(), None)
        return _Loop(self._of_thread)

    def end(self, thread: int) -> None:
        """Kill the driver that a thread has started, if it runs, and all that it has started. From any thread."""
        driver = self._of_thread.get(thread)
        if driver is not None and driver.get_returncode() is None:
            for number in (END, signal.SIGCONT):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(driver.get_pid(), number)


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self, of_thread: dict[int, asyncio.SubprocessTransport]) -> None:
        super().__init__()
        self._of_thread = of_thread

    async def subprocess_exec(self, protocol_factory: Any, *command: Any, **options: Any) -> Any:
        transport, protocol = await super().subprocess_exec(protocol_factory, *_guard(), *command, **options)
        self._of_thread[threading.get_ident()] = transport
        return transport, protocol


def _guard() -> list[str]:
    """Return what stands before the command of a driver, so that it ends with this process."""
    return [sys.executable, "-I", "-S", guard.__file__, str(os.getpid())] if sys.platform == "linux" else []


def memory(group: int) -> int:
    """Return the bytes of memory that the processes of a group have for themselves; 0 without /proc."""
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
