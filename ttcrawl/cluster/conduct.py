"""A crawl of several rings from the begin of its supervisor to its end: in the command, or in an actor."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ttcrawl.cluster.plan import Plan, read_plan, write_plan
from ttcrawl.cluster.supervisor import Supervisor
from ttcrawl.engine.loop import VISITED
from ttcrawl.engine.reporting.metrics import Metrics, totals_at
from ttcrawl.engine.run.interrupts import StopNow
from ttcrawl.errors import DONE, STOPPED, CrawlFailedError, plain
from ttcrawl.output.counters import Snapshot
from ttcrawl.output.display import tell
from ttcrawl.output.shell import command_line
from ttcrawl.web.url import host


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a crawl has ended: `finished` as in `Plan`."""

    finished: str
    pages: int  # of all rings

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to do."""
        return self.finished in ("done", VISITED)


def conduct(
    directory: Path,
    supervisor: Supervisor,
    metrics: str,
    interruptible: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext,
) -> Outcome:
    """Crawl to the end, and write it into the plan. StopNow in `interruptible` ends all rings at once."""
    with contextlib.closing(supervisor), _measured(supervisor, directory, metrics):
        try:
            with interruptible():
                finished = supervisor.run()
        except StopNow:
            finished = "interrupted"
    plan = supervisor.plan
    if finished == "done" and plan.revisits is not None and supervisor.queued:
        finished = VISITED
    if finished == "done" and (nothing := _why_nothing(plan, supervisor.nothing)):
        finished = f"failed: {nothing}"
    try:
        write_plan(directory, replace(plan, finished=finished))
    except OSError as error:
        finished = f"failed: cannot write {directory}: {plain(error)}"
    return Outcome(finished=finished, pages=supervisor.pages)


@contextlib.contextmanager
def _measured(supervisor: Supervisor, directory: Path, path: str) -> Iterator[None]:
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


def _why_nothing(plan: Plan, nothing: Mapping[int, str]) -> str:
    """Return why no ring has fetched a page, "" if one has: the reason of the ring of the first seed."""
    if not nothing or not all(nothing.values()):
        return ""
    return nothing.get(plan.table().ring_of(host(plan.seeds[0])), next(iter(nothing.values())))


def status_of(directory: Path, outcome: Outcome) -> int:
    """Return the exit status. Raises CrawlFailedError if the crawl has failed."""
    finished = outcome.finished
    if finished.startswith("failed: "):
        command = "resume" if read_plan(directory).revisits is None else "recrawl"
        hint = f"; committed data is kept: continue with {command_line('cluster', command, directory)}"
        raise CrawlFailedError(finished.removeprefix("failed: ") + (hint if outcome.pages else ""))
    return DONE if outcome.is_complete else STOPPED
