"""The name of a worker process, as ps and top show it."""

from __future__ import annotations

import ctypes
import sys

PR_SET_NAME = 15  # linux/prctl.h


def name_process(name: str) -> None:
    """Give the calling process this name, of 15 bytes at most; on systems other than Linux it keeps its own."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode(), 0, 0, 0)
