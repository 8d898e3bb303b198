"""The metrics of all rings in one file, written by their conductor."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from ttcrawl.cluster.supervisor import Supervisor
from ttcrawl.engine.reporting.metrics import Metrics, totals_at
from ttcrawl.output.counters import Snapshot
from ttcrawl.output.display import tell


@contextlib.contextmanager
def measured(supervisor: Supervisor, directory: Path, path: str) -> Iterator[None]:
    """Write the metrics of all rings into one file, if [crawl] metrics names one."""
    if not path:
        yield
        return
    metrics = Metrics(Path(path), directory, tell)

    def note(ring: int, now: Snapshot) -> None:
        metrics.begin(totals_at(now), ring)
        metrics.show(now, ring)

    supervisor.look_at_ring = note
    with contextlib.closing(metrics):
        yield
