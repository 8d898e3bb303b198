"""How a crawl begins or continues: the checks, the directory, and Ctrl-C."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ttcrawl import __version__
from ttcrawl.config import Agent, Config, Line, Override
from ttcrawl.config.compiled import compile_canon, compile_scope
from ttcrawl.config.public import shows_secrets
from ttcrawl.engine.peers import Membership
from ttcrawl.engine.recrawl.recrawls import Recrawl
from ttcrawl.engine.redirected_seeds import change_of_redirects, known_redirects
from ttcrawl.engine.reporting.beside import Beside, check_beside, connect_once
from ttcrawl.engine.reporting.events import check_events
from ttcrawl.engine.reporting.hooks import located, refused_seeds
from ttcrawl.engine.run import directory
from ttcrawl.engine.run.addresses import granted_by
from ttcrawl.engine.run.changes import Changes
from ttcrawl.engine.run.interrupts import Interrupts
from ttcrawl.engine.run.job import Job
from ttcrawl.engine.run.lives import run
from ttcrawl.engine.run.seeds import examples, seed_urls
from ttcrawl.engine.topic.copies import changed_copies, checked_copies, held_back_list, own_copies
from ttcrawl.engine.topic.recall import held_back
from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.output.display import Form, tell
from ttcrawl.ring.host_clocks import SIZE
from ttcrawl.ring.limits import allow_files
from ttcrawl.ring.messages import HEAD_ROOM
from ttcrawl.ring.sizes import fetchers, most_parsers
from ttcrawl.ring.slots import Slots
from ttcrawl.store.database import StoreError
from ttcrawl.store.private import make_private
from ttcrawl.store.staged import ROW, step
from ttcrawl.store.trim import trim
from ttcrawl.web.address import Pairs
from ttcrawl.web.scope import Scope
from ttcrawl.web.scope.redirects import SETTING, Redirect

NO_CONTACT = (
    "no contact is set, so site owners cannot reach you: set agent.contact to a page or mail address"
    " (config.ini: [agent] contact)"
)

#: What a parser of RFC 9309 section 2.2.1 reads of a name.
_TOKEN = re.compile("[A-Za-z_-]*")


def identity_hint(agent: Agent) -> str:
    """What an owner of a server would miss, for the end of a line; "" if there is nothing."""
    hints = [] if agent.contact or agent.user_agent else [NO_CONTACT]
    read = _TOKEN.match(agent.name)
    if read and read[0] != agent.name:
        hints.append(f"for Google's parser of robots.txt and its like, {agent.name} is {read[0] or 'no name'}")
    return "".join(f"; {hint}" for hint in hints)


def job_of(lines: Iterable[Line], path: Path | None, config: Config, progress: Form, *, inline: bool = False) -> Job:
    """Return the job of a crawl; without `path`, into a new directory named by the first host. Raises UsageError."""
    seeds = seed_urls(lines, compile_canon(config.url, ftp=config.fetch.ftp), tell)
    path = path or directory.new_directory(seeds[0])
    directory.must_be_outside(path)
    return Job(
        seeds=seeds,
        directory=path,
        config=located(config),
        progress=progress,
        inline=inline,
    )


def begin(job: Job) -> int:
    """Crawl into a new directory; return the exit status.

    Raises UsageError before anything was written, CrawlFailedError if the crawl could not begin or continue.
    """
    directory.must_be_free(job.directory)
    scope = scope_of(job.config, job.seeds)
    topic_files = checked(job)
    known = held_back(job.config, job.seeds, scope, held_back_list(job.config.topic, topic_files, job.directory))
    job = replace(job, refused=refused_seeds(job.config.hooks, job.seeds), held_back=known)
    granted = granted_by(job.config, job.seeds) if job.permitted is None else job.permitted
    connect_once(job.config)
    with (
        contextlib.closing(Beside(tell)) as beside,  # first, so that the lock is released before it waits
        contextlib.closing(_slots(job)) as slots,
        Interrupts(tell) as interrupts,  # so that signals do not interrupt the creation of the directory
        directory.fresh(job.directory, job.config, _about(job, granted), topic_files) as store,
    ):
        if job.membership is None and not job.temporary:
            tell(f"crawling into {job.directory}{identity_hint(job.config.agent)}")
        beside.start(job.directory, job.config)
        return run(job, store, slots, scope, interrupts)


def checked(job: Job) -> dict[str, bytes]:
    """Return the files of [topic]. Raises UsageError if the crawl of a job cannot begin."""
    one_in_scope(scope_of(job.config, job.seeds), job.seeds)
    check_events(job.config.hooks.events)
    check_beside(job.config)
    _check_browser(job.config, inline=job.inline)
    return checked_copies(job.config.topic)


def _check_browser(config: Config, *, inline: bool) -> None:
    if config.browser.on:
        from ttcrawl.browser.program import check  # it parses selectors, with what parse processes need

        check(config, inline=inline)


def resume(
    path: Path,
    changes: Changes,
    progress: Form,
    *,
    inline: bool,
    recrawl: Recrawl | None = None,
    membership: Membership | None = None,
) -> int:
    """Continue the crawl in a directory, however it stopped; the changes hold from now on.

    With `recrawl`, URLs are visited again. `membership`: the directory is the one of a ring.
    """
    with contextlib.ExitStack() as opened:
        unchanged(changes.overrides)
        beside = opened.enter_context(contextlib.closing(Beside(tell)))
        store, config = opened.enter_context(directory.existing(path, changes.overrides, ring=membership is not None))
        config, about = located(changes.applied(config)), store.about()
        if recrawl is not None and not config.revisit.on:
            raise UsageError("no page is visited again with [revisit] policy = none: --set revisit.policy=fixed")
        before = about["seeds"].split("\n")
        added = seed_urls(changes.seeds, compile_canon(config.url, ftp=config.fetch.ftp), tell) if changes.seeds else ()
        seeds = tuple(dict.fromkeys((*before, *added)))
        check_events(config.hooks.events)
        check_beside(config)
        _check_browser(config, inline=inline)
        topic_files = changed_copies(config.topic, {name for name, *_ in changes.overrides}, path)
        refused = refused_seeds(config.hooks, seeds)
        job = Job(seeds=seeds, directory=path, config=config, progress=progress, inline=inline, refused=refused)
        job = replace(job, recrawl=recrawl, membership=membership)
        redirects = known_redirects(store, seeds)
        scope = scope_of(config, seeds, redirects)
        one_in_scope(scope, added)
        job = replace(job, held_back=held_back(config, seeds, scope, held_back_list(config.topic, topic_files, path)))
        granted = granted_by(config, added) if added else frozenset()
        connect_once(config)
        slots = opened.enter_context(contextlib.closing(_slots(job)))
        files = own_copies(path, topic_files)
        if changes != Changes():
            files["config.ini"] = directory.config_file(path, config)
        try:
            if shows_secrets(config):
                make_private(path)
            foreign = trim(path, store.archive(), about.get("run", ""))
            allowed = sorted({*map(tuple, json.loads(about.get("allowed", "[]"))), *granted})
            store.set(**change_of_redirects(about, config.scope, redirects))
            store.set(finished="", seeds="\n".join(seeds), allowed=json.dumps(allowed), **_chosen(config))
            with step(path, files) as row:
                store.set(**{ROW: row})
                store.commit()
        except (OSError, StoreError) as error:
            raise CrawlFailedError(f"cannot continue {path}: {directory.trouble(path, error)}") from error
        if foreign:
            tell(f"files that are not part of this crawl are not changed: {examples(foreign)} in {path / 'warc'}")
        beside.start(path, config)
        if recrawl is None and membership is None and not added and (line := _nothing_queued(path, about, config)):
            tell(line)
        with Interrupts(tell) as interrupts:
            return run(job, store, slots, scope, interrupts)


def _nothing_queued(path: Path, about: Mapping[str, str], config: Config) -> str:
    """Return that nothing is queued, and what to do then; "" if something is, or if no page was ever fetched."""
    if int(about.get("total_queued", 0)) or about.get("finished", "").startswith("failed: "):
        return ""
    name = shlex.quote(str(path))
    recorded = ", with --recorded those whose links were only recorded" * (config.links.new == "record")
    return (
        f"nothing is queued, so nothing is requested: ttcrawl recrawl {name} visits pages again; ttcrawl requeue {name}"
        f" queues URLs that have failed or were refused{recorded}; ttcrawl why {name} --summary counts the reasons"
    )


def one_in_scope(scope: Scope, seeds: Sequence[str]) -> None:
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


def scope_of(config: Config, seeds: tuple[str, ...], redirects: Sequence[Redirect] = ()) -> Scope:
    """Return which URLs belong to a crawl. `redirects`: those of its seeds."""
    return compile_scope(config.scope, seeds, config.hosts, redirects=redirects)


def _slots(job: Job) -> Slots:
    """Create slots for all answers that are in flight or wait to be parsed."""
    crawl = job.config.crawl
    allow_files(1 if job.inline else fetchers(crawl) + most_parsers(crawl), crawl.threads)
    count = 1 if job.inline else fetchers(crawl) * crawl.threads + crawl.data_queue
    size = HEAD_ROOM + job.config.fetch.max_body + (job.config.browser.max_bytes if job.config.browser.on else 0)
    try:
        return Slots(count, size, SIZE if job.config.browser.on else 0)
    except (OSError, ValueError, OverflowError) as error:
        raise UsageError(
            f"no room for {count} responses of {size:,} bytes ({error}): lower crawl.threads, crawl.data_queue or"
            " fetch.max_body, or raise the limit on the size of a file or of memory (ulimit -f, -v)"
        ) from error


def _about(job: Job, granted: Pairs) -> dict[str, object]:
    begun = {"started": round(time.time(), 3), "seconds": 0.0, "finished": "", "seeds": "\n".join(job.seeds)}
    begun |= {"allowed": json.dumps(sorted(granted)), SETTING: "[]"}
    return begun | _chosen(job.config)


def _chosen(config: Config) -> dict[str, object]:
    """Return the properties of this run, and the settings that the report shows."""
    return {
        "run": uuid.uuid4().urn,  # its WARC files have it
        "ttcrawl_version": __version__,
        "scope": config.scope.scope,
        "redirected_seeds": config.scope.redirected_seeds,
        "parser": config.links.parser,
        "obey_delay": "yes" if config.politeness.obey_delay else "no",
        "delay": config.politeness.delay,
        "content_start": config.links.content_start,
        "follow": config.links.follow if config.links.content_start else "all",
        "seen_error_rate": config.seen.error_rate,
        "events": "yes" if config.hooks.events or config.hooks.outcome else "",
    }
