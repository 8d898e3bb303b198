"""Imports of the fork server, made once for all its processes. Only the fork server imports this module."""

import atexit
import contextlib
import gc
import os
import sys
from importlib import import_module

from ttcrawl.ring.modules import OURS, SAFE_PATH
from ttcrawl.ring.pool import ROLES

# the crawl process sees the end of the fork server, and starts another one or reports why it cannot
sys.excepthook = lambda *error: None

# programs that its processes start find their modules as they would without us
if os.environ.get(SAFE_PATH) == OURS:
    del os.environ[SAFE_PATH]

# numpy's library of linear algebra, which is not used here, would start a thread for each processor
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

#: What most of its processes would load one by one when they begin.
USUAL = ("ttcrawl.fetch.curl.worker", "ttcrawl.parse.preload")

gc.disable()  # garbage does not exist yet
for module in (*ROLES.values(), *USUAL):
    with contextlib.suppress(Exception):  # too little memory: each process gets the same error, and can report it
        import_module(module)
gc.freeze()  # what all processes share stays shared
gc.enable()

# it has nothing to leave in order, and Python would take 0.05 s to clear away its modules
atexit.register(os._exit, 0)
