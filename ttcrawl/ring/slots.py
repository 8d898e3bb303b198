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

#: Bytes that free slots keep in memory, all together: to give back and to get again what a body of 31 KB needs takes
#: longer than all else that is done with it here.
WARM = 8 << 20


class Slots:
    """`count` slots of at least `size` bytes each; can be sent to a process that is being started.

    Beside them are `more` bytes for other purposes: `rest`, in a file of their own. If it is given, others that have it
    open share the bytes.
    """

    def __init__(self, count: int, size: int, more: int = 0, rest_file: int | None = None) -> None:
        self.count, self.more = count, more
        self.size = -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
        self.file = _nameless_file()
        self.rest_file = _nameless_file() if rest_file is None else rest_file
        os.ftruncate(self.file, self.count * self.size)
        os.ftruncate(self.rest_file, self.more)
        self.map()

    def map(self) -> None:
        """Map the memory; a process that receives the slots calls this once. Raises OSError without enough memory."""
        self._memory = mmap.mmap(self.file, self.count * self.size)
        self._view = memoryview(self._memory)
        self._rest = memoryview(mmap.mmap(self.rest_file, self.more)) if self.more else memoryview(b"")

    def __getstate__(self) -> tuple[int, int, int, object, object]:
        return self.count, self.size, self.more, DupFd(self.file), DupFd(self.rest_file)

    def __setstate__(self, state: tuple[int, int, int, object, object]) -> None:
        count, size, more, handle, rest = state
        self.count = count
        self.size = size
        self.more = more
        self.file = handle.detach()  # type: ignore[attr-defined]
        self.rest_file = rest.detach()  # type: ignore[attr-defined]

    def slot(self, number: int) -> memoryview:
        """Return the bytes of one slot, writable."""
        return self._view[number * self.size : (number + 1) * self.size]

    @property
    def rest(self) -> memoryview:
        """The bytes beside the slots, writable."""
        return self._rest

    def forget(self, number: int) -> None:
        """Return the memory of a slot to the system."""
        if hasattr(mmap, "MADV_REMOVE"):
            self._memory.madvise(mmap.MADV_REMOVE, number * self.size, self.size)

    def close(self) -> None:
        """Close the files; the memory is freed with the last view of it (the traceback of an error may have one)."""
        os.close(self.file)
        os.close(self.rest_file)


class Free:
    """The slots that no request has, for the crawl process alone."""

    def __init__(self, slots: Slots, warm: int = WARM) -> None:
        self._slots = slots
        self._most = warm
        self._numbers = list(range(slots.count))
        self._written = [0] * slots.count  # bytes of each slot that may be in memory
        self._warm = 0  # of the free ones

    def __bool__(self) -> bool:
        return bool(self._numbers)

    def take(self) -> int:
        """Return a slot: the one that was used last, so that few are warm."""
        number = self._numbers.pop()
        self._warm -= self._written[number]
        return number

    def release(self, number: int, written: int) -> None:
        """A slot, of which at most `written` bytes were written since it was taken, is free."""
        self._numbers.append(number)
        self._written[number] = max(self._written[number], written)
        self._warm += self._written[number]
        if written > self._most:  # the others are not to blame
            self._forget(number)
        elif self._warm > self._most:
            self._cool()

    def _cool(self) -> None:
        """Give memory back until half of the most is left: that of the largest bodies, which are few."""
        for number in sorted(self._numbers, key=self._written.__getitem__, reverse=True):
            if self._warm <= self._most // 2:
                return
            self._forget(number)

    def _forget(self, number: int) -> None:
        if self._written[number]:
            self._slots.forget(number)
            self._warm -= self._written[number]
            self._written[number] = 0


def _nameless_file() -> int:
    memfd_create: Callable[[str], int] | None = getattr(os, "memfd_create", None)  # Linux
    if memfd_create is not None:
        return memfd_create("ttcrawl")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
