"""How a crawl begins or continues: the checks, the directory, and Ctrl-C."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ttcrawl.config import Config, Line
from ttcrawl.config.compiled import canon_of
from ttcrawl.engine.peers import Membership
from ttcrawl.engine.recrawl.recrawls import Recrawl
from ttcrawl.engine.redirected_seeds import change_of_redirects, known_redirects
from ttcrawl.engine.reporting.beside import Beside, connect_once
from ttcrawl.engine.reporting.hooks import located, refused_seeds
from ttcrawl.engine.run import directory
from ttcrawl.engine.run.addresses import granted_by
from ttcrawl.engine.run.changes import Changes
from ttcrawl.engine.run.checks import check_programs, checked, identity_hint, one_in_scope, scope_of, unchanged
from ttcrawl.engine.run.interrupts import Interrupts
from ttcrawl.engine.run.job import Job
from ttcrawl.engine.run.lives import run
from ttcrawl.engine.run.missing import queue_missing
from ttcrawl.engine.run.processes import slots_of
from ttcrawl.engine.run.seeds import examples, seed_urls
from ttcrawl.engine.topic.copies import changed_copies, held_back_list, own_copies
from ttcrawl.engine.topic.recall import held_back
from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.output.crawl_progress import Form
from ttcrawl.output.display import remark, tell
from ttcrawl.store.database import StoreError
from ttcrawl.store.seeds import seeds_of
from ttcrawl.store.staged import ROW, step


def job_of(lines: Iterable[Line], path: Path | None, config: Config, progress: Form, *, inline: bool = False) -> Job:
    """Return the job of a crawl; without `path`, into a new directory named by the first host. Raises UsageError."""
    seeds = seed_urls(lines, canon_of(config), tell)
    path = path or directory.new_directory(seeds[0])
    directory.must_be_outside(path)
    return Job(
        seeds=seeds,
        directory=path,
        config=located(config),
        progress=progress,
        inline=inline,
    )


def begin(job: Job, followed: Interrupts | None = None) -> int:
    """Crawl into a new directory; return the exit status.

    `followed`: a program reads the events, and may stop the crawl by it.

    Raises UsageError before anything was written, CrawlFailedError if the crawl could not begin or continue.
    """
    directory.must_be_free(job.directory)
    scope = scope_of(job.config, job.seeds)
    topic_files = checked(job)
    known = held_back(job.config, job.seeds, scope, held_back_list(job.config.topic, topic_files, job.directory))
    job = replace(job, refused=refused_seeds(job.config.hooks, job.seeds), held_back=known)
    granted = granted_by(job.config, job.seeds) if job.permitted is None else job.permitted
    connect_once(job.config)
    about = directory.about_new(job.config, job.seeds, granted) | _events(followed)
    with (
        contextlib.closing(Beside(tell)) as beside,  # first, so that the lock is released before it waits
        contextlib.closing(slots_of(job)) as slots,
        followed or Interrupts(tell) as interrupts,  # so that signals do not interrupt the creation of the directory
        directory.fresh(job.directory, job.config, about, topic_files) as store,
    ):
        if job.membership is None and not job.temporary:
            remark(f"crawling into {job.directory}{identity_hint(job.config.agent)}")
        beside.start(job.directory, job.config)
        return run(job, store, slots, scope, interrupts)


def resume(
    path: Path,
    changes: Changes,
    progress: Form,
    *,
    inline: bool,
    recrawl: Recrawl | None = None,
    membership: Membership | None = None,
    followed: Interrupts | None = None,
) -> int:
    """Continue the crawl in a directory, however it stopped; the changes hold from now on.

    With `recrawl`, URLs are visited again. `membership`: the directory is the one of a ring. `followed`: as for
    `begin`.
    """
    with contextlib.ExitStack() as opened:
        unchanged(changes.overrides)
        beside = opened.enter_context(contextlib.closing(Beside(tell)))
        store, config = opened.enter_context(directory.existing(path, changes.overrides, ring=membership is not None))
        config, about = located(changes.applied(config)), store.about()
        if recrawl is not None and not config.revisit.on:
            raise UsageError("no page is visited again with [revisit] policy = none: --set revisit.policy=fixed")
        added = seed_urls(changes.seeds, canon_of(config), tell) if changes.seeds else ()
        seeds = tuple(dict.fromkeys((*seeds_of(about), *added)))
        check_programs(config, inline=inline)
        topic_files = changed_copies(config.topic, {name for name, *_ in changes.overrides}, path)
        refused = refused_seeds(config.hooks, seeds)
        job = Job(seeds=seeds, directory=path, config=config, progress=progress, inline=inline, refused=refused)
        job = replace(job, recrawl=recrawl, membership=membership)
        alone = recrawl is None and membership is None
        redirects = known_redirects(store, seeds)
        scope = scope_of(config, seeds, redirects)
        one_in_scope(scope, added)
        job = replace(job, held_back=held_back(config, seeds, scope, held_back_list(config.topic, topic_files, path)))
        granted = granted_by(config, added) if added else frozenset()
        connect_once(config)
        slots = opened.enter_context(contextlib.closing(slots_of(job)))
        files = own_copies(path, topic_files)
        if changes != Changes():
            files["config.ini"] = directory.config_file(path, config)
        try:
            directory.keep_private(path, config)
            foreign = directory.trimmed(path, store)
            if alone:
                queue_missing(store, scope.ruling)
            allowed = sorted({*map(tuple, json.loads(about.get("allowed", "[]"))), *granted})
            store.set(**change_of_redirects(about, config.scope, redirects))
            about_run = directory.about_run(config) | _events(followed)
            store.set(finished="", seeds="\n".join(seeds), allowed=json.dumps(allowed), **about_run)
            with step(path, files) as row:
                store.set(**{ROW: row})
                store.commit()
        except (OSError, StoreError) as error:
            raise CrawlFailedError(f"cannot continue {path}: {directory.trouble(path, error)}") from error
        if foreign:
            tell(f"files that are not part of this crawl are not changed: {examples(foreign)} in {path / 'warc'}")
        beside.start(path, config)
        if alone and not added and (line := directory.nothing_queued(path, about, config)):
            tell(line)
        with followed or Interrupts(tell) as interrupts:
            return run(job, store, slots, scope, interrupts)


def _events(followed: Interrupts | None) -> dict[str, object]:
    """Return what table `crawl` says if events are recorded although [hooks] names no reader."""
    return {} if followed is None else {"events": "yes"}
