"""`ttcrawl extract` and `Crawl.extract`: what is extracted, from which pages, and the items afterwards."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import xxhash

from ttcrawl.config import Config, Lines
from ttcrawl.core import check_reader
from ttcrawl.engine.reporting.hooks import located_lines, tried
from ttcrawl.engine.run.interrupts import Interrupts, StopNow
from ttcrawl.errors import UsageError
from ttcrawl.extract.captures import Capture, captures, matching, sampled, total
from ttcrawl.extract.extraction import Count, Extraction, Sought
from ttcrawl.extract.items import ItemsFile
from ttcrawl.output.steps import Progress
from ttcrawl.parse.stages import extraction
from ttcrawl.ring.clock import SteadyClock
from ttcrawl.ring.garbage import rarely_collected
from ttcrawl.ring.limits import allow_files
from ttcrawl.ring.pools import Ring, WorkerArguments
from ttcrawl.ring.sizes import processors
from ttcrawl.ring.slots import Slots
from ttcrawl.snapshot.conditions import compile_conditions
from ttcrawl.snapshot.page_records import PAGE_RECORDS
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store import objects
from ttcrawl.store.archive_objects import moved
from ttcrawl.store.stored_scope import stored_scope

STOPPING = "storing the items in hand, then stopping; Ctrl-C again stops at once"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which answers: those for which the conditions hold, or a `sample` of them (its size; 0: all).

    `every` answer of a URL counts, or its latest one. `again`: also those that were done.
    """

    conditions: Sequence[str] = ()
    sample: int = 0
    every: bool = False
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """`versions`: of the extractors, in items.db. `stopped_by`: "", or why it ended with answers left."""

    versions: Sequence[int]
    counts: Sequence[Count]
    stopped_by: str


def configured(config: Config, extract: Lines, parsers: int = 0) -> Config:
    """The configuration of a run. `extract`: the extractors; none: those of config.ini. `parsers`: parse processes; 0:
    one for each processor. Raises UsageError."""
    hooks, crawl = config.hooks, replace(config.crawl, parsers=parsers or processors())
    try:
        lines = located_lines(extract or hooks.extract)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if not lines:
        raise UsageError("name what makes the items: FILE.py:FUNCTION, or --css, --jsonld, --microdata or --table")
    path = os.pathsep.join(filter(None, (hooks.path, os.getcwd())))
    return extraction(replace(config, crawl=crawl, hooks=replace(hooks, path=path)), lines)


def versions_of(config: Config, file: ItemsFile) -> list[int]:
    """Import the functions in a process of its own. Raises UsageError if one cannot be used."""
    checked = tried(config.hooks)
    digests = zip(config.hooks.extractors, checked.versions, strict=True)
    return [
        file.version(each.name, code or xxhash.xxh3_128_hexdigest(each.definition.encode())) for each, code in digests
    ]


@contextlib.contextmanager
def ring_of(db: View, config: Config) -> Iterator[Ring[Sought]]:
    """Parse processes that read the archive of a crawl. Raises UsageError if only this process can read it."""
    if any(url.partition("://")[0] in objects.readers for url in moved(db).values()):
        raise UsageError(
            "the archive is on other machines: copy or mount the directories of all rings here, or extract there from"
            " the directory of each ring"
        )
    scope = stored_scope(config, db.settings).widest()
    with contextlib.closing(Slots(1, 1)) as slots:  # archived responses need none
        allow_files(config.crawl.parsers, 0)
        arguments = WorkerArguments(
            config=config, scope=scope, archive=db.directory / "warc", clock=SteadyClock.start(), slots=slots
        )
        with contextlib.closing(Ring[Sought](arguments, [], fetch=False)) as ring:
            yield ring


def chosen(db: View, selection: Selection) -> Iterator[list[Capture]]:
    """The answers, in pieces."""
    ids = matching(db, selection.conditions, every=selection.every)
    if selection.sample:
        return captures(db, sampled(db, ids, selection.sample), every=selection.every)
    return captures(db, ids, every=selection.every)


def extract(
    db: View,
    file: ItemsFile,
    config: Config,
    selection: Selection,
    progress: Progress,
    say: Callable[[str], None],
) -> Result:
    """Make items of the answers that have none. Raises UsageError, and CrawlFailedError if an extractor fails on all
    pages, the archive cannot be read or items.db cannot be written."""
    check_reader()
    compile_conditions(selection.conditions, PAGE_RECORDS.row)
    versions = versions_of(config, file)
    with Interrupts(say, STOPPING) as interrupts, rarely_collected(), ring_of(db, config) as ring:
        run = Extraction(config, ring, file, versions, progress)
        interrupts.lead_to(run.stop)
        try:
            with interrupts.interruptible():
                ring.ready()
                run.run(chosen(db, selection), selection.sample or total(db), again=selection.again)
        except StopNow:
            run.stop("interrupted")
    return Result(versions=versions, counts=run.counts, stopped_by=run.stopped_by)


def items(db: View, file: ItemsFile, version: int, selection: Selection) -> Iterator[tuple[str, float, int, str]]:
    """(URL, time of the answer, position on the page, JSON object) of each item of a version: none of deleted pages."""
    for piece in chosen(db, selection):
        outcomes = file.outcomes(version, piece)
        for each in piece:
            if (outcome := outcomes.get((each.id, each.time))) is not None:
                for position, fields in enumerate(outcome.items, 1):
                    yield each.url, each.time, position, fields
