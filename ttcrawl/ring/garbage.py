"""Rare garbage collection while a crawl runs.

A page creates thousands of nodes and lists, hundreds of them in the crawl process, and hardly any cycles. With Python's
thresholds the collector scans all modules, hosts and queued URLs again and again: 7 % of the time of the crawl process,
and several times per page in a parse process.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

#: Thresholds of the three generations, in place of Python's 700, 10 and 10.
RARE = (50_000, 50, 1000)


def rarely_collect() -> None:
    """Collect garbage rarely from now on, and never look at what exists already."""
    gc.freeze()
    gc.set_threshold(*RARE)


@contextlib.contextmanager
def rarely_collected() -> Iterator[None]:
    """The same for the time of a crawl, in a process that goes on after it."""
    before = gc.get_threshold()
    rarely_collect()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
