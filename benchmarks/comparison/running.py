"""One run of a crawler, bounded in time; and several at once, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from benchmarks.comparison.peers import PEERS, Order, Peer
from benchmarks.measure import run

T = TypeVar("T")

#: Runs at once where they are not timed: two cores have room for four that mostly wait.
AT_ONCE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    ended: bool  # by itself, before the time was up
    wall: float  # seconds
    cpu: float  # seconds of all its processes
    memory: int  # most bytes of all its processes, as seen twice a second
    output: str  # the end of what it printed


def crawl(peer: Peer, order: Order, limit: float) -> Run:
    """One run, killed after `limit` seconds."""
    measured = run(peer.command(order), order.folder / "output", limit, peer.environment(order))
    return Run(
        ended=measured.returncode != -signal.SIGKILL,
        wall=measured.wall,
        cpu=measured.cpu,
        memory=max((size for _, size in measured.memory), default=0),
        output=measured.output,
    )


@contextmanager
def scratch() -> Iterator[str]:
    """A folder for one run; what a crawler that was killed still writes there is no error.

    Some crawlers write directories as deep as the paths of a hostile site, where `shutil.rmtree` recurses too deep.
    """
    folder = tempfile.mkdtemp(prefix="comparison-")
    try:
        yield folder
    finally:
        subprocess.run(["rm", "-rf", folder], stderr=subprocess.DEVNULL, check=False)


def installed(names: Iterable[str] = ()) -> list[Peer]:
    """Those of these names, or all, that are there."""
    wanted = set(names)
    peers = [peer for peer in PEERS if not wanted or peer.name in wanted]
    for peer in peers:
        if not peer.version():
            print(f"{peer.name} is not installed, and left out", file=sys.stderr)
    return [peer for peer in peers if peer.version()]


def by_name(name: str) -> Peer:
    return next(peer for peer in PEERS if peer.name == name)


def at_once(
    work: Callable[[str, str], T], pairs: Iterable[tuple[str, str]], most: int = AT_ONCE
) -> dict[tuple[str, str], T]:
    """What `work` returns for each pair of a case and the name of a crawler."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(most, mp_context=context) as pool:
        running = {pool.submit(work, case, name): (case, name) for case, name in pairs}
        results = {}
        try:
            for future in as_completed(running):
                results[running[future]] = future.result()
                print(f"  {', '.join(running[future])}", file=sys.stderr, flush=True)
        finally:
            pool.shutdown(cancel_futures=True)
    return results


def table(head: Iterable[str], rows: Iterable[Iterable[str]], numbers: int = 0) -> str:
    """In Markdown; the last `numbers` columns are aligned to the right."""
    names = list(head)
    left = len(names) - numbers
    lines = [names, ["---"] * left + ["--:"] * numbers, *map(list, rows)]
    return "\n".join(f"| {' | '.join(cells)} |" if cells[0] != "---" else f"|{'|'.join(cells)}|" for cells in lines)
