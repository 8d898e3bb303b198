"""One run of a crawl: its processes, its lives, and how it ended."""

from __future__ import annotations

import contextlib
import json
import time
from dataclasses import replace
from pathlib import Path

from ttcrawl.engine.environment import Environment
from ttcrawl.engine.loop import VISITED, Crawl
from ttcrawl.engine.reporting.events import delivered
from ttcrawl.engine.reporting.metrics import Metrics
from ttcrawl.engine.run import directory
from ttcrawl.engine.run.archive import run_of
from ttcrawl.engine.run.interrupts import Interrupts, StopNow
from ttcrawl.engine.run.job import Job
from ttcrawl.engine.run.seeds import seed_links
from ttcrawl.engine.unfetched import redirected_line, unfetched_line
from ttcrawl.errors import DONE, STOPPED, CrawlFailedError
from ttcrawl.fetch import choice
from ttcrawl.frontier.bounds import bounds
from ttcrawl.frontier.turn import Turn
from ttcrawl.output.display import Progress, tell
from ttcrawl.ring.clock import SteadyClock
from ttcrawl.ring.flight import Launcher
from ttcrawl.ring.garbage import rarely_collected
from ttcrawl.ring.pools import Ring, WorkerArguments
from ttcrawl.ring.sizes import SPARE, most_parsers
from ttcrawl.ring.slots import Slots
from ttcrawl.store.batches import UnstorableError
from ttcrawl.store.database import StoreError
from ttcrawl.store.sqlite import Store
from ttcrawl.store.trim import trim
from ttcrawl.web.scope import Scope, redirects_of
from ttcrawl.web.scope.redirects import SETTING
from ttcrawl.web.url import host, key


def run(job: Job, store: Store, slots: Slots, scope: Scope, interrupts: Interrupts) -> int:
    """Crawl; return the exit status. Raises CrawlFailedError if the crawl could not begin or continue."""
    for line in choice.warnings(job.config.fetch):
        tell(line)
    clock, known = SteadyClock.start(), len(redirects_of(store.about().get(SETTING, "")))
    with contextlib.ExitStack() as opened, rarely_collected():
        also = []
        if path := job.config.crawl.metrics:
            metrics = Metrics(Path(path), job.directory, store.about(), tell)
            also.append(opened.enter_context(contextlib.closing(metrics)).show)
        progress = opened.enter_context(contextlib.closing(Progress(job.progress, also=also)))
        interrupts.say = store.say = progress.say
        with delivered(job.directory, job.config, progress.say):
            pages, finished = _lives(job, store, slots, scope, clock, progress, interrupts)
    return _end(job, store, pages, finished, known)


def _lives(
    job: Job,
    store: Store,
    slots: Slots,
    scope: Scope,
    clock: SteadyClock,
    progress: Progress,
    interrupts: Interrupts,
) -> tuple[int, str]:
    """Crawl; after an outcome that cannot be stored, return to the last commit and continue without it.

    A killed and resumed crawl does the same, so nothing in memory needs to be undone.
    """
    unstorable, begun, most = dict[str, str](), clock(), job.config.crawl.max_time
    while True:
        # processes that are not closed would keep this one from ending
        with contextlib.closing(_ring(job, store, slots, scope, clock)) as ring:
            try:
                return _crawl(job, store, ring, clock, scope, progress, interrupts, unstorable)
            except UnstorableError as error:
                why = str(error)
                unstorable |= error.urls
        progress.say(f"{why}; continuing from the last commit without it")
        store.rollback()
        store.set(trouble=why)
        trim(job.directory, store.archive(), store.about().get("run", ""))
        if most > 0:
            remaining = max(0.001, most - (clock() - begun))
            job = replace(job, config=replace(job.config, crawl=replace(job.config.crawl, max_time=remaining)))


def _ring(job: Job, store: Store, slots: Slots, scope: Scope, clock: SteadyClock) -> Launcher[Turn]:
    config, archive = job.config, job.directory / "warc"
    granted = frozenset((name, address) for name, address in json.loads(store.about().get("allowed", "[]")))
    series = 1 if job.inline else most_parsers(config.crawl) + SPARE
    run = run_of(job.directory, store.about()["run"], config, job.seeds, time.time(), ring=job.membership is not None)
    positions = directory.positions(store.archive(), series, run)
    if job.inline:
        from ttcrawl.engine.inline import InlineRing  # imports the modules of fetch and parse processes

        return InlineRing(config, scope.widest(), archive, positions[0], clock, slots, granted)
    alarms = job.membership.alarms if job.membership else ()
    arguments = WorkerArguments(
        config=config, scope=scope.widest(), archive=archive, clock=clock, slots=slots, granted=granted
    )
    return Ring(arguments, positions, alarms=alarms)


