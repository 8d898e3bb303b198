"""A cluster that no process is crawling, and the one way to change its rings.

A change is made in one ring after the other. If it is interrupted, the same command does the rest: what a ring has got
already changes nothing there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ttcrawl.cluster.plan import Plan, existing, read_plan, ring_directory, write_plan
from ttcrawl.cluster.route import Table
from ttcrawl.errors import CrawlFailedError, UsageError, plain
from ttcrawl.output.shell import command_line
from ttcrawl.snapshot.named_url import complete
from ttcrawl.store.lock import crawled_by
from ttcrawl.store.mailbox import has_work
from ttcrawl.store.regular import is_there


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppedRings:
    """`table`: who owns a host. `paths`: ring -> its crawl directory, of the rings that have begun."""

    table: Table
    paths: Mapping[int, Path]


@contextlib.contextmanager
def stopped_rings(directory: Path) -> Iterator[StoppedRings]:
    """Keep other processes from a cluster that is not running, and note afterwards whether it has work left.

    Raises UsageError if there is none, it is running, hosts are on their way, or a ring is on another machine.
    """
    with existing(directory) as plan:
        resume = command_line("cluster", "resume", directory)
        if not plan.settled:
            raise UsageError(f"hosts of {directory} are on their way to other rings: {resume} completes that first")
        paths = ring_paths(directory, plan)
        for ring, path in paths.items():
            if process := crawled_by(path):
                raise UsageError(f"ring {ring} is still being crawled by process {process}; wait for it, or stop it")
        yield StoppedRings(table=plan.table(), paths=paths)
        if plan.finished == "done" and any(map(has_work, paths.values())):
            try:
                write_plan(directory, replace(plan, finished="interrupted"))
            except OSError as error:
                raise CrawlFailedError(f"cannot write {directory}: {plain(error)}") from error


def ring_paths(directory: Path, plan: Plan | None = None) -> dict[int, Path]:
    """Return ring -> its crawl directory, of the rings that have begun. Raises UsageError if one is not here."""
    plan = plan or read_plan(directory)
    paths = {ring: ring_directory(directory, ring) for ring in plan.rings}
    here = {ring: path for ring, path in paths.items() if is_there(path / "crawl.db")}
    if plan.ray and (away := paths.keys() - here.keys()):
        raise UsageError(
            f"{paths[min(away)]} is on another machine: mount it here, or copy the directories of all rings here"
        )
    return here


def complete_in_rings(directory: Path, texts: Sequence[str]) -> list[str]:
    """Return URLs as they are written, and those without a scheme completed by the first ring that knows them.

    Raises UsageError for one that no ring knows.
    """
    paths = list(ring_paths(directory).values())
    return [_completed(paths, text) for text in texts]


def _completed(paths: Sequence[Path], text: str) -> str:
    for path in paths:
        try:
            return complete(path, [text])[0]
        except UsageError:
            if path == paths[-1]:
                raise
    return text
