"""One run of `ttcrawl cluster crawl` or `ttcrawl cluster resume`: the directory, the rings, and how it ended."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from ttcrawl.cluster.frames import secret_of
from ttcrawl.cluster.measured import measured
from ttcrawl.cluster.members import founding
from ttcrawl.cluster.plan import (
    CONFIG,
    SECRET,
    Plan,
    existing,
    fresh,
    must_be_without_cluster,
    read_plan,
    ring_directory,
    write_plan,
)
from ttcrawl.cluster.process import Process, Running
from ttcrawl.cluster.remote_rings import must_conduct
from ttcrawl.cluster.route import table
from ttcrawl.cluster.supervisor import Supervisor
from ttcrawl.config import Config, read
from ttcrawl.config.compiled import canon_of
from ttcrawl.engine.reporting.hooks import located
from ttcrawl.engine.run import directory as crawl_directory
from ttcrawl.engine.run.addresses import granted_by
from ttcrawl.engine.run.changes import Changes
from ttcrawl.engine.run.checks import checked, identity_hint, one_in_scope, scope_of, unchanged
from ttcrawl.engine.run.interrupts import Interrupts, StopNow
from ttcrawl.engine.run.job import Job, goal_of
from ttcrawl.engine.run.seeds import seed_urls
from ttcrawl.errors import DONE, STOPPED, CrawlFailedError, UsageError, plain, require
from ttcrawl.output.display import Form, Progress, remark, tell
from ttcrawl.output.number import counted
from ttcrawl.store.lock import crawled_by
from ttcrawl.store.regular import is_there
from ttcrawl.web.url import host

#: Seconds that rings of an earlier run may take to notice that their conductor has ended.
EARLIER = 30.0

#: Keys that several rings cannot obey yet: what they name belongs to one process.
UNFIT = ("postgresql.url", "hooks.zebra", "topic.target_recall")


def begin(job: Job, rings: int, ray: str = "") -> int:
    """Crawl with several rings into a new directory; return the exit status.

    `ray`: HOST:PORT of a Ray cluster, on whose machines the rings run; "": all run on this one.

    Raises UsageError before anything was written, CrawlFailedError if the crawl could not begin or continue.
    """
    numbers = tuple(range(1, rings + 1))
    must_be_without_cluster(job.directory, numbers)
    _must_fit(job.config)
    checked(job)
    allowed = tuple(sorted(granted_by(job.config, job.seeds)))
    plan = Plan(members=founding(table(numbers)), seeds=job.seeds, allowed=allowed, ray=ray)
    _join(ray)
    with Interrupts(tell) as interrupts, fresh(job.directory, plan, job.config):
        remark(f"crawling into {job.directory} with {counted(rings, 'ring')}{identity_hint(job.config.agent)}")
        return _run(job.directory, plan, job.config, job.progress, interrupts, new=True)


def resume(directory: Path, changes: Changes, progress: Form, ray: str = "") -> int:
    """Continue the crawl of a cluster, however it stopped; the changes hold from now on. Return the exit status.

    `ray`: another address of the Ray cluster; "": the same as before, if the rings are on its machines.

    Raises UsageError before anything was changed, CrawlFailedError if the crawl could not continue.
    """
    unchanged(changes.overrides)
    if name := next((name for name, *_ in changes.overrides if name.startswith("topic.")), ""):
        raise UsageError(f"{name} cannot change while several rings crawl: begin another crawl")
    _join(ray := ray or read_plan(directory).ray)
    with existing(directory) as plan, Interrupts(tell) as interrupts:
        plan = replace(plan, ray=ray)
        config = located(changes.applied(read(directory / CONFIG, changes.overrides)))
        _must_fit(config)
        added = seed_urls(changes.seeds, canon_of(config), tell) if changes.seeds else ()
        plan = replace(plan, seeds=tuple(dict.fromkeys((*plan.seeds, *added))), finished="")
        one_in_scope(scope_of(config, plan.seeds), added)
        allowed = {*plan.allowed, *(granted_by(config, added) if added else ())}
        plan = replace(plan, allowed=tuple(sorted(allowed)))
        _wait_for_earlier(directory, plan)
        try:
            crawl_directory.write_config(directory, config)
            for ring in plan.rings:
                if is_there((own := ring_directory(directory, ring)) / "crawl.db"):
                    crawl_directory.write_config(own, config)
            write_plan(directory, plan)
        except OSError as error:
            raise CrawlFailedError(f"cannot continue {directory}: {plain(error)}") from error
        return _run(directory, plan, config, progress, interrupts)


def stop(directory: Path) -> bool:
    """Stop the crawl of a cluster, and wait until it has ended; return whether it was running.

    Raises UsageError if the directory has no cluster, or its conductor runs on another machine.
    """
    plan, process = read_plan(directory), crawled_by(directory)
    if not process:
        must_conduct(directory, plan)
        return False
    try:
        os.kill(int(process), signal.SIGTERM)
    except (ProcessLookupError, ValueError):
        if crawled_by(directory):
            raise UsageError(f"{directory} is locked by a process that is not on this machine: stop it there") from None
    while crawled_by(directory) == process:
        time.sleep(0.1)
    return True


def _join(ray: str) -> None:
    """Join the Ray cluster at an address, if there is one. Raises UsageError."""
    if ray:
        require("ray")
        from ttcrawl.cluster.on_ray import connect

        connect(ray)


def _launcher(directory: Path, plan: Plan) -> Callable[[int], Running]:
    """Return what starts the process of a ring."""
    secret = secret_of(directory / SECRET)
    if not plan.ray:
        return lambda ring: Process(directory, ring, secret)
    from ttcrawl.cluster.on_ray import launcher

    return launcher(directory, secret, plan.ray)


def _must_fit(config: Config) -> None:
    for name in UNFIT:
        section, key = name.split(".")
        if getattr(getattr(config, section), key):
            raise UsageError(f"{name} does not work with several rings: leave it empty, or crawl with ttcrawl crawl")
    if config.browser.on:
        raise UsageError("browser.use does not work with several rings: leave it at no, or crawl with ttcrawl crawl")
    if config.record.reading == "later":
        raise UsageError("record.reading does not work with several rings: read pages now, or crawl with ttcrawl crawl")


def _wait_for_earlier(directory: Path, plan: Plan) -> None:
    """Wait for the rings of a conductor that was killed: they end by themselves."""
    end = time.monotonic() + EARLIER
    for ring in plan.rings:
        while (process := crawled_by(ring_directory(directory, ring))) and time.monotonic() < end:
            time.sleep(0.1)
        if process:
            raise UsageError(f"ring {ring} is still being crawled by process {process}; wait for it, or stop it")


def _run(directory: Path, plan: Plan, config: Config, form: Form, interrupts: Interrupts, *, new: bool = False) -> int:
    with contextlib.closing(Progress(form, goal=goal_of(config), directory=directory)) as progress:
        interrupts.say = tell
        place = directory.absolute()
        supervisor = Supervisor(place, plan, _launcher(place, plan), config, progress.show, tell, fresh=new)
        with contextlib.closing(supervisor), measured(supervisor, directory, config.crawl.metrics):
            interrupts.lead_to(supervisor.stop)
            try:
                with interrupts.interruptible():
                    finished = supervisor.run()
            except StopNow:
                finished = "interrupted"
    plan = supervisor.plan
    if finished == "done" and (nothing := _why_nothing(plan, supervisor.nothing)):
        finished = f"failed: {nothing}"
    try:
        write_plan(directory, replace(plan, finished=finished))
    except OSError as error:
        raise CrawlFailedError(f"cannot write {directory}: {plain(error)}") from error
    if finished.startswith("failed: "):
        hint = f"; committed data is kept: continue with ttcrawl cluster resume {directory}"
        raise CrawlFailedError(finished.removeprefix("failed: ") + (hint if supervisor.pages else ""))
    return DONE if finished == "done" else STOPPED


def _why_nothing(plan: Plan, nothing: Mapping[int, str]) -> str:
    """Return why no ring has fetched a page, "" if one has: the reason of the ring of the first seed."""
    if not nothing or not all(nothing.values()):
        return ""
    return nothing.get(plan.table().ring_of(host(plan.seeds[0])), next(iter(nothing.values())))
