"""Waiting for messages until a moment with microsecond precision, for any number of open files.

`select` does not accept descriptors above 1,023, and the timeouts of Python's `poll` and `epoll` are whole
milliseconds, which at a delay of 50 ms is 1 % too late. `ppoll` of the C library (POSIX.1-2024) has neither limit.
"""

from __future__ import annotations

import ctypes
import errno
import os
import select
from collections.abc import Sequence
from typing import Any

#: Highest descriptor that `select` takes.
LIMIT = 1023


class _PollFd(ctypes.Structure):
    """struct pollfd"""

    _fields_ = (("fd", ctypes.c_int), ("events", ctypes.c_short), ("revents", ctypes.c_short))


class _TimeSpec(ctypes.Structure):
    """struct timespec, on systems with 64-bit time_t and long"""

    _fields_ = (("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long))


_library = ctypes.CDLL(None, use_errno=True)
#: The function of the C library; None: this system has none, or other structures.
PPOLL: Any = getattr(_library, "ppoll", None) if ctypes.sizeof(ctypes.c_long) == 8 else None


def readable(files: Sequence[int], seconds: float, *, limit: int = LIMIT, ppoll: Any = PPOLL) -> list[int]:
    """Return the files that can be read or whose other side is closed, as soon as there is one.

    Return [] when the time is up or a signal arrives. Above `limit` `select` is not used, but `ppoll` if there is one.
    """
    seconds = max(0.0, seconds)
    if max(files, default=0) <= limit:
        return select.select(files, [], [], seconds)[0]  # takes 1 µs; through ctypes it is 5 µs
    return _by_poll(files, seconds) if ppoll is None else _by_ppoll(files, seconds, ppoll)


def _by_ppoll(files: Sequence[int], seconds: float, ppoll: Any) -> list[int]:
    polled = (_PollFd * len(files))(*(_PollFd(file, select.POLLIN, 0) for file in files))
    integral = int(seconds)
    limit = _TimeSpec(integral, int((seconds - integral) * 1e9))
    if ppoll(polled, ctypes.c_ulong(len(files)), ctypes.byref(limit), None) < 0:
        number = ctypes.get_errno()
        if number == errno.EINTR:
            return []
        raise OSError(number, os.strerror(number))
    return [each.fd for each in polled if each.revents]


def _by_poll(files: Sequence[int], seconds: float) -> list[int]:
    """The same, with millisecond precision."""
    polled = select.poll()
    for file in files:
        polled.register(file, select.POLLIN)
    return [file for file, _ in polled.poll(seconds * 1000)]
