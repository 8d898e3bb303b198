"""`ttcrawl index`: a crawl in an index of Zebra, which follows it while it runs.

A step exports what has changed since the last one, `zebraidx` takes it, and the moment of the export is noted. A
document that it takes twice is the same, so after a kill of either the step is repeated.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ttcrawl.cluster.results.joined import joined
from ttcrawl.engine.reporting.following import give_way
from ttcrawl.engine.reporting.indexing import check_index
from ttcrawl.errors import DONE, UsageError
from ttcrawl.export.formats.alvis import BEGIN, END, Alvis, records
from ttcrawl.export.indexed import (
    POSITION,
    Mark,
    first_behind,
    first_of_rings,
    last_visit,
    mark_of,
    marks_of_rings,
    read_position,
)
from ttcrawl.export.inlinks import Inlinks
from ttcrawl.export.output import Output
from ttcrawl.export.since import TOUCHED, Since
from ttcrawl.export.topics import Topics
from ttcrawl.export.zebraidx import Zebraidx
from ttcrawl.output.display import ReadProgress, tell
from ttcrawl.output.shell import command_line
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.store.lock import crawled_by
from ttcrawl.store.mailbox import is_cluster
from ttcrawl.store.regular import must_be_own, open_regular, replace_file

#: Files in the directory of the index: who changes it, and what it takes next.
LOCK, CHANGES = "ttcrawl.lock", "ttcrawl.xml"

#: Seconds between two steps at least, and this many times the work of one.
PAUSE, REST = 1.0, 3

#: The share of the time that the links to pages take, which are added to their documents later.
LINKS = 0.05

#: Seconds between two looks at whether the crawl has ended, or another process has.
LOOK = 0.2


def index(crawl: Path, directory: Path | None, *, follow: bool) -> int:
    """Bring an index up to date, and return the exit status. `directory`: of Zebra; None: that in config.ini.

    Raises NotACrawl, UsageError, and CrawlFailedError if zebraidx fails.
    """
    rings = is_cluster(crawl)
    if rings and follow:
        raise UsageError(
            "--follow follows one crawl: repeat ttcrawl index while the rings crawl, and when they have ended"
        )
    directory = directory or _configured(crawl, rings=rings)
    check_index(directory)
    with _locked(directory, wait=follow) as lock, ReadProgress() as progress:
        if rings:
            _index_rings(crawl, directory, lock, progress)
        else:
            steps = _Steps(crawl, directory, lock)
            if follow:
                give_way()
                steps.follow()
            steps.step(progress)
    tell(f"{crawl} is in the index {directory}")
    return DONE


def _configured(crawl: Path, *, rings: bool) -> Path:
    """Return the index that config.ini names. Raises UsageError if it names none."""
    if rings:
        raise UsageError(f"name the directory of the index: {command_line('index', crawl, 'INDEX')}")
    with view(crawl) as db:
        if not db.config.hooks.zebra:
            raise UsageError(f"name the directory of the index, or set [hooks] zebra in {crawl / 'config.ini'}")
        return Path(db.config.hooks.zebra)


def _index_rings(cluster: Path, directory: Path, lock: int, progress: ReadProgress) -> None:
    """Bring all rings of a cluster up to date in an index, as one crawl."""
    marks = marks_of_rings(cluster)
    steps = _Steps(joined(cluster, progress), directory, lock)
    steps.step_of_rings(cluster, marks, progress)


@contextlib.contextmanager
def _locked(directory: Path, *, wait: bool) -> Iterator[int]:
    """One process changes an index. `wait`: for another one, such as the process of a crawl that was killed.

    Yields the descriptor of the lock, for zebraidx: it may outlive the process that started it.
    """
    path = directory / LOCK
    must_be_own(path)
    with open(open_regular(path, os.O_RDWR | os.O_CREAT), "rb") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not wait:
                    raise UsageError(f"another process changes {directory}: wait until it has ended") from None
            time.sleep(LOOK)
        yield file.fileno()


class _Steps:
    def __init__(self, crawl: Path, directory: Path, lock: int) -> None:
        self._crawl, self._directory = crawl, directory
        with view(crawl) as db:
            self._topics = Topics(db)
            self._position = read_position(directory, db)
        self._zebraidx = Zebraidx(directory, lock)

    def follow(self) -> None:
        """Take what a crawl commits, until it has ended."""
        links = 0.0  # when they are next
        while crawled_by(self._crawl):
            begun = time.monotonic()
            if begun >= links:
                self.step(ReadProgress())
                links = time.monotonic() + (time.monotonic() - begun) / LINKS
            elif self._is_new():
                self.step(None)
            end = time.monotonic() + max(PAUSE, REST * (time.monotonic() - begun))
            while crawled_by(self._crawl) and time.monotonic() < end:
                time.sleep(LOOK)

    def step(self, progress: ReadProgress | None) -> None:
        """Take what has changed. `progress`: of reading the links to pages; None: without them."""
        links = progress is not None
        with view(self._crawl) as db:
            mark = mark_of(db)
            first = first_behind(db, self._position.complete if links else self._position.recent)
            written = self._write(db, first, progress)
        self._take(written=written, recent=mark, complete=mark if links else self._position.complete)

    def step_of_rings(self, cluster: Path, marks: dict[int, Mark], progress: ReadProgress) -> None:
        """Take what has changed in the rings of which the crawl is made. `marks`: as of before they were joined."""
        first = first_of_rings(cluster, self._position.rings, marks)
        with view(self._crawl) as db:
            written = self._write(db, first, progress)
        self._take(written=written, rings=marks)

    def _take(self, *, written: bool, **marks: Mark | dict[int, Mark]) -> None:
        """Bring the changes into the index, and note what it has now."""
        if written:
            self._zebraidx.take(CHANGES)
        self._position = msgspec.structs.replace(self._position, **marks)
        replace_file(self._directory / POSITION, msgspec.json.encode(self._position) + b"\n")
        (self._directory / CHANGES).unlink(missing_ok=True)

    def _write(self, db: View, first: float, progress: ReadProgress | None) -> bool:
        """Write what has changed since a moment for zebraidx; return whether there is anything."""
        since = Since(db, first, links=progress is not None)
        format = Alvis(db, self._topics, Inlinks(db, progress) if progress is not None else None)
        path = self._directory / CHANGES
        path.unlink(missing_ok=True)
        with open(open_regular(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
            out = Output(file)
            out.write(BEGIN)
            written = False
            for record in records(format, out.pieces(db, TOUCHED.pieces), since):
                written = True
                out.write(record)
            out.write(END)
            out.flush()
        return written

    def _is_new(self) -> bool:
        with view(self._crawl) as db:
            return last_visit(db) != self._position.recent.visit
