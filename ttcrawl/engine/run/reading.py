"""One run of `ttcrawl read`: the pages of a crawl whose reading was put off are read from the archive."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ttcrawl.config import Config
from ttcrawl.core import check_reader, reader
from ttcrawl.engine.duplicates.originals import Originals
from ttcrawl.engine.run import directory
from ttcrawl.engine.run.interrupts import Interrupts, StopNow
from ttcrawl.engine.run.second_stage import SecondStage, readers_since
from ttcrawl.engine.settle import Soft404Marker
from ttcrawl.errors import DONE, STOPPED, CrawlFailedError
from ttcrawl.output.number import counted
from ttcrawl.output.shell import command_line
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.parse.stages import second_stage
from ttcrawl.ring.clock import SteadyClock
from ttcrawl.ring.garbage import rarely_collected
from ttcrawl.ring.limits import allow_files
from ttcrawl.ring.pools import Ring, WorkerArguments
from ttcrawl.ring.sizes import processors
from ttcrawl.ring.slots import Slots
from ttcrawl.store.batches import UnstorableError
from ttcrawl.store.database import StoreError
from ttcrawl.store.sqlite import Store
from ttcrawl.store.stored_scope import stored_scope
from ttcrawl.store.trim import trim_archive
from ttcrawl.store.unread import UnreadPage

STOPPING = "storing the pages in hand, then stopping; Ctrl-C again stops at once"

#: Called with a step, the count done, and the total.
Progress = Callable[[str, int, int], None]


@dataclass(slots=True, kw_only=True)
class Run:
    """The directory, the means and the counts of one run."""

    path: Path
    config: Config
    store: Store
    slots: Slots
    progress: Progress
    say: Callable[[str], None]
    total: int  # unread pages at its start
    about: Mapping[str, str] = field(default_factory=dict)  # table `crawl` at its start
    failed: int = 0  # pages that could not be read


def read(path: Path, parsers: int, progress: Progress, say: Callable[[str], None], *, ring: bool = False) -> int:
    """Read all unread pages of a crawl; return the exit status. `parsers`: parse processes; 0: one for each processor.

    `ring`: it may be the directory of a ring.

    Raises UsageError if a process is crawling, CrawlFailedError if the pages cannot be read or stored.
    """
    check_reader()
    with contextlib.ExitStack() as opened:
        store, config = opened.enter_context(directory.existing(path, ring=ring))
        crawl = replace(config.crawl, parsers=parsers or processors())  # no fetch process competes for them
        config = second_stage(replace(config, crawl=crawl))
        slots = opened.enter_context(contextlib.closing(Slots(1, 1)))  # archived responses need none
        allow_files(config.crawl.parsers, 0)
        store.say = say
        run = Run(path=path, config=config, store=store, slots=slots, progress=progress, say=say, total=0)
        try:
            trim_archive(path, store)
            run.total = store.unread.count()
            if run.total:
                run.about = store.about()
                store.unread.begin()
                store.set(reader=reader())
                store.commit()
        except (OSError, StoreError) as error:
            raise CrawlFailedError(f"cannot read {path}: {directory.trouble(path, error)}") from error
        with Interrupts(say, STOPPING) as interrupts, rarely_collected():
            return _end(run, _lives(run, interrupts))


def _lives(run: Run, interrupts: Interrupts) -> str:
    """Read; after results that cannot be stored, return to the last commit and continue without them.

    Returns how it ended: "done", "interrupted", "min_disk" or "failed: why".
    """
    unstorable: dict[str, str] = {}
    scope = stored_scope(run.config, run.store.about()).widest()
    clock = SteadyClock.start()
    arguments = WorkerArguments(config=run.config, scope=scope, archive=run.path / "warc", clock=clock, slots=run.slots)
    while True:
        try:
            # processes that are not closed would keep this one from ending
            with contextlib.closing(Ring[UnreadPage](arguments, [], fetch=False)) as ring:
                return _stage(run, ring, clock, interrupts, unstorable)
        except UnstorableError as error:
            if not error.urls.keys() - unstorable.keys():
                return f"failed: {error}"  # its failure could not be stored either
            unstorable |= error.urls
            run.say(f"{error}; continuing from the last commit without it")
            run.store.rollback()


def _stage(
    run: Run, ring: Ring[UnreadPage], clock: SteadyClock, interrupts: Interrupts, unstorable: dict[str, str]
) -> str:
    already = run.total - run.store.unread.count()
    stage = SecondStage(
        run.config,
        run.store,
        ring,
        clock,
        lambda done: run.progress("pages", already + done, run.total),
        run.say,
        unstorable,
    )
    try:
        with interrupts.interruptible():
            interrupts.lead_to(stage.stop)
            stage.run()
            _mark(run)
        return stage.stopped_by or "done"
    except StopNow:
        return "interrupted"
    except (CrawlFailedError, StoreError, OSError) as error:
        return f"failed: {directory.trouble(run.path, error)}"
    finally:
        run.failed += stage.failed


def _mark(run: Run) -> None:
    """Mark duplicates and soft 404s by the texts that are there now."""
    # also if all marks are made: a kill after the last one leaves the table of buckets incomplete
    Originals(run.store, run.config.duplicates).mark_anew(lambda done, of: run.progress("duplicates", done, of))
    Soft404Marker(run.config.duplicates, run.store, lambda done, of: run.progress("soft 404s", done, of)).run()
    run.store.commit()


def _end(run: Run, finished: str) -> int:
    """Leave the tables in order, and report how the run ended."""
    try:
        run.store.must_be_there()
        run.store.rollback()  # of what was committed, nothing
        unread, readers = run.store.unread.count(), readers_since(run.about, run.store.about())
        run.store.close()
    except (OSError, StoreError, CrawlFailedError) as error:
        finished = finished if finished.startswith("failed: ") else f"failed: {directory.trouble(run.path, error)}"
    if finished.startswith("failed: "):
        hint = f"; committed data is kept: continue with {command_line('read', run.path)}" if run.store.there else ""
        raise CrawlFailedError(finished.removeprefix("failed: ") + hint)
    errors = f", {run.failed:,} of them with an error: see column parse_error of table page" if run.failed else ""
    done = run.total - unread
    pages = f"{counted(done, 'page')} read{errors}{readers and f'; {readers}'}"
    print(escape_untrusted(f"{run.path}: {pages if run.total else 'no page is unread'}"), flush=True)
    if finished == "done":
        return DONE
    run.say(f"stopped ({finished}) with {unread:,} unread; {command_line('read', run.path)} continues")
    return STOPPED
