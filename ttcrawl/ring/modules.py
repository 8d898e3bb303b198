"""Where processes of Python that we start find their modules: where this one does.

Python also looks into the working directory, and first, for a process that is started with -c or -m. A crawl may run in
a directory with files from anywhere: one with the name `random.py` would be executed.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

#: To be followed by `-m` and a module, with `environment()`.
PYTHON = (sys.executable, "-P")

#: The variable with the effect of -P, and a value by which a process knows that we have set it.
SAFE_PATH, OURS = "PYTHONSAFEPATH", "ttcrawl"


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


@contextlib.contextmanager
def safe_path() -> Iterator[None]:
    """For processes of multiprocessing, whose command nobody can change."""
    if SAFE_PATH in os.environ:
        yield
        return
    os.environ[SAFE_PATH] = OURS
    try:
        yield
    finally:
        del os.environ[SAFE_PATH]
