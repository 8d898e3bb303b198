"""Imports of the fork server, made once for all its processes. Only the fork server imports this module."""

import contextlib
import os
import sys
from importlib import import_module

from ttcrawl.ring.pool import ROLES

# the crawl process sees the end of the fork server, and starts another one or reports why it cannot
sys.excepthook = lambda *error: None

# numpy's library of linear algebra, which is not used here, would start a thread for each processor
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

for module in ROLES.values():
    with contextlib.suppress(Exception):  # too little memory: each process gets the same error, and can report it
        import_module(module)
