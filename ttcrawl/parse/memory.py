"""The memory of a parse process."""

from __future__ import annotations

import ctypes
import gc

#: Bytes of a body behind which free memory is returned: some 15 MB of nodes.
LARGE = 512 << 10

_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc


def rarely_collect() -> None:
    """A page creates thousands of nodes and lists but hardly any cycles. With Python's default thresholds the garbage
    collector scans all of them, and all modules, several times per page."""
    gc.freeze()
    gc.set_threshold(50_000, 50, 1000)


def return_free() -> None:
    """Return free memory to the system (malloc_trim(3)); not only glibc's allocator can, but it alone has to be told.

    A page of 2 MB needs 40 MB, which the process would keep, and the next large page may go to another process.
    """
    if _trim is not None:
        _trim(0)
