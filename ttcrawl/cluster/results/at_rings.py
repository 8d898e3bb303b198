"""A function runs where the directory of each ring is, and its answers come back as bytes.

On this machine each ring has a process of its own, as many at a time as there are processors. On the machines of a Ray
cluster, Ray calls the function where the disk of the ring is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

from ttcrawl.cluster.plan import Plan, ring_directory
from ttcrawl.errors import UsageError, require
from ttcrawl.output.shell import command_line
from ttcrawl.store.regular import is_there

#: A function of a module: (directory of a ring, argument) -> answer.
Work: TypeAlias = Callable[[Path, bytes], bytes]


def at_rings(
    directory: Path, plan: Plan, work: Work, argument: bytes, done: Callable[[int], None] = lambda count: None
) -> dict[int, bytes]:
    """Return the answer of each ring. `done` is called with the number of rings that have answered.

    Raises what the function raises, and UsageError if the directory of a ring is out of reach.
    """
    answers = dict[int, bytes]()
    for ring, answer in _at_machines(directory.absolute(), plan, work, argument):
        answers[ring] = answer
        done(len(answers))
    return answers


def at_ring(directory: Path, plan: Plan, ring: int, work: Work, argument: bytes) -> bytes:
    """Return the answer of one ring, which is asked in this process if it is on this machine. Raises as `at_rings`."""
    own = ring_directory(directory.absolute(), ring)
    if not plan.ray or is_there(own / "crawl.db"):
        return work(own, argument)
    require("ray")
    from ttcrawl.cluster.on_ray import called

    return dict(called(plan.ray, {ring: own}, work, argument))[ring]


def are_elsewhere(directory: Path, plan: Plan) -> bool:
    """Whether rings are on machines of a Ray cluster, and not all of them on this one."""
    return bool(plan.ray) and not all(is_there(ring_directory(directory, ring) / "crawl.db") for ring in plan.rings)


def _at_machines(directory: Path, plan: Plan, work: Work, argument: bytes) -> Iterator[tuple[int, bytes]]:
    if are_elsewhere(directory, plan):
        require("ray")
        from ttcrawl.cluster.on_ray import called

        own = {ring: ring_directory(directory, ring) for ring in plan.rings}
        yield from called(plan.ray, own, work, argument)
        return
    rings = directories_of_rings(directory, plan)
    workers = min(len(rings), len(os.sched_getaffinity(0)))
    # not forked: this process may have threads of libraries
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        answering = {ring: pool.submit(work, own, argument) for ring, own in rings.items()}
        yield from ((ring, answer.result()) for ring, answer in answering.items())


def directories_of_rings(directory: Path, plan: Plan) -> dict[int, Path]:
    """Return the directory of each ring of this machine. Raises UsageError if one has no crawl."""
    rings = {ring: ring_directory(directory, ring) for ring in plan.rings}
    for ring, own in rings.items():
        if not is_there(own / "crawl.db"):
            resume, status = (command_line("cluster", each, directory) for each in ("resume", "status"))
            remedy = f"{resume} begins it, {status} shows all rings"
            raise UsageError(f"ring {ring} of {directory} has not begun: {remedy}")
    return rings
