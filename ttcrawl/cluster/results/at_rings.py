"""A function runs where the directory of each ring is, and its answers come back as bytes.

Each ring has a process of its own, as many at a time as there are processors.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

from ttcrawl.cluster.plan import Plan, ring_directory
from ttcrawl.errors import UsageError
from ttcrawl.store.regular import is_there

#: A function of a module: (directory of a ring, argument) -> answer.
Work: TypeAlias = Callable[[Path, bytes], bytes]


def at_rings(
    directory: Path, plan: Plan, work: Work, argument: bytes, done: Callable[[int], None] = lambda count: None
) -> dict[int, bytes]:
    """Return the answer of each ring. `done` is called with the number of rings that have answered.

    Raises what the function raises, and UsageError if a ring is not on this machine.
    """
    place = directory.absolute()
    rings = plan.rings
    if away := [ring for ring in rings if not is_there(ring_directory(place, ring) / "crawl.db")]:
        why = "is on another machine, or has not begun" if plan.ray else "has not begun"
        raise UsageError(f"ring {away[0]} of {directory} {why}: ttcrawl status {directory} shows all rings")
    answers = dict[int, bytes]()
    workers = min(len(rings), len(os.sched_getaffinity(0)))
    # not forked: this process may have threads of libraries
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        answering = {ring: pool.submit(work, ring_directory(place, ring), argument) for ring in rings}
        for ring, answer in answering.items():
            answers[ring] = answer.result()
            done(len(answers))
    return answers
