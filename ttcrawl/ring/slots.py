"""The bodies of the data queue: shared memory in slots of equal size, filled by fetch and read by parse processes.

The crawl process alone assigns slots (a Request gets one, its outcome returns it), so a killed process cannot leave a
lock behind. The memory has no name: the system frees it when its last process ends, however it ends. It is sparse:
pages that were never written cost nothing.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Callable
from multiprocessing.reduction import DupFd

#: Bodies larger than this return their memory to the system after use; smaller ones keep their pages warm.
KEEP = 1 << 18


class Slots:
    """`count` slots of at least `size` bytes each; can be sent to a process that is being started.

    Behind them are `more` bytes for other purposes: `rest`, in `file`.
    """

    def __init__(self, count: int, size: int, more: int = 0) -> None:
        self.count, self.more = count, more
        self.size = -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
        self.file = _nameless_file()
        os.ftruncate(self.file, self.count * self.size + self.more)
        self.map()

    def map(self) -> None:
        """Map the memory; a process that receives the slots calls this once. Raises OSError without enough memory."""
        self._memory = mmap.mmap(self.file, self.count * self.size + self.more)
        self._view = memoryview(self._memory)

    def __getstate__(self) -> tuple[int, int, int, object]:
        return self.count, self.size, self.more, DupFd(self.file)

    def __setstate__(self, state: tuple[int, int, int, object]) -> None:
        count, size, more, handle = state
        self.count = count
        self.size = size
        self.more = more
        self.file = handle.detach()  # type: ignore[attr-defined]

    def slot(self, number: int) -> memoryview:
        """Return the bytes of one slot, writable."""
        return self._view[number * self.size : (number + 1) * self.size]

    @property
    def rest(self) -> memoryview:
        """The bytes behind the slots, writable."""
        return self._view[self.count * self.size :]

    def forget(self, number: int, used: int) -> None:
        """Return the memory of a slot with `used` written bytes to the system, if it is large."""
        if used > KEEP and hasattr(mmap, "MADV_REMOVE"):
            self._memory.madvise(mmap.MADV_REMOVE, number * self.size, self.size)

    def close(self) -> None:
        """Close the file; the memory is freed with the last view of it (the traceback of an error may have one)."""
        os.close(self.file)


def _nameless_file() -> int:
    memfd_create: Callable[[str], int] | None = getattr(os, "memfd_create", None)  # Linux
    if memfd_create is not None:
        return memfd_create("ttcrawl")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
