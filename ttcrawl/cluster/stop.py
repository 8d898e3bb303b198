"""`ttcrawl cluster stop` for rings that are all on this machine."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from ttcrawl.cluster.plan import read_plan
from ttcrawl.errors import UsageError
from ttcrawl.store.lock import crawled_by


def stop(directory: Path) -> bool:
    """Stop the crawl of a cluster, and wait until it has ended; return whether it was running.

    Raises UsageError if the directory has no cluster, or its conductor runs on another machine.
    """
    read_plan(directory)
    if not (process := crawled_by(directory)):
        return False
    try:
        os.kill(int(process), signal.SIGTERM)
    except (ProcessLookupError, ValueError):
        if crawled_by(directory):
            raise UsageError(f"{directory} is locked by a process that is not on this machine: stop it there") from None
    except PermissionError:
        raise UsageError(f"{directory} is crawled by process {process} of another user: stop it as that user") from None
    while crawled_by(directory) == process:
        time.sleep(0.1)
    return True
