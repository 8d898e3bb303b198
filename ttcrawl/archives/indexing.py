"""The files of an import are indexed by several processes at once; what must be packed anew is packed first."""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path

from msgspec import Struct

from ttcrawl.archives.packed import pack, pages
from ttcrawl.archives.records import records
from ttcrawl.archives.sources import Source
from ttcrawl.errors import CrawlFailedError
from ttcrawl.output.steps import Progress
from ttcrawl.store.archive_index import ArchiveIndex, Damage
from ttcrawl.store.database import StoreError

#: Seconds between two looks at how far they are.
LOOK = 0.5

#: Records that are written at once.
BATCH = 2_000

DIED = "a process that reads the archives has died, perhaps for want of memory: repeat the command with fewer --parsers"


class Task(Struct, frozen=True, kw_only=True):
    """A file to be indexed, whose members are at `path`; `source`: it is packed anew from there first."""

    file: int
    path: Path
    size: int
    source: Source | None = None
    paged: Source | None = None  # whose list of pages is read; None: none


def fill(index: ArchiveIndex, tasks: Sequence[Task], workers: int, progress: Progress) -> None:
    """Index files into a new database. What cannot be read is noted there. Raises CrawlFailedError."""
    try:
        index.create((task.file, task.size) for task in tasks)
        _fill_at_once(index, tasks, workers, progress)
        index.complete()
    except BrokenProcessPool as error:
        raise CrawlFailedError(DIED) from error
    except StoreError as error:
        raise CrawlFailedError(f"{index.path}: {error}; make room on its disk, and repeat the command") from error


def _fill_at_once(index: ArchiveIndex, tasks: Sequence[Task], workers: int, progress: Progress) -> None:
    total = sum(task.size for task in tasks)
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(max(1, min(workers, len(tasks))), context) as pool:
        # the largest first, so that the last process does not work alone
        ordered = sorted(tasks, key=lambda task: -task.size)
        remaining = {pool.submit(_fill, index.path, task) for task in ordered}
        try:
            while remaining:
                done, remaining = wait(remaining, LOOK, FIRST_EXCEPTION)
                for each in done:
                    each.result()
                progress("bytes of the archives", index.position(), total)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _fill(index: Path, task: Task) -> None:
    """Index a file, in a process of its own."""
    with contextlib.closing(ArchiveIndex(index)) as opened:
        try:
            _add(opened, task)
        except OSError as error:
            opened.end(task.file, error.strerror or str(error))
        else:
            opened.end(task.file)


def _add(index: ArchiveIndex, task: Task) -> None:
    """Raises OSError."""
    damages, position = list[Damage](), 0
    if task.source is not None:
        pack(task.source, task.path, lambda offset, what: damages.append(Damage(offset=offset, what=what)))
        index.add(task.file, damages, 0)
    if task.paged is not None and (urls := pages(task.paged)) is not None:
        index.add_pages(task.file, urls)

    def progress(at: int) -> None:
        nonlocal position
        position = at

    some = records(task.path, progress)
    while batch := list(islice(some, BATCH)):
        index.add(task.file, batch, position)
