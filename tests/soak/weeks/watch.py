"""What an operator reads while a crawl runs: status, metrics, and the memory of its processes."""

from __future__ import annotations

import json
import re
import subprocess
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.soak.watch import proportional
from tests.support.crawls.crawling import command
from tests.support.faults.killing import processes

#: A line of Prometheus' text format: name, labels, value.
METRIC = re.compile(r"^(\w+)\{directory=\"[^\"]*\"\} (\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    at: float  # seconds since the epoch
    begun: float  # when this run began, seconds since the epoch
    run: int  # how often the crawl was begun or resumed
    answered_in: float  # seconds that `ttcrawl status` took
    pages: int
    queued: int
    requests_per_second: float
    seconds_left: float | None  # by status
    bound: str
    memory: int  # PSS of all processes, bytes
    of_crawl: int  # PSS of the crawl process, bytes
    metrics: dict[str, float]


def sample(directory: Path, metrics: Path, leader: int, run: int, begun: float) -> Sample:
    """Raises AssertionError if status does not answer."""
    begun = time.monotonic()
    done = subprocess.run(command("status", directory, "--format", "json"), capture_output=True, text=True, timeout=60)
    took = time.monotonic() - begun
    assert done.returncode == 0, done.stderr
    status = json.loads(done.stdout)
    assert status["state"] == "running", status
    roles = processes(leader)
    return Sample(
        at=time.time(),
        begun=begun,
        run=run,
        answered_in=took,
        pages=status["pages"],
        queued=status["queued"],
        requests_per_second=status["pace"]["requests_per_second"] or 0.0,
        seconds_left=status["pace"]["seconds_left"],
        bound=status["pace"]["bound"],
        memory=sum(proportional(pid) for pids in roles.values() for pid in pids),
        of_crawl=proportional(leader),
        metrics={name: float(value) for name, value in METRIC.findall(metrics.read_text())} if metrics.exists() else {},
    )


def line(each: Sample) -> str:
    left = "unknown" if each.seconds_left is None else f"{each.seconds_left:,.0f} s"
    return (
        f"{time.strftime('%H:%M:%S', time.localtime(each.at))}  run {each.run}  {each.pages:,} pages,"
        f" {each.queued:,} queued, {each.requests_per_second:.1f} requests/s, left {left} ({each.bound});"
        f" status in {each.answered_in:.2f} s; {each.memory / 1e6:,.0f} MB, crawl process {each.of_crawl / 1e6:,.0f} MB"
    )


def stored(each: Sample) -> str:
    return json.dumps(asdict(each))
