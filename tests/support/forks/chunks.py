"""Pieces of work that become smaller towards the end, so that all processes end together.

This is guided self-scheduling (Polychronopoulos and Kuck, IEEE Transactions on Computers 36, 1987).
"""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Hashable, Iterator, Sequence
from itertools import groupby

#: A chunk is at most this part of the share of a process in what is left.
PART = 1 / 4

_CHUNK = struct.Struct("II")


def chunks(modules: Sequence[Hashable], processes: int) -> Iterator[range]:
    """Cut tests into ranges of neighbours; `modules` has the module of each test, in order.

    A chunk has tests of one module, since each process that runs some of them makes its fixtures.
    """
    first = 0
    for _, group in groupby(modules):
        end = first + sum(1 for _ in group)
        while first < end:
            most = max(1, round(PART * (len(modules) - first) / processes))
            chunk = range(first, min(end, first + most))
            yield chunk
            first = chunk.stop


class Queue:
    """Chunks in a file in memory; processes that are forked share its position, so each chunk is taken once."""

    def __init__(self, rows: Iterator[range]) -> None:
        self._file = os.memfd_create("chunks")
        os.pwrite(self._file, b"".join(_CHUNK.pack(each.start, each.stop) for each in rows), 0)

    def take(self) -> range | None:
        """The next chunk, None at the end. Linux does not move the position of a file in memory atomically."""
        fcntl.lockf(self._file, fcntl.LOCK_EX)  # of this process; a killed one holds none
        try:
            row = os.read(self._file, _CHUNK.size)
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN)
        return range(*_CHUNK.unpack(row)) if row else None

    def stop(self) -> None:
        os.ftruncate(self._file, 0)

    def stopped(self) -> bool:
        return os.fstat(self._file).st_size == 0

    def close(self) -> None:
        os.close(self._file)
