"""When hosts may be requested, for fetch processes whose pages request something from several hosts.

The crawl process owns the clocks of the hosts whose URLs it hands out; it does not know which hosts the scripts of a
page will request. So fetch processes with browsers agree among themselves: a thread takes a host, makes its requests,
and gives it back with the moment of the next request. The table is in shared memory beside the slots, or in a file
that the rings of a cluster on one machine share, with a lock of the system for each access; a process that dies frees
what it has taken.
"""

from __future__ import annotations

import fcntl
import os
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import xxhash

#: An entry: the hash of the host (0: none), when it is free, seconds since the epoch, and the process that has it.
ENTRY = struct.Struct("=QdQ")

#: Entries, and how many are searched for a host. Without room among these it waits until one of them is free.
ENTRIES, SEARCHED = 8192, 64
SIZE = ENTRIES * ENTRY.size

#: Seconds until a host that another one has is looked at again.
AGAIN = 0.02


class HostClocks:
    """For all threads of a process. `memory` has SIZE bytes, zeros at first; `file`: to be locked.

    `ahead`: seconds by which the clock of this crawl is ahead of one that all users of the table have in common.
    """

    def __init__(self, memory: memoryview, file: int, ahead: float = 0.0) -> None:
        self._memory, self._file = memory, file
        self._ahead = ahead
        self._lock = threading.Lock()

    def take(self, host: str, now: float, delay: float) -> float:
        """Take a host: return `now`, or the moment at which to try again. `delay`: after a process that died."""
        moment = self._take(host, now - self._ahead, delay)
        return now if moment is None else moment + self._ahead

    def _take(self, host: str, now: float, delay: float) -> float | None:
        key = xxhash.xxh3_64_intdigest(host.encode()) or 1
        with self._locked():
            offset = self._offset(key, now)
            if offset is None:
                return now + AGAIN
            occupant, free_at, holder = ENTRY.unpack_from(self._memory, offset)
            if occupant == key and holder:
                if _alive(holder):
                    return now + AGAIN
                free_at = now + delay
                ENTRY.pack_into(self._memory, offset, key, free_at, 0)
            if occupant == key and free_at > now:
                return float(free_at)
            ENTRY.pack_into(self._memory, offset, key, 0.0, os.getpid())
            return None

    def give(self, host: str, free_at: float) -> None:
        """Give back a host that was taken."""
        key = xxhash.xxh3_64_intdigest(host.encode()) or 1
        with self._locked():
            for offset in _offsets(key):
                if ENTRY.unpack_from(self._memory, offset)[0] == key:
                    ENTRY.pack_into(self._memory, offset, key, free_at - self._ahead, 0)
                    return

    def _offset(self, key: int, now: float) -> int | None:
        """Return the offset of the entry of a host, or of one that it may have; None: there is none."""
        room = None
        for offset in _offsets(key):
            occupant, free_at, holder = ENTRY.unpack_from(self._memory, offset)
            if occupant == key:
                return offset
            if room is None and not holder and free_at <= now:
                room = offset
            if not occupant:
                break
        return room

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with self._lock:
            fcntl.lockf(self._file, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.lockf(self._file, fcntl.LOCK_UN)


def _offsets(key: int) -> Iterator[int]:
    return ((key + step) % ENTRIES * ENTRY.size for step in range(SEARCHED))


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
