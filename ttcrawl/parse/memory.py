"""The memory of a parse process."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os

#: Bytes by which a process may grow before it returns free memory: as much as a page of 700 KB needs. To do it after
#: each page of 256 KB costs a twentieth of the page.
GROWN = 20 << 20

#: Seconds from which a page may have needed that much: to look at the memory takes 10 to 20 us.
LONG = 0.002


class FreeMemory:
    """Free memory that the allocator keeps, of the process that creates this.

    A page of 2 MB needs 40 MB. glibc keeps it for the next large page, which may go to another process; other
    allocators return it by themselves.
    """

    def __init__(self) -> None:
        self._trim, self._file = getattr(ctypes.CDLL(None), "malloc_trim", None), -1
        if self._trim:  # glibc
            with contextlib.suppress(OSError):  # without /proc nothing is returned
                self._file = os.open("/proc/self/statm", os.O_RDONLY)
        self._before = self._own()

    def release(self, seconds: float) -> None:
        """Return it to the system if the process has grown much since it last did (malloc_trim(3)). `seconds`: what the
        last page took."""
        if seconds >= LONG and self._trim and self._own() > self._before + GROWN:
            self._trim(0)
            self._before = self._own()

    def _own(self) -> int:
        """What the process has for itself, bytes: the slots are shared (proc(5), /proc/PID/statm). 0: unknown."""
        if self._file < 0:
            return 0
        _, resident, shared, *_ = os.pread(self._file, 64, 0).split()
        return (int(resident) - int(shared)) * mmap.PAGESIZE
