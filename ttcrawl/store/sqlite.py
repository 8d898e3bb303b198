"""crawl.db: the only writer is the crawl process, through this class. One transaction per group of outcomes.

What each page brings is collected and written in batches, before the commit at the latest: new URLs and outcomes
(`ttcrawl.store.pending`), and rows that are written once (pages, links, visits, fingerprints). Look-ups see collected
rows, or write them first. Other statements are executed at once inside the open transaction.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

from ttcrawl.errors import CrawlFailedError
from ttcrawl.store import deletions, versions
from ttcrawl.store.answers import Answers
from ttcrawl.store.batches import Batches
from ttcrawl.store.browser_uses import BrowserUses
from ttcrawl.store.buckets import USUAL, Buckets, Sizes
from ttcrawl.store.compaction import Compaction
from ttcrawl.store.database import PATIENCE, Database, connect
from ttcrawl.store.fingerprints import Fingerprints
from ttcrawl.store.index import Index
from ttcrawl.store.locks import begin, end_log
from ttcrawl.store.mailbox import Mailbox
from ttcrawl.store.moments import Moments
from ttcrawl.store.patterns import PatternRows
from ttcrawl.store.pending import Pending
from ttcrawl.store.recrawls import Recrawls
from ttcrawl.store.retention import Retention
from ttcrawl.store.sites import Cookies, Sites
from ttcrawl.store.soft404 import Soft404s
from ttcrawl.store.unlinked import Unlinked
from ttcrawl.store.unread import Unread
from ttcrawl.store.urls import Urls
from ttcrawl.store.vanished import Vanished
from ttcrawl.web.storable import text


class Store:
    """An open crawl.db: the parts are its tables. `create` makes them; without it they must exist.

    `power` syncs every commit to the disk, so that committed data survives a power failure. `db` is the connection,
    for a caller that looks into the open transaction too; None: one of its own.
    """

    def __init__(
        self,
        path: Path,
        *,
        create: bool = False,
        power: bool = False,
        sizes: Sizes = USUAL,
        db: sqlite3.Connection | None = None,
    ) -> None:
        self._path, self._power = path, power
        self.say: Callable[[str], None] = lambda line: None
        self._db = db or connect(path, power=power)
        if create:
            versions.create(self._db)
        else:
            versions.upgrade(self._db)
        self._index, self._batches = Index(self._db, sizes.new_urls), Batches(self._db)
        self._pending = Pending(self._db, self._index)
        self.urls, self.sites = Urls(self._db, self._index, self._pending), Sites(self._db, self._pending)
        self.answers = Answers(self._db, self._batches, self._pending, self.flush)
        self.recrawls = Recrawls(self._db, self._batches, self.flush)
        self.retention = Retention(self._db)
        self._compaction = Compaction(self._db, path)
        self.vanished, self.unlinked = Vanished(self._db, self.flush), Unlinked(self._db, self.flush)
        self.unread = Unread(self._db, self._batches, self.flush)
        self.browser_uses = BrowserUses(self._db, self._batches, self.flush)
        self.soft_404s = Soft404s(self._db)
        self.buckets = Buckets(self._db, sizes)
        self.fingerprints = Fingerprints(self._db, self._batches, self.flush)
        self.patterns, self.moments = PatternRows(self._db), Moments(self._db)
        self.cookies = Cookies(self._db)
        self._file = os.lstat(path)
        begin(self._db)
        if create:
            versions.note_version(self._db)

    # -- the transaction ------------------------------------------------------------------------------------------

    def commit(self) -> None:
        """Commit. Raises CrawlFailedError if the file has been removed or replaced: the commit would be lost."""
        self.must_be_there()
        self.flush()
        self._index.sweep()
        self.buckets.sweep()
        self._db.execute("COMMIT")
        self._compaction.step()
        begin(self._db, self._wait)

    def _wait(self, seconds: float) -> None:
        """Tell that another program has locked the file: the crawl goes on when it is free."""
        self.say(f"another program has locked {self._path} for {seconds:,.0f} s: the crawl waits until it is free")

    def compact(self) -> str:
        """Commit, and let the file shrink from now on when rows are dropped. Return what the user must do instead."""
        self.commit()
        self._db.execute("COMMIT")
        trouble = self._compaction.begin()
        begin(self._db, self._wait)
        return trouble

    @property
    def there(self) -> bool:
        """Whether the file still has its name: it was neither removed nor replaced."""
        try:
            return os.path.samestat(self._file, os.lstat(self._path))
        except OSError:
            return False

    def must_be_there(self) -> None:
        """Raises CrawlFailedError if the file was removed or replaced: the directory is not ours to change then."""
        if not self.there:
            raise CrawlFailedError(f"{self._path} was removed or replaced during the crawl")

    def sweep(self) -> None:
        """Delete the files that an interrupted deletion has left over."""
        deletions.sweep(Database(self._db), self._path.parent)

    @property
    def directory(self) -> Path:
        """The directory of the crawl."""
        return self._path.parent

    @property
    def seen_file(self) -> Path:
        """The file of the seen filter."""
        return self._path.with_name("seen.bloom")

    def disk_left(self) -> int:
        """Return the free bytes on the file system of the crawl directory."""
        return shutil.disk_usage(self._path.parent).free

    def flush(self) -> None:
        """Write the collected rows (still inside the transaction). Raises UnstorableError."""
        self._pending.flush()
        self._batches.flush()
        self.retention.drop()

    def close(self) -> None:
        """Commit and close; afterwards the directory has crawl.db alone, without write-ahead log.

        If a process is reading, the log stays, without harm: crawl.db has all changes up to the moment that it reads.
        The next command that reads or writes puts the rest into crawl.db.
        """
        self.flush()
        self._index.complete()
        self.buckets.complete()
        self._db.execute("COMMIT")
        end_log(self._db)
        self._db.close()

    def rollback(self) -> None:
        """Return to the last commit."""
        self._pending.clear()
        self._batches.clear()
        self.retention.forget()
        waited = not self._db.in_transaction  # in vain, until the user stopped it
        if not waited:
            self._db.execute("ROLLBACK")
        self._index.restart()
        self.buckets.close()
        self.fingerprints.restart()
        self.answers.restart()
        begin(self._db, patience=0.0 if waited else PATIENCE)

    def abandon(self) -> None:
        """Close, if it is still open, without uncommitted changes."""
        with contextlib.suppress(sqlite3.Error):
            self._db.close()

    # -- the crawl ------------------------------------------------------------------------------------------------

    def set(self, **values: object) -> None:
        rows = [(name, text(str(value))) for name, value in values.items()]
        self._db.executemany("INSERT OR REPLACE INTO crawl VALUES (?, ?)", rows)
        if "seeds" in values:
            self.answers.restart()

    def about(self) -> dict[str, str]:
        """Return table `crawl`, name -> value."""
        return dict(self._db.execute("SELECT name, value FROM crawl"))

    def mailbox(self) -> Mailbox:
        """Return what a ring of a cluster sends and receives; its tables are created here."""
        return Mailbox(self._db)

    def set_archive(self, sizes: Mapping[str, int]) -> None:
        """Note the new sizes of WARC files; with `power` they are on the disk before the rows that refer to them."""
        for name in sizes if self._power else ():
            with open(self._path.parent / "warc" / name, "rb") as file:
                os.fsync(file.fileno())
        self._db.executemany("INSERT OR REPLACE INTO archive VALUES (?, ?)", sizes.items())

    def archive(self) -> dict[str, int]:
        """Return file name -> size in bytes up to the last record in the tables."""
        return dict(self._db.execute("SELECT file, size FROM archive"))
