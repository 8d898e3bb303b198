"""One deletion, from the selection to the last file."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ttcrawl.config import Config, read_own
from ttcrawl.engine.run.archive import run_of
from ttcrawl.errors import CrawlFailedError
from ttcrawl.maintain.delete import deleted_rows, marks, payloads, purge
from ttcrawl.maintain.delete.selection import Which, select
from ttcrawl.maintain.repair import next_name
from ttcrawl.output.shell import command_line
from ttcrawl.output.steps import Progress
from ttcrawl.ring.position import Position, series_and_number
from ttcrawl.snapshot.snapshot import view
from ttcrawl.store.database import Database, StoreError
from ttcrawl.store.deletions import RECORD, WARC, sweep
from ttcrawl.store.imports import imported_files
from ttcrawl.store.mending import Mending, end_log, mending
from ttcrawl.store.seeds import seeds_of
from ttcrawl.store.stopped import stopped


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """What was done. `purged`: WARC records that are gone; `remaining`: records of deleted pages in WARC files;
    `imported`: those in imported files, which stay as they are."""

    counts: deleted_rows.Counts
    purged: int
    remaining: int
    imported: int = 0


def preview(directory: Path, which: Which) -> deleted_rows.Counts:
    """Count what a deletion would delete; change nothing. Raises UsageError, NotACrawl."""
    with view(directory) as db, db.damage():
        return _selected(db, which)


def remaining(db: Database) -> tuple[int, int]:
    """The numbers of WARC records of deleted pages that were not purged: those that a purge removes, and those in
    imported files."""
    imported = {each.file for each in imported_files(db)}
    by_file = db.execute("SELECT file, count(*) FROM leftover WHERE kind = ? GROUP BY file", (RECORD,)).fetchall()
    staying = sum(count for file, count in by_file if file in imported)
    return sum(count for _, count in by_file) - staying, staying


def is_unfinished(directory: Path) -> bool:
    """Whether a deletion was interrupted, so that files or bytes are left over that the next one removes."""
    with view(directory) as db:
        return db.execute("SELECT 1 FROM leftover WHERE kind != ?", (RECORD,)).fetchone() is not None


def delete(directory: Path, which: Which, progress: Progress, *, purge_too: bool) -> Deleted:
    """Delete, after completing an earlier deletion. Raises UsageError while the crawl runs, CrawlFailedError."""
    with stopped(directory, ring=True):
        config = read_own(directory)
        progress("tables", 0, 0)
        with _failing(directory, "nothing is deleted: free the disk or mend it, then run ttcrawl delete again"):
            try:
                count = _delete_rows(directory, config, which, purge_too=purge_too)
            except BaseException:
                with suppress(OSError, CrawlFailedError), mending(directory / "crawl.db") as db:
                    sweep(db, directory)  # the new file: no row refers to it
                raise
        again = command_line("delete", directory)
        remedy = f"the pages are deleted: free the disk or mend it, then {again} completes the rest"
        with _failing(directory, remedy):
            return _delete_files(directory, config, count, progress)


@contextmanager
def _failing(directory: Path, state: str) -> Iterator[None]:
    """Raises CrawlFailedError for errors of the disk and of the database; `state`: what they leave, and the remedy."""
    try:
        yield
    except OSError as error:
        raise CrawlFailedError(f"{error.filename or directory}: {error.strerror}; {state}") from error
    except CrawlFailedError as error:
        if not isinstance(error.__cause__, StoreError):
            raise
        raise CrawlFailedError(f"cannot change {directory / 'crawl.db'}: {error.__cause__}; {state}") from error


def _delete_rows(directory: Path, config: Config, which: Which, *, purge_too: bool) -> deleted_rows.Counts:
    """Delete the rows, and note what of them is left on the disk, in one transaction."""
    database = directory / "crawl.db"
    with mending(database) as db:
        sweep(db, directory)
        count = _selected(db, which)
        position = _new_file(db, directory, config) if count.urls and payloads.are_shared(db) else None
    with mending(database) as db:
        _selected(db, which)
        now = round(time.time(), 3)
        if position is not None:
            payloads.move(db, directory / "warc", position, now)
        if count.urls:
            marks.leave_buckets(db)
            deleted_rows.delete(db, str(which), now)
        if purge_too:
            purge.begin(db)
    return count


def _delete_files(directory: Path, config: Config, count: deleted_rows.Counts, progress: Progress) -> Deleted:
    """Remove what is left on the disk."""
    database = directory / "crawl.db"
    with mending(database) as db:
        sweep(db, directory)
        purge_too = purge.is_begun(db)
        unsettled = db.execute("SELECT 1 FROM unsettled").fetchone() is not None
    if unsettled:
        marks.settle(directory, config, progress)
    purged = purge.purge(directory, progress) if purge_too else 0
    with mending(database) as db:
        left, imported = remaining(db)
        deleted = Deleted(counts=count, purged=purged, remaining=left, imported=imported)
    end_log(database)
    return deleted


def _selected(db: Database, which: Which) -> deleted_rows.Counts:
    select(db, which)
    if not which:
        db.execute("DELETE FROM gone")
    return deleted_rows.counts(db)


def _new_file(db: Mending, directory: Path, config: Config) -> Position:
    """Return the position of a new WARC file. It is noted, so that an interrupted deletion leaves none."""
    about = dict(db.execute("SELECT name, value FROM crawl"))
    run = run_of(directory, about.get("run", ""), config, seeds_of(about), time.time(), ring="ring" in about)
    _, number = series_and_number(next_name(db, directory / "warc", Position(series=0, run=run).file))
    position = Position(series=0, number=number, run=run)
    db.execute("INSERT OR IGNORE INTO leftover (kind, file) VALUES (?, ?)", (WARC, position.file))
    return position
