"""What `ttcrawl cluster` does with its options. Each function imports the heavy libraries that it needs."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ttcrawl.cli.commands.crawl_commands import GO_ON, changes_of, of_requests, seeds_of
from ttcrawl.cli.configuration import configuration
from ttcrawl.errors import DONE
from ttcrawl.output.display import ReadProgress, tell
from ttcrawl.output.number import counted


def crawl(options: argparse.Namespace) -> int:
    """Returns the exit status. Raises UsageError and CrawlFailedError."""
    from ttcrawl.cluster.crawl import begin
    from ttcrawl.engine.run.session import job_of

    config = configuration(options, of_requests(options))
    job = job_of(seeds_of(options), options.directory, config, options.progress)
    status = begin(job, options.rings, options.ray)
    _print_outcome(job.directory, options.progress)
    return status


def resume(options: argparse.Namespace) -> int:
    """Returns the exit status. Raises UsageError and CrawlFailedError."""
    from ttcrawl.cluster.crawl import resume

    status = resume(options.directory, changes_of(options), options.progress, options.ray)
    _print_outcome(options.directory, options.progress)
    return status


def status(options: argparse.Namespace) -> int:
    """Returns the exit status. Raises UsageError."""
    from ttcrawl.report.rings import render, rings_status

    print(render(rings_status(*_rings(options.directory), _remote_rings(options.directory)), options.format))
    return DONE


def stop(options: argparse.Namespace) -> int:
    """Returns the exit status. Raises UsageError."""
    from ttcrawl.cluster.crawl import stop

    if not stop(options.directory):
        tell(f"{options.directory} is not being crawled")
    return DONE


def join(options: argparse.Namespace) -> int:
    """Returns the exit status. Raises UsageError and CrawlFailedError."""
    from ttcrawl.cluster.change import change
    from ttcrawl.cluster.members import joined

    members, moved = change(options.directory, lambda before: joined(before, max(before.processes) + 1), tell)
    done = "has joined and owns its hosts" if moved else f"joins when {_resume(options.directory)} continues"
    print(f"ring {max(members.processes)} {done}")
    return DONE


def leave(options: argparse.Namespace) -> int:
    """Returns the exit status. Raises UsageError and CrawlFailedError."""
    from ttcrawl.cluster.change import change
    from ttcrawl.cluster.members import left

    _, moved = change(options.directory, lambda before: left(before, options.ring), tell)
    done = "has left: others own its hosts" if moved else f"leaves when {_resume(options.directory)} continues"
    print(f"ring {options.ring} {done}")
    return DONE


def gather(options: argparse.Namespace) -> int:
    """Returns the exit status. Raises UsageError and CrawlFailedError."""
    from ttcrawl.cluster.gather import gather

    with ReadProgress() as progress:
        rings = gather(options.directories, options.out, progress, tell)
    print(f"{options.out}: one crawl of {counted(rings, 'ring')}; ttcrawl report {options.out}")
    return DONE


def _rings(directory: Path) -> tuple[Path, str, dict[int, tuple[Path, str]], str]:
    """The directory of a cluster, how its crawl has ended, the directories of its rings with who joins or leaves, and
    the change that is requested."""
    from ttcrawl.cluster.change import request_of
    from ttcrawl.cluster.members import standing
    from ttcrawl.cluster.plan import read_plan, ring_directory

    plan = read_plan(directory)
    rings = {ring: (ring_directory(directory, ring), standing(plan.members, ring)) for ring in plan.rings}
    return directory, plan.finished, rings, request_of(directory, plan)


def _remote_rings(directory: Path) -> dict[int, dict[str, Any]]:
    """What is known of rings whose directories are on other machines."""
    from ttcrawl.cluster.remote_rings import read_remote_rings

    return {ring: asdict(each) for ring, each in read_remote_rings(directory).items()}


def _resume(directory: Path) -> str:
    return f"ttcrawl cluster resume {shlex.quote(str(directory))}"


def _print_outcome(directory: Path, progress: str) -> None:
    from ttcrawl.report.rings import render, rings_status

    summary = rings_status(*_rings(directory), _remote_rings(directory))
    if progress != "json":
        print(render(summary, "text"), flush=True)
    if summary.state != "done":
        option, more = GO_ON.get(summary.state, ("", ""))
        command = f"{_resume(directory)}{option}"
        tell(f"stopped ({summary.state}) with {summary.queued:,} queued; {command} continues{more}")
