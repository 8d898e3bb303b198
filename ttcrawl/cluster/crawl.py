"""One run of `ttcrawl cluster crawl` or `ttcrawl cluster resume`: the directory, the rings, and how it ended."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cluster.checks import check_continued, check_new, running
from ttcrawl.cluster.commanded import Followed, answers, found, join_ray
from ttcrawl.cluster.conduct import conduct, status_of
from ttcrawl.cluster.configuration import give, must_be_here, wait_for_earlier
from ttcrawl.cluster.members import founding
from ttcrawl.cluster.plan import (
    CONFIG,
    HOST_CLOCKS,
    Plan,
    existing,
    fresh,
    must_be_without_cluster,
    new_id,
    read_plan,
    write_plan,
)
from ttcrawl.cluster.process import Process
from ttcrawl.cluster.recrawl import limits_of, revisits_of
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
from ttcrawl.engine.run.job import Job, progress_of
from ttcrawl.engine.run.seeds import seed_urls
from ttcrawl.errors import DONE, CrawlFailedError, UsageError, plain
from ttcrawl.output.crawl_progress import Form
from ttcrawl.output.display import remark, tell
from ttcrawl.output.number import counted

if TYPE_CHECKING:
    from ttcrawl.cluster.on_ray import Call


def begin(job: Job, rings: int, ray: str = "", *, detach: bool = False) -> int:
    """Crawl with several rings into a new directory; return the exit status.

    `ray`: HOST:PORT of a Ray cluster, on whose machines the rings run; "": all run on this one. `detach`: return as
    soon as the crawl has begun there.

    Raises UsageError before anything was written, CrawlFailedError if the crawl could not begin or continue.
    """
    _check_detached(ray, detach=detach)
    numbers = tuple(range(1, rings + 1))
    must_be_without_cluster(job.directory, numbers)
    check_new(job)
    allowed = tuple(sorted(granted_by(job.config, job.seeds)))
    plan = Plan(
        members=founding(table(numbers)), seeds=job.seeds, allowed=allowed, ray=ray, id=new_id(), begun=time.time()
    )
    if ray:
        join_ray(ray)
    with Interrupts(tell) as interrupts:
        with fresh(job.directory, plan, job.config):
            remark(f"crawling into {job.directory} with {counted(rings, 'ring')}{identity_hint(job.config.agent)}")
            if not ray:
                return _run(job.directory, plan, job.config, job.progress, interrupts, new=True)
        return _submit(job.directory, plan, job.config, job.progress, interrupts, detach=detach, new=True)


def _check_detached(ray: str, *, detach: bool) -> None:
    if detach and not ray:
        raise UsageError("--detach needs --ray: rings that are all on this machine end with their command")


@dataclass(frozen=True, slots=True, kw_only=True)
class Visits:
    """URLs are visited again; `once`, `known`: as for ttcrawl.engine.recrawl.recrawls."""

    once: bool
    known: bool


def resume(
    directory: Path,
    changes: Changes,
    progress: Form,
    ray: str = "",
    visits: Visits | None = None,
    *,
    detach: bool = False,
) -> int:
    """Continue the crawl of a cluster, however it stopped; the changes hold from now on. Return the exit status.

    `ray`: another address of the Ray cluster; "": the same as before, if the rings are on its machines. A crawl that
    runs there is followed. `visits`: URLs are visited again. `detach`: see `begin`.

    Raises UsageError before anything was changed, CrawlFailedError if the crawl could not continue.
    """
    unchanged(changes.overrides)
    before = read_plan(directory)
    ray = ray or before.ray
    _check_detached(ray, detach=detach)
    if ray:
        join_ray(ray)
        if (call := found(directory, before)) is not None:
            changed = visits is not None or any(
                (changes.overrides, changes.rules, changes.blacklist, changes.resolve, changes.seeds)
            )
            if answers(call):
                return _join_in(directory, call, progress, changed=changed, detach=detach)
            call.end(rings=changed)
    with Interrupts(tell) as interrupts:
        with existing(directory) as plan:
            plan = replace(plan, ray=ray, id=plan.id or new_id(), begun=time.time())
            plan, config = _continued(directory, plan, changes, visits)
            if not ray:
                return _run(directory, plan, config, progress, interrupts)
        return _submit(directory, plan, config, progress, interrupts, detach=detach)


def _continued(directory: Path, plan: Plan, changes: Changes, visits: Visits | None) -> tuple[Plan, Config]:
    """Write the plan and the configuration with which a crawl continues; return them."""
    config = located(changes.applied(read(directory / CONFIG, changes.overrides)))
    check_continued(config, visits=visits is not None)
    topic_keys = [name for name, *_ in changes.overrides if name.startswith("topic.")]
    must_be_here(directory, plan, topic_keys)
    added = seed_urls(changes.seeds, canon_of(config), tell) if changes.seeds else ()
    plan = replace(plan, seeds=tuple(dict.fromkeys((*plan.seeds, *added))), finished="")
    one_in_scope(scope_of(config, plan.seeds), added)
    allowed = {*plan.allowed, *(granted_by(config, added) if added else ())}
    plan = replace(plan, allowed=tuple(sorted(allowed)))
    if not plan.ray:  # there the actors keep their rings apart
        wait_for_earlier(directory, plan)
    revisits = None if visits is None else revisits_of(directory, plan, config, once=visits.once, known=visits.known)
    plan = replace(plan, revisits=revisits)
    try:
        give(directory, plan, config, topic_keys)
        crawl_directory.write_config(directory, config)
        write_plan(directory, plan)
    except OSError as error:
        raise CrawlFailedError(f"cannot continue {directory}: {plain(error)}") from error
    return plan, config


def _run(directory: Path, plan: Plan, config: Config, form: Form, interrupts: Interrupts, *, new: bool = False) -> int:
    """Conduct a crawl on this machine."""
    with contextlib.closing(progress_of(form, config, directory)) as progress:
        interrupts.say = tell
        place = directory.absolute()
        (place / HOST_CLOCKS).unlink(missing_ok=True)  # of an earlier run, perhaps before the machine was started again

        def launch(ring: int) -> Process:
            return Process(place, ring)

        supervisor = Supervisor(place, plan, launch, limits_of(place, plan, config), progress.show, tell, fresh=new)
        interrupts.lead_to(supervisor.stop)
        outcome = conduct(place, supervisor, config.crawl.metrics, interrupts.interruptible)
    return status_of(directory, outcome)


def _submit(
    directory: Path,
    plan: Plan,
    config: Config,
    form: Form,
    interrupts: Interrupts,
    *,
    detach: bool,
    new: bool = False,
) -> int:
    """Let an actor conduct the crawl, and look on."""
    from ttcrawl.cluster.on_ray import Names, submitted

    place = directory.absolute()
    call = submitted(Names(id=plan.id, directory=str(place)), plan.ray, fresh=new)
    return _followed(directory, call, config, form, interrupts, detach=detach)


def _join_in(directory: Path, call: Call, form: Form, *, changed: bool, detach: bool) -> int:
    """Look on at a crawl that runs."""
    if changed:
        raise running(directory)
    with Interrupts(tell) as interrupts:
        remark(f"{directory} is being crawled; looking on")
        return _followed(directory, call, read(directory / CONFIG), form, interrupts, detach=detach)


def _followed(directory: Path, call: Call, config: Config, form: Form, interrupts: Interrupts, *, detach: bool) -> int:
    if detach:
        remark(f"{directory} is crawled in the background: ttcrawl cluster status, or stop, {directory}")
        return DONE
    with contextlib.closing(progress_of(form, config, directory)) as progress:
        interrupts.say = tell
        followed = Followed(directory, call, progress.show, tell)
        interrupts.lead_to(followed.stop)
        try:
            with interrupts.interruptible():
                outcome = followed.run()
        except StopNow:
            outcome = followed.end()
    return status_of(directory, outcome)