def _crawl(
    job: Job,
    store: Store,
    ring: Launcher[Turn],
    clock: SteadyClock,
    scope: Scope,
    progress: Progress,
    interrupts: Interrupts,
    unstorable: dict[str, str],
) -> tuple[int, str]:
    """Crawl; return the number of pages, and how it ended: "done", a limit, "interrupted" or "failed: why".

    Raises UnstorableError for URLs that are not in `unstorable` yet.
    """
    path_bounds = bounds(
        job.config,
        scope.ruling if scope.by_path else None,
        scope.home if scope.counts_hops else None,
        scope.ruling if store.urls.last_id() else None,
        scope.ruling,
        scope,
    )
    peers, seeds = job.membership.peers() if job.membership else None, job.seeds
    if peers is not None:
        scope.of_other_ring = peers.is_foreign
        seeds = tuple(url for url in seeds if not peers.is_foreign(host(url)))
    crawl: Crawl | None = None
    try:
        with interrupts.interruptible():
            crawl = Crawl(
                Environment(
                    config=job.config,
                    store=store,
                    ring=ring,
                    clock=clock,
                    bounds=path_bounds,
                    look=progress.show,
                    say=progress.say,
                    unstorable=unstorable,
                    held_back=job.held_back if job.config.topic.target_recall else (),
                    recrawl=job.recrawl,
                    peers=peers,
                )
            )
            interrupts.lead_to(crawl.stop)
            crawl.run(seed_links(seeds, lambda url: job.refused.get(url) or scope.ruling(url)))
        finished = crawl.stopped_by or "done"
    except StopNow:
        finished = "interrupted"
    except UnstorableError as error:
        if error.urls.keys().isdisjoint(unstorable):
            raise
        finished = f"failed: {error}"  # its failure could not be stored either
    except (CrawlFailedError, StoreError, OSError) as error:
        if crawl is None:
            raise CrawlFailedError(
                f"cannot continue {job.directory}: {directory.trouble(job.directory, error)}"
            ) from error
        finished = f"failed: {directory.trouble(job.directory, error)}"
    return crawl.counters.pages if crawl else 0, finished


def _end(job: Job, store: Store, pages: int, finished: str, known: int) -> int:
    """Leave the directory in order, and report how the crawl ended. `known`: redirects of seeds before this run."""
    nothing = ""
    try:
        store.must_be_there()
        if job.permitted is None:
            new = redirects_of(store.about().get(SETTING, ""))[known:]
            if line := redirected_line(new, job.config.scope):
                tell(line)
        if finished != "done":
            store.rollback()
        elif job.permitted is None:
            if job.membership is None and (nothing := store.answers.why_nothing()):
                finished = f"failed: {nothing}"
            elif line := unfetched_line(store.answers.seed_ends(map(key, job.seeds)), job.directory):
                tell(line)
        trim(job.directory, store.archive(), store.about().get("run", ""))
        store.set(finished=finished, in_flight="")
        store.close()
    except (OSError, StoreError, CrawlFailedError) as error:
        finished = finished if finished.startswith("failed: ") else f"failed: {directory.trouble(job.directory, error)}"
    if finished.startswith("failed: "):
        has_data = pages and store.there and job.membership is None and not job.temporary
        command = "resume" if job.recrawl is None else "recrawl"
        hint = f"; committed data is kept: continue with ttcrawl {command} {job.directory}" if has_data else ""
        if nothing and job.recrawl is None and not job.temporary:  # nothing is queued, so resume alone requests nothing
            again = f"ttcrawl requeue {job.directory} --reason '*' and ttcrawl resume {job.directory} try again"
            hint = f"; {again}, ttcrawl resume {job.directory} SEED adds a seed"
        raise CrawlFailedError(finished.removeprefix("failed: ") + hint)
    return DONE if finished in ("done", VISITED) else STOPPED
