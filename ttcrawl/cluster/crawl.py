"""One run of `ttcrawl cluster crawl` or `ttcrawl cluster resume`: the directory, the rings, and how it ended."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ttcrawl.cluster.checks import check_continued, check_new
from ttcrawl.cluster.configuration import give, must_be_here, wait_for_earlier
from ttcrawl.cluster.frames import secret_of
from ttcrawl.cluster.measured import measured
from ttcrawl.cluster.members import founding
from ttcrawl.cluster.plan import (
    CONFIG,
    HOST_CLOCKS,
    SECRET,
    Plan,
    existing,
    fresh,
    must_be_without_cluster,
    read_plan,
    write_plan,
)
from ttcrawl.cluster.process import Process, Running
from ttcrawl.cluster.recrawl import VISITED, limited, revisits_of
from ttcrawl.cluster.route import table
from ttcrawl.cluster.supervisor import Supervisor
from ttcrawl.config import Config, read
from ttcrawl.config.compiled import canon_of
from ttcrawl.engine.reporting.hooks import located
from ttcrawl.engine.run import directory as crawl_directory
from ttcrawl.engine.run.addresses import granted_by
from ttcrawl.engine.run.changes import Changes
from ttcrawl.engine.run.checks import identity_hint, one_in_scope, scope_of, unchanged
from ttcrawl.engine.run.interrupts import Interrupts, StopNow
from ttcrawl.engine.run.job import Job, goal_of
from ttcrawl.engine.run.seeds import seed_urls
from ttcrawl.errors import DONE, STOPPED, CrawlFailedError, plain, require
from ttcrawl.output.display import Form, Progress, remark, tell
from ttcrawl.output.number import counted
from ttcrawl.web.url import host


def begin(job: Job, rings: int, ray: str = "") -> int:
    """Crawl with several rings into a new directory; return the exit status.

    `ray`: HOST:PORT of a Ray cluster, on whose machines the rings run; "": all run on this one.

    Raises UsageError before anything was written, CrawlFailedError if the crawl could not begin or continue.
    """
    numbers = tuple(range(1, rings + 1))
    must_be_without_cluster(job.directory, numbers)
    check_new(job, ray)
    allowed = tuple(sorted(granted_by(job.config, job.seeds)))
    plan = Plan(members=founding(table(numbers)), seeds=job.seeds, allowed=allowed, ray=ray)
    _join(ray)
    with Interrupts(tell) as interrupts, fresh(job.directory, plan, job.config):
        remark(f"crawling into {job.directory} with {counted(rings, 'ring')}{identity_hint(job.config.agent)}")
        return _run(job.directory, plan, job.config, job.progress, interrupts, new=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visits:
    """URLs are visited again; `once`, `known`: as for ttcrawl.engine.recrawl.recrawls."""

    once: bool
    known: bool


def resume(directory: Path, changes: Changes, progress: Form, ray: str = "", visits: Visits | None = None) -> int:
    """Continue the crawl of a cluster, however it stopped; the changes hold from now on. Return the exit status.

    `ray`: another address of the Ray cluster; "": the same as before, if the rings are on its machines. `visits`: URLs
    are visited again.

    Raises UsageError before anything was changed, CrawlFailedError if the crawl could not continue.
    """
    unchanged(changes.overrides)
    _join(ray := ray or read_plan(directory).ray)
    with existing(directory) as plan, Interrupts(tell) as interrupts:
        plan = replace(plan, ray=ray)
        config = located(changes.applied(read(directory / CONFIG, changes.overrides)))
        check_continued(config, ray, visits=visits is not None)
        topic_keys = [name for name, *_ in changes.overrides if name.startswith("topic.")]
        must_be_here(directory, plan, topic_keys)
        added = seed_urls(changes.seeds, canon_of(config), tell) if changes.seeds else ()
        plan = replace(plan, seeds=tuple(dict.fromkeys((*plan.seeds, *added))), finished="")
        one_in_scope(scope_of(config, plan.seeds), added)
        allowed = {*plan.allowed, *(granted_by(config, added) if added else ())}
        plan = replace(plan, allowed=tuple(sorted(allowed)))
        wait_for_earlier(directory, plan)
        revisits = (
            None if visits is None else revisits_of(directory, plan, config, once=visits.once, known=visits.known)
        )
        plan = replace(plan, revisits=revisits)
        try:
            give(directory, plan, config, topic_keys)
            crawl_directory.write_config(directory, config)
            write_plan(directory, plan)
        except OSError as error:
            raise CrawlFailedError(f"cannot continue {directory}: {plain(error)}") from error
        return _run(directory, plan, config, progress, interrupts)


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


def _run(directory: Path, plan: Plan, config: Config, form: Form, interrupts: Interrupts, *, new: bool = False) -> int:
    with contextlib.closing(Progress(form, goal=goal_of(config), directory=directory)) as progress:
        interrupts.say = tell
        place, limits = directory.absolute(), config if plan.revisits is None else limited(directory, plan, config)
        (place / HOST_CLOCKS).unlink(missing_ok=True)  # of an earlier run, perhaps before the machine was started again
        supervisor = Supervisor(place, plan, _launcher(place, plan), limits, progress.show, tell, fresh=new)
        with contextlib.closing(supervisor), measured(supervisor, directory, config.crawl.metrics):
            interrupts.lead_to(supervisor.stop)
            try:
                with interrupts.interruptible():
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
        raise CrawlFailedError(f"cannot write {directory}: {plain(error)}") from error
    if finished.startswith("failed: "):
        command = "resume" if plan.revisits is None else "recrawl"
        hint = f"; committed data is kept: continue with ttcrawl cluster {command} {directory}"
        raise CrawlFailedError(finished.removeprefix("failed: ") + (hint if supervisor.pages else ""))
    return DONE if finished in ("done", VISITED) else STOPPED


def _why_nothing(plan: Plan, nothing: Mapping[int, str]) -> str:
    """Return why no ring has fetched a page, "" if one has: the reason of the ring of the first seed."""
    if not nothing or not all(nothing.values()):
        return ""
    return nothing.get(plan.table().ring_of(host(plan.seeds[0])), next(iter(nothing.values())))
