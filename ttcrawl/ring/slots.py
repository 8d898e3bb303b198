"""The bodies of the data queue: shared memory in slots of equal size, filled by fetch and read by parse processes.

Who may use a slot is decided by the crawl process alone (it gives a slot with a Request and takes it back with the
outcome), so there is no lock that a killed process could keep. The memory has no name: when the last process that holds
it ends, however it ends, nothing stays behind. It is sparse: pages that were never written cost nothing.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Callable
from multiprocessing.reduction import DupFd

#: What was touched by a larger body is given back to the system after use; smaller ones keep their pages warm.
KEEP = 1 << 20


class Slots:
    """`count` slots of at least `size` bytes each; can be sent to a process that is being started."""

    def __init__(self, count: int, size: int) -> None:
        self.count = count
        self.size = -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
        self._file = _nameless_file()
        os.ftruncate(self._file, self.count * self.size)
        self.map()

    def map(self) -> None:
        """To be called once by a process that they were sent to. Raises OSError where there is no room for them."""
        self._memory = mmap.mmap(self._file, self.count * self.size)
        self._view = memoryview(self._memory)

    def __getstate__(self) -> tuple[int, int, object]:
        return self.count, self.size, DupFd(self._file)

    def __setstate__(self, state: tuple[int, int, object]) -> None:
        self.count, self.size, handle = state
        self._file = handle.detach()  # type: ignore[attr-defined]

    def slot(self, number: int) -> memoryview:
        """The bytes of one slot, writable."""
        return self._view[number * self.size : (number + 1) * self.size]

    def forget(self, number: int, used: int) -> None:
        """Give the memory of a slot of which `used` bytes were written back to the system, where that is worth it."""
        if used > KEEP and hasattr(mmap, "MADV_REMOVE"):
            self._memory.madvise(mmap.MADV_REMOVE, number * self.size, self.size)

    def close(self) -> None:
        """Let go of the file; the memory goes with the last view of it (the traceback of an error may hold one)."""
        os.close(self._file)


def _nameless_file() -> int:
    memfd_create: Callable[[str], int] | None = getattr(os, "memfd_create", None)  # Linux
    if memfd_create is not None:
        return memfd_create("ttcrawl")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
