"""One run of a crawl: its processes, its lives, and how it ended."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

from ttcrawl.engine.environment import Environment, Look
from ttcrawl.engine.loop import Crawl
from ttcrawl.engine.reporting.events import delivered
from ttcrawl.engine.reporting.metrics import Metrics, totals
from ttcrawl.engine.run import directory
from ttcrawl.engine.run.ending import end, seed_redirects
from ttcrawl.engine.run.interrupts import Interrupts, StopNow
from ttcrawl.engine.run.job import Job, progress_of
from ttcrawl.engine.run.processes import ring_of
from ttcrawl.engine.run.seeds import seed_links
from ttcrawl.errors import CrawlFailedError
from ttcrawl.fetch import choice
from ttcrawl.frontier.bounds import bounds
from ttcrawl.frontier.turn import Turn
from ttcrawl.output.display import tell
from ttcrawl.ring.clock import SteadyClock
from ttcrawl.ring.flight import Launcher
from ttcrawl.ring.garbage import rarely_collected
from ttcrawl.ring.slots import Slots
from ttcrawl.store.batches import UnstorableError
from ttcrawl.store.database import StoreError
from ttcrawl.store.sqlite import Store
from ttcrawl.store.trim import trim_archive
from ttcrawl.web.scope import Scope
from ttcrawl.web.url import host


def run(job: Job, store: Store, slots: Slots, scope: Scope, interrupts: Interrupts) -> int:
    """Crawl; return the exit status. Raises CrawlFailedError if the crawl could not begin or continue."""
    for line in choice.warnings(job.config.fetch):
        tell(line)
    clock, known = SteadyClock.start(), seed_redirects(store)
    with contextlib.ExitStack() as opened, rarely_collected():
        also = []
        ring = job.membership.ring if job.membership else 0
        if (path := job.config.crawl.metrics) and not ring:  # of rings the conductor writes them
            metrics = Metrics(Path(path), job.directory, tell)
            metrics.begin(totals(store.about()))
            also.append(opened.enter_context(contextlib.closing(metrics)).show)
        shown = progress_of(job.progress, job.config, job.directory, also)
        look = opened.enter_context(contextlib.closing(shown)).show
        interrupts.say = store.say = tell
        with delivered(job.directory, job.config, tell, ring):
            pages, finished = _lives(job, store, slots, scope, clock, look, interrupts)
    return end(job, store, pages, finished, known)


def _lives(
    job: Job,
    store: Store,
    slots: Slots,
    scope: Scope,
    clock: SteadyClock,
    look: Look,
    interrupts: Interrupts,
) -> tuple[int, str]:
    """Crawl; after an outcome that cannot be stored, return to the last commit and continue without it.

    A killed and resumed crawl does the same, so nothing in memory needs to be undone.
    """
    unstorable, begun, most = dict[str, str](), clock(), job.config.crawl.max_time
    while True:
        # processes that are not closed would keep this one from ending
        with contextlib.closing(ring_of(job, store, slots, scope, clock)) as ring:
            try:
                return _crawl(job, store, ring, clock, scope, look, interrupts, unstorable)
            except UnstorableError as error:
                why = str(error)
                unstorable |= error.urls
        tell(f"{why}; continuing from the last commit without it")
        store.rollback()
        store.set(trouble=why)
        trim_archive(job.directory, store)
        if most > 0:
            remaining = max(0.001, most - (clock() - begun))
            job = replace(job, config=replace(job.config, crawl=replace(job.config.crawl, max_time=remaining)))


def _crawl(
    job: Job,
    store: Store,
    ring: Launcher[Turn],
    clock: SteadyClock,
    scope: Scope,
    look: Look,
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
                    look=look,
                    say=tell,
                    unstorable=unstorable,
                    held_back=job.held_back if job.config.topic.target_recall else (),
                    recrawl=job.recrawl,
                    peers=peers,
                )
            )
            interrupts.lead_to(crawl.stop)
            crawl.run(seed_links(seeds, lambda url: job.refused.get(url) or scope.ruling(url), job.sitemaps))
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
