"""The standard output of processes that print no results."""

from __future__ import annotations

import contextlib
import os


def leave_stdout() -> None:
    """Let all output of this process and its children go to stderr, because stdout belongs to the command: hooks and
    libraries print."""
    with contextlib.suppress(OSError):  # there is no stderr
        os.dup2(2, 1)
