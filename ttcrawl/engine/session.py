"""One run of `ttcrawl crawl` or `ttcrawl resume`: the directory, the processes, Ctrl-C, and how it ended."""

from __future__ import annotations

import contextlib
import json
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ttcrawl import __version__
from ttcrawl.browser.program import check as check_browser
from ttcrawl.config import Config, Line, Override
from ttcrawl.engine import directory, topic
from ttcrawl.engine.addresses import granted_by
from ttcrawl.engine.archive import run_of
from ttcrawl.engine.changes import Changes
from ttcrawl.engine.events import check_events, delivered
from ttcrawl.engine.garbage import rarely_collected
from ttcrawl.engine.hooks import located, refused_seeds
from ttcrawl.engine.interrupts import Interrupts, StopNow
from ttcrawl.engine.loop import Crawl
from ttcrawl.engine.metrics import Metrics
from ttcrawl.engine.mirror import Mirror, check_mirror
from ttcrawl.engine.progress import Form, Progress, tell
from ttcrawl.engine.recall import held_back
from ttcrawl.engine.revisits import Recrawl
from ttcrawl.engine.seeds import examples, seed_links, seed_urls
from ttcrawl.errors import DONE, STOPPED, CrawlFailedError, UsageError, plain
from ttcrawl.fetch import choice
from ttcrawl.frontier.bounds import bounds
from ttcrawl.frontier.turn import Turn
from ttcrawl.ring.clock import SteadyClock
from ttcrawl.ring.launcher import Launcher
from ttcrawl.ring.limits import allow_files
from ttcrawl.ring.messages import HEAD_ROOM
from ttcrawl.ring.pools import Ring
from ttcrawl.ring.sizes import SPARE, fetchers, most_parsers
from ttcrawl.ring.slots import Slots
from ttcrawl.store.batches import UnstorableError
from ttcrawl.store.database import StoreError
from ttcrawl.store.seam import Store
from ttcrawl.store.trim import trim
from ttcrawl.vocabulary.reason import Code
from ttcrawl.web.address import Pairs
from ttcrawl.web.canon import compile_canon
from ttcrawl.web.scope import Scope, compile_scope
from ttcrawl.web.url import key

