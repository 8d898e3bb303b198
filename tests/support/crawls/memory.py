"""How much memory something has in the end."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable


def kept(work: Callable[[], object]) -> int:
    """Bytes that Python's objects take after `work`, more than before."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
