"""view.db of a crawl that somebody looks at: a thread keeps it up to date as long as a window is open.

While the crawl runs, the thread works a twentieth of the time, so that the crawl has the machine. In a directory that
cannot be written, the file is a temporary one. Without a file the screens read crawl.db alone, and slower.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.inspect.listing.update import Update
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.snapshot.tail import Tail
from ttcrawl.store.database import StoreError
from ttcrawl.store.lock import crawled_by
from ttcrawl.store.stamp import stamp_of
from ttcrawl.store.view_db import APPLICATION, NAME, VERSION, open_view

#: Seconds between two looks at a crawl, and after an error.
PAUSE, PATIENCE = 1.0, 5.0

#: Seconds of rest for each second of work while the crawl runs.
REST = 20.0

_CACHE = "PRAGMA listing.cache_size = -32768"


class Listing:
    """The view.db of one crawl."""

    def __init__(self, directory: Path) -> None:
        self.trouble = ""  # why there is no file, for people
        self._directory = directory
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._tail = Tail()
        self._ends, self._first = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._keep, name=f"view.db of {directory}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._ends.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._temporary is not None:
            self._temporary.cleanup()

    @property
    def path(self) -> Path:
        return (Path(self._temporary.name) if self._temporary else self._directory) / NAME

    def wait(self, seconds: float) -> None:
        """Wait until the file was once up to date since `start`."""
        self._first.wait(seconds)

    def attach(self, db: View) -> bool:
        """Give a view the tables of view.db as `listing`. Return whether there are any."""
        return attach(db, self.path)

    def _keep(self) -> None:
        while not self._ends.is_set():
            pause = PAUSE
            try:
                self.bring_up_to_date()
                self.trouble = ""
                self._first.set()
            except (UsageError, CrawlFailedError, StoreError, OSError) as error:
                self.trouble, pause = str(error), PATIENCE
            self._ends.wait(pause)

    def bring_up_to_date(self) -> None:
        """Do what there is to do; while the crawl runs, without the round over all URLs. Raises UsageError for a file
        that is not ours, NotACrawl, CrawlFailedError, StoreError, OSError."""
        self._open()
        if not self._update():
            self._open(anew=True)
            self._update()

    def _update(self) -> bool:
        """Return False if the file is of another crawl, which was in this directory before."""
        running = bool(crawled_by(self._directory))
        seen = stamp_of(self._directory)
        with view(self._directory, self._tail) as db:
            db.execute("ATTACH ? AS listing", (_uri(self.path, "rw"),))
            db.execute(_CACHE)
            row = db.execute("SELECT crawl, seen FROM listing.progress").fetchone()
            if row is not None and row[0] != db.settings.get("started", ""):
                return False
            if row is not None and row[1] == seen and not running:
                return True
            update = Update(db)
            self._paced(update, update.step, running=running)
            if running:
                self._work(update, update.sweep, running=True)
            elif self._paced(update, lambda: not update.sweep(), running=False):
                db.execute("UPDATE listing.progress SET seen = ?", (seen,))
                update.done()
            return True

    def _paced(self, update: Update, step: Callable[[], bool], *, running: bool) -> bool:
        """Take steps as long as there is something to do. Return whether it was all done."""
        while not self._ends.is_set():
            if not self._work(update, step, running=running):
                return True
        return False

    def _work(self, update: Update, step: Callable[[], bool], *, running: bool) -> bool:
        """Take a step, and rest in proportion to it. Return what the step returns."""
        begun = time.monotonic()
        more = step()
        update.done()
        if running:
            self._ends.wait((time.monotonic() - begun) * REST)
        return more

    def _open(self, *, anew: bool = False) -> None:
        """Make the file if there is none."""
        try:
            file = open_view(self.path)
        except (OSError, StoreError):
            if self._temporary is not None or os.access(self._directory, os.W_OK):
                raise
            self._temporary = tempfile.TemporaryDirectory(prefix="ttcrawl-view-")
            file = open_view(self.path)
        with closing(file):
            if anew:
                file.empty()


class Listings:
    """The view.db of each crawl that was looked at."""

    def __init__(self) -> None:
        self._of: dict[Path, Listing] = {}
        self._lock = threading.Lock()

    def of(self, directory: Path) -> Listing:
        """The one of a crawl; it is kept up to date from now on."""
        with self._lock:
            if directory not in self._of:
                self._of[directory] = Listing(directory)
                self._of[directory].start()
            return self._of[directory]

    def close(self) -> None:
        for each in self._of.values():
            each.close()


def attach(db: View, path: Path) -> bool:
    """Give a view the tables of a view.db as `listing`, for reading. Return whether there are any."""
    with suppress(StoreError):
        db.execute("ATTACH ? AS listing", (_uri(path, "ro"),))
        form = [db.execute(f"PRAGMA listing.{name}").fetchone()[0] for name in ("application_id", "user_version")]
        if form == [APPLICATION, VERSION] and db.execute("SELECT 1 FROM listing.progress").fetchone():
            db.has_listing = True
            return True
    return False


def _uri(path: Path, mode: str) -> str:
    return f"file:{quote(os.fsencode(path.absolute()))}?mode={mode}"
