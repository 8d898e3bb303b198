"""Imports of the fork server, made once for all its processes. Only the fork server imports these modules: it has read
this one before the others."""

import atexit
import contextlib
import gc
import os
import sys
from collections.abc import Iterable
from importlib import import_module

from ttcrawl.ring.modules import OURS, SAFE_PATH
from ttcrawl.ring.process import name_process

name_process("ttcrawl-server")  # one that was forked from a command would be called as the command is

# the crawl process sees the end of the fork server, and starts another one or reports why it cannot
sys.excepthook = lambda *error: None

# programs that its processes start find their modules as they would without us
if os.environ.get(SAFE_PATH) == OURS:
    del os.environ[SAFE_PATH]

# numpy's library of linear algebra, which is not used here, would start a thread for each processor
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# it has nothing to leave in order, and Python would take 0.05 s to clear away its modules
atexit.register(os._exit, 0)


def load(names: Iterable[str]) -> None:
    """Import modules; who needs one that cannot be imported gets the same error, and can report it."""
    gc.disable()  # garbage does not exist yet
    for name in names:
        with contextlib.suppress(Exception):  # such as too little memory
            import_module(name)
    gc.freeze()  # what all processes share stays shared
    gc.enable()
