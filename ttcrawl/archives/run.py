"""One run of `ttcrawl import`: the records of archives become a crawl, or are added to one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from msgspec import Struct

from ttcrawl.archives.indexing import Task, fill
from ttcrawl.archives.lives import Import, Say
from ttcrawl.archives.place import Mode, name_of, placed
from ttcrawl.archives.settle import Tally
from ttcrawl.archives.sources import Source, archives
from ttcrawl.config import Config
from ttcrawl.engine.run import directory
from ttcrawl.engine.run.interrupts import Interrupts
from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.output.steps import Progress
from ttcrawl.ring.garbage import rarely_collected
from ttcrawl.ring.limits import allow_files
from ttcrawl.ring.sizes import processors
from ttcrawl.store.archive_index import NAME, ArchiveIndex
from ttcrawl.store.database import StoreError
from ttcrawl.store.imports import PACKED, ImportedFile
from ttcrawl.store.regular import is_there
from ttcrawl.store.seeds import StoredSeeds
from ttcrawl.store.side_database import side_files
from ttcrawl.store.sqlite import Store

STOPPING = "storing the records in hand, then stopping; Ctrl-C again stops at once"


class Wish(Struct, frozen=True, kw_only=True):
    """What a user wants. `texts`: files, directories and patterns."""

    texts: Sequence[str]
    directory: Path
    config: Config
    mode: Mode = "reference"
    parsers: int = 0


class Outcome(Struct, frozen=True, kw_only=True):
    tally: Tally
    files: Sequence[ImportedFile]
    finished: str  # "done", "interrupted", or a cause


def run(wish: Wish, progress: Progress, say: Say) -> Outcome:
    """Import archives into a crawl directory, which may exist.

    Raises UsageError, and CrawlFailedError if files cannot be read or results cannot be stored.
    """
    found = list(_from_elsewhere(archives(wish.texts, say), wish.directory, say))
    crawl = replace(wish.config.crawl, parsers=wish.parsers or wish.config.crawl.parsers or processors())
    with contextlib.ExitStack() as opened:
        store, config = opened.enter_context(_opened(wish.directory, replace(wish.config, crawl=crawl)))
        config = replace(config, crawl=replace(config.crawl, parsers=crawl.parsers))
        allow_files(crawl.parsers, 0)
        store.say = say
        store.answers.imports.begin()
        placed_files = _placed(found, wish, store)
        path = wish.directory / NAME
        _remove(path)
        opened.callback(_remove, path)
        index = opened.enter_context(contextlib.closing(ArchiveIndex(path)))
        numbered = {task.file: file for file, task in placed_files}
        with Interrupts(say, STOPPING) as interrupts, rarely_collected():
            fill(index, [task for _, task in placed_files], crawl.parsers, progress)
            tally = Tally(seeds=StoredSeeds(store.about()))
            one = Import(wish.directory, config, store, index, numbered, tally, progress, say)
            finished = one.lives(interrupts)
        return _ended(wish.directory, store, Outcome(tally=tally, files=[*numbered.values()], finished=finished))


def _from_elsewhere(sources: Iterable[Source], directory: Path, say: Say) -> Iterator[Source]:
    """Yield the archives that are no files of the crawl itself. Raises UsageError if all are."""
    inside, own, others = directory.resolve(), "", 0
    for source in sources:
        if source.path.resolve().is_relative_to(inside):
            own = f"{source.path} is a part of {directory} already"
            say(f"{own}: it is left out")
            continue
        others += 1
        yield source
    if not others:
        raise UsageError(f"{own}: name archives that are elsewhere")


@contextlib.contextmanager
def _opened(path: Path, config: Config) -> Iterator[tuple[Store, Config]]:
    if is_there(path / "crawl.db"):
        with directory.existing(path) as (store, own):
            yield store, own
        return
    directory.must_be_outside(path)
    about = directory.about_new(config, (), frozenset()) | {"reader": ""}
    with directory.fresh(path, config, about) as store:
        yield store, config


def _placed(found: Sequence[Source], wish: Wish, store: Store) -> list[tuple[ImportedFile, Task]]:
    """Put the files into warc/, unless they are there, and return them with what is to be done for their index."""
    known, files = store.answers.imports.files(), list[tuple[ImportedFile, Task]]()
    names = {each.file for each in known.values()}
    for number, source in enumerate(found, 1):
        path = source.path.resolve()
        file = known.get(str(path))
        new = file is None or file.size != source.size
        if file is None or new:
            file = placed(source, name_of(path, names.__contains__), wish.directory / "warc", wish.mode)
        names.add(file.file)
        warc = wish.directory / "warc" / file.file
        # known, and not there: it could not be packed, as on a full disk
        packed = source if file.mode == PACKED and (new or not warc.exists()) else None
        files.append((file, Task(file=number, path=warc, size=file.size, source=packed, paged=source)))
    return files


def _remove(path: Path) -> None:
    for each in (path, *side_files(path)):
        each.unlink(missing_ok=True)


def _ended(path: Path, store: Store, outcome: Outcome) -> Outcome:
    """Leave the tables in order. Raises CrawlFailedError."""
    finished = outcome.finished
    try:
        store.must_be_there()
        store.rollback()  # what was not committed, after an error
        store.set(finished=finished, in_flight="")
        store.close()
    except (OSError, StoreError, CrawlFailedError) as error:
        finished = finished if finished.startswith("failed: ") else f"failed: {directory.trouble(path, error)}"
    if finished.startswith("failed: "):
        raise CrawlFailedError(f"{finished.removeprefix('failed: ')}; what is imported stays: repeat the command")
    return outcome
