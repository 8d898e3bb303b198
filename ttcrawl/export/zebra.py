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

from ttcrawl.engine.reporting.indexing import check_index
from ttcrawl.engine.reporting.mirror import NICENESS
from ttcrawl.errors import DONE, UsageError
from ttcrawl.export.formats.alvis import BEGIN, END, Alvis, records
from ttcrawl.export.inlinks import Inlinks
from ttcrawl.export.output import Output
from ttcrawl.export.since import TOUCHED, Since, latest
from ttcrawl.export.topics import Topics
from ttcrawl.export.zebraidx import Zebraidx
from ttcrawl.output.display import ReadProgress, tell
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.store.lock import crawled_by
from ttcrawl.store.regular import is_regular, must_be_own, open_regular, replace_file

#: Files in the directory of the index: what it has, who changes it, and what it takes next.
POSITION, LOCK, CHANGES = "ttcrawl.position", "ttcrawl.lock", "ttcrawl.xml"

#: Seconds between two steps at least, and this many times the work of one.
PAUSE, REST = 1.0, 3

#: The share of the time that the links to pages take, which are added to their documents later.
LINKS = 0.05

#: Seconds between two looks at whether the crawl has ended, or another process has.
LOOK = 0.2


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """The latest answer that an index has: its moment, in seconds since the epoch, and the last row of `visit`."""

    moment: float = 0.0
    visit: int = 0


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a crawl is in an index. `complete`: with the links to its pages."""

    crawl: str
    recent: Mark = Mark()
    complete: Mark = Mark()


def index(crawl: Path, directory: Path | None, *, follow: bool) -> int:
    """Bring an index up to date, and return the exit status. `directory`: of Zebra; None: that in config.ini.

    Raises NotACrawl, UsageError, and CrawlFailedError if zebraidx fails.
    """
    with view(crawl) as db:
        directory = directory or (Path(db.config.hooks.zebra) if db.config.hooks.zebra else None)
    if directory is None:
        raise UsageError(f"name the directory of the index, or set [hooks] zebra in {crawl / 'config.ini'}")
    check_index(directory)
    with _locked(directory, wait=follow) as lock, ReadProgress() as progress:
        steps = _Steps(crawl, directory, lock)
        if follow:
            os.setpriority(os.PRIO_PROCESS, 0, max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))
            steps.follow()
        steps.step(progress)
    tell(f"{crawl} is in the index {directory}")
    return DONE


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
            self._position = _read(directory, _name(db))
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
            mark = Mark(moment=latest(db), visit=_last_visit(db))
            since = Since(db, _first(db, self._position.complete if links else self._position.recent), links=links)
            format = Alvis(db, self._topics, Inlinks(db, progress) if progress is not None else None)
            written = self._write(db, format, since)
        if written:
            self._zebraidx.take(CHANGES)
        complete = mark if links else self._position.complete
        self._position = msgspec.structs.replace(self._position, recent=mark, complete=complete)
        replace_file(self._directory / POSITION, msgspec.json.encode(self._position) + b"\n")
        (self._directory / CHANGES).unlink(missing_ok=True)

    def _write(self, db: View, format: Alvis, since: Since) -> bool:
        """Write the changes for zebraidx; return whether there are any."""
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
            return _last_visit(db) != self._position.recent.visit


def _last_visit(db: View) -> int:
    (last,) = db.execute("SELECT coalesce(max(id), 0) FROM visit").fetchone()
    return int(last)


def _first(db: View, mark: Mark) -> float:
    """Return the moment of the first answer behind a mark: an earlier one, if the clock was set back since."""
    (ended,) = db.execute("SELECT min(ended) FROM visit WHERE id > ?", (mark.visit,)).fetchone()
    return mark.moment if ended is None else min(mark.moment, float(ended))


def _name(db: View) -> str:
    """What tells a crawl from another one, also when its directory is moved."""
    return f"{db.settings.get('started', '')} {db.seeds[0] if db.seeds else ''}"


def _read(directory: Path, crawl: str) -> Position:
    """Raises UsageError if the index has another crawl."""
    path = directory / POSITION
    try:
        position = msgspec.json.decode(path.read_bytes(), type=Position) if is_regular(path) else None
    except (OSError, msgspec.DecodeError):
        position = None
    if position is not None and position.crawl != crawl:
        raise UsageError(f"{directory} has another crawl: make an index for each, or delete {path} to add this one")
    return position or Position(crawl=crawl)