NO_CONTACT = (
    "no contact is set, so site owners cannot reach you: set [agent] contact in config.ini to a page or mail address"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """The seeds, directory and configuration of a crawl."""

    seeds: tuple[str, ...]  # canonical
    directory: Path
    config: Config
    progress: Form = "auto"
    inline: bool = False
    #: Non-public addresses that may be contacted. None: those of the seeds, because a user named them. Seeds from pages
    #: permit no address, and all of them may be errors.
    permitted: Pairs | None = None
    refused: Mapping[str, tuple[Code, str]] = field(default_factory=dict)  # seeds that a hook refuses -> reason, rule
    held_back: Sequence[str] = ()  # see ttcrawl.engine.recall
    recrawl: Recrawl | None = None  # URLs are visited again


def job_of(lines: Sequence[Line], path: Path | None, config: Config, progress: Form, *, inline: bool = False) -> Job:
    """Return the job of a crawl; without `path`, into a new directory named by the first host. Raises UsageError."""
    seeds = seed_urls(lines, compile_canon(config.url), tell)
    return Job(
        seeds=seeds,
        directory=path or directory.new_directory(seeds[0]),
        config=located(config),
        progress=progress,
        inline=inline,
    )


def begin(job: Job) -> int:
    """Crawl into a new directory; return the exit status.

    Raises UsageError before anything was written, CrawlFailedError if the crawl could not begin or continue.
    """
    directory.must_be_free(job.directory)
    scope = _scope(job.config, job.seeds)
    _one_in_scope(scope, job.seeds)
    check_events(job.config.hooks.events)
    check_mirror(job.config)
    check_browser(job.config, inline=job.inline)
    topic_files = topic.checked(job.config.topic)
    known = held_back(job.config, job.seeds, scope, topic.held_back(job.config.topic, topic_files, job.directory))
    job = replace(job, refused=refused_seeds(job.config.hooks, job.seeds), held_back=known)
    granted = granted_by(job.config, job.seeds) if job.permitted is None else job.permitted
    with (
        contextlib.closing(Mirror(tell)) as mirror,  # first, so that the lock is released before it waits
        contextlib.closing(_slots(job)) as slots,
        Interrupts(tell) as interrupts,  # so that signals do not interrupt the creation of the directory
        directory.fresh(job.directory, job.config, _about(job, granted), topic_files) as store,
    ):
        hint = "" if job.config.agent.contact else f"; {NO_CONTACT}"
        tell(f"crawling into {job.directory}{hint}")
        mirror.start(job.directory, job.config)
        return _run(job, store, slots, scope, interrupts)


def resume(path: Path, changes: Changes, progress: Form, *, inline: bool, recrawl: Recrawl | None = None) -> int:
    """Continue the crawl in a directory, however it stopped; the changes hold from now on.

    With `recrawl`, URLs are visited again.
    """
    with contextlib.ExitStack() as opened:
        unchanged(changes.overrides)
        mirror = opened.enter_context(contextlib.closing(Mirror(tell)))
        store, config = opened.enter_context(directory.existing(path, changes.overrides))
        config, about = located(changes.applied(config)), store.about()
        if recrawl is not None and not config.revisit.on:
            raise UsageError("no page is visited again with [revisit] policy = none: --set revisit.policy=fixed")
        before = about["seeds"].split("\n")
        added = seed_urls(changes.seeds, compile_canon(config.url), tell) if changes.seeds else ()
        seeds = tuple(dict.fromkeys((*before, *added)))
        check_events(config.hooks.events)
        check_mirror(config)
        check_browser(config, inline=inline)
        topic_files = topic.changed(config.topic, {name for name, *_ in changes.overrides}, path)
        refused = refused_seeds(config.hooks, seeds)
        job = Job(seeds=seeds, directory=path, config=config, progress=progress, inline=inline, refused=refused)
        job = replace(job, recrawl=recrawl)
        scope = _scope(config, seeds)
        _one_in_scope(scope, added)
        job = replace(job, held_back=held_back(config, seeds, scope, topic.held_back(config.topic, topic_files, path)))
        granted = granted_by(config, added) if added else frozenset()
        slots = opened.enter_context(contextlib.closing(_slots(job)))
        try:
            topic.write(path, topic_files)
            if changes != Changes():
                directory.write_config(path, config)
            foreign = trim(path, store.archive(), about.get("run", ""))
            allowed = sorted({*map(tuple, json.loads(about.get("allowed", "[]"))), *granted})
            store.set(finished="", seeds="\n".join(seeds), allowed=json.dumps(allowed), **_chosen(config))
            store.commit()
        except (OSError, StoreError) as error:
            raise CrawlFailedError(f"cannot continue {path}: {plain(error)}") from error
        if foreign:
            tell(f"files that are not part of this crawl are not changed: {examples(foreign)} in {path / 'warc'}")
        mirror.start(path, config)
        with Interrupts(tell) as interrupts:
            return _run(job, store, slots, scope, interrupts)


def _one_in_scope(scope: Scope, seeds: Sequence[str]) -> None:
    """Raises UsageError if there are seeds, and all are out of scope."""
    decisions = [scope.decide(seed) for seed in seeds]
    if decisions and all(decision.reason for decision in decisions):
        raise UsageError(f"the seed {seeds[0]} is out of scope ({decisions[0]}): allow it with a rule, or widen scope")


def unchanged(overrides: Sequence[Override]) -> None:
    """Raises UsageError for keys that are fixed for the life of a crawl."""
    for name, *_ in overrides:
        if name.startswith("url."):
            raise UsageError(
                f"{name} decides which URLs are equal, so it cannot change during a crawl: keep its value, or"
                " begin another crawl"
            )


def _scope(config: Config, seeds: tuple[str, ...]) -> Scope:
    return compile_scope(config.scope, seeds, config.hosts)


def _slots(job: Job) -> Slots:
    """Create slots for all answers that are in flight or wait to be parsed."""
    crawl = job.config.crawl
    allow_files(1 if job.inline else fetchers(crawl) + most_parsers(crawl), crawl.threads)
    count = 1 if job.inline else fetchers(crawl) * crawl.threads + crawl.data_queue
    size = HEAD_ROOM + job.config.fetch.max_body + (job.config.browser.max_bytes if job.config.browser.on else 0)
    try:
        return Slots(count, size)
    except (OSError, ValueError, OverflowError) as error:
        raise UsageError(
            f"no room for {count} responses of {size:,} bytes ({error}): lower crawl.threads, crawl.data_queue or"
            " fetch.max_body, or raise the limit on the size of a file or of memory (ulimit -f, -v)"
        ) from error


def _about(job: Job, granted: Pairs) -> dict[str, object]:
    begun = {"started": round(time.time(), 3), "seconds": 0.0, "finished": "", "seeds": "\n".join(job.seeds)}
    begun["allowed"] = json.dumps(sorted(granted))
    return begun | _chosen(job.config)


def _chosen(config: Config) -> dict[str, object]:
    """Return the properties of this run, and the settings that the report shows."""
    return {
        "run": uuid.uuid4().urn,  # its WARC files have it
        "ttcrawl_version": __version__,
        "scope": config.scope.scope,
        "parser": config.links.parser,
        "obey_delay": "yes" if config.politeness.obey_delay else "no",
        "delay": config.politeness.delay,
        "content_start": config.links.content_start,
        "follow": config.links.follow if config.links.content_start else "all",
        "seen_error_rate": config.seen.error_rate,
        "events": "yes" if config.hooks.events or config.hooks.outcome else "",
    }


def _run(job: Job, store: Store, slots: Slots, scope: Scope, interrupts: Interrupts) -> int:
    for line in choice.warnings(job.config.fetch, inline=job.inline):
        tell(line)
    clock = SteadyClock.start()
    with contextlib.ExitStack() as opened, rarely_collected():
        also = []
        if path := job.config.crawl.metrics:
            metrics = Metrics(Path(path), job.directory, store.about(), tell)
            also.append(opened.enter_context(contextlib.closing(metrics)).show)
        progress = opened.enter_context(contextlib.closing(Progress(job.progress, also=also)))
        interrupts.say = progress.say
        with delivered(job.directory, job.config, progress.say):
            pages, finished = _lives(job, store, slots, scope, clock, progress, interrupts)
    return _end(job, store, pages, finished)


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
    run = run_of(job.directory, store.about()["run"], config, job.seeds, time.time())
    positions = directory.positions(store.archive(), series, run)
    if job.inline:
        from ttcrawl.engine.inline import InlineRing  # imports the modules of fetch and parse processes

        return InlineRing(config, scope, archive, positions[0], clock, slots, granted)
    return Ring(config, scope, archive, positions, clock, slots, granted)


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
    )
    crawl: Crawl | None = None
    try:
        with interrupts.interruptible():
            known = job.held_back if job.config.topic.target_recall else ()
            callbacks = (progress.show, progress.say)
            crawl = Crawl(
                job.config,
                store,
                ring,
                clock,
                *callbacks,
                path_bounds,
                unstorable,
                held_back=known,
                recrawl=job.recrawl,
            )
            interrupts.lead_to(crawl.stop)
            crawl.run(seed_links(job.seeds, lambda url: job.refused.get(url) or scope.ruling(url)))
        finished = crawl.stopped_by or "done"
    except StopNow:
        finished = "interrupted"
    except UnstorableError as error:
        if error.urls.keys().isdisjoint(unstorable):
            raise
        finished = f"failed: {error}"  # its failure could not be stored either
    except (CrawlFailedError, StoreError, OSError) as error:
        if crawl is None:
            raise CrawlFailedError(f"cannot continue {job.directory}: {plain(error)}") from error
        finished = f"failed: {plain(error)}"
    return crawl.counters.pages if crawl else 0, finished


def _end(job: Job, store: Store, pages: int, finished: str) -> int:
    """Leave the directory in order, and report how the crawl ended."""
    try:
        store.must_be_there()
        if finished != "done":
            store.rollback()
        elif job.permitted is None:
            if nothing := store.answers.why_nothing():
                finished = f"failed: {nothing}"
            elif failing := store.answers.failing(list(map(key, job.seeds))):
                tell(f"no page was fetched from {examples(failing)}")
        trim(job.directory, store.archive(), store.about().get("run", ""))
        store.set(finished=finished, in_flight="")
        store.close()
    except (OSError, StoreError, CrawlFailedError) as error:
        finished = finished if finished.startswith("failed: ") else f"failed: {plain(error)}"
    if finished.startswith("failed: "):
        has_data = pages and store.there
        hint = f"; committed data is kept: continue with ttcrawl resume {job.directory}" if has_data else ""
        raise CrawlFailedError(finished.removeprefix("failed: ") + hint)
    return DONE if finished == "done" else STOPPED
