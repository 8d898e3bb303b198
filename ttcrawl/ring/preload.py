"""What the fork server imports, once for all processes that it starts. Nothing but the fork server imports this."""

import contextlib
import os
import sys
from importlib import import_module

from ttcrawl.ring.pool import ROLES

# It has nobody to tell of its end: the crawl process sees it, and starts another one or says why there is none.
sys.excepthook = lambda *error: None

# numpy comes with a library of linear algebra, which nobody here uses and which starts a thread for each processor.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

for module in ROLES.values():
    with contextlib.suppress(Exception):  # too little memory: each process meets it too, and can say so
        import_module(module)
