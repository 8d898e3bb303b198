"""A crawl that no process is crawling: what its directory is, and the one way to change it."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.output.shell import command_line
from ttcrawl.store import lock, staged, versions
from ttcrawl.store.damage import sound, unusable
from ttcrawl.store.database import StoreError, is_damage, why
from ttcrawl.store.lock import Lock, is_lock
from ttcrawl.store.mailbox import CLUSTER, JOINED, cluster_in, ring_of
from ttcrawl.store.nearby import nearby_crawls
from ttcrawl.store.regular import is_link, is_there
from ttcrawl.store.schema import VERSION
from ttcrawl.topic.files import DIRECTORY, NAMES

#: Names that ttcrawl creates in a crawl directory, at once or later.
OURS = ("config.ini", "warc", "files", "seen.bloom", "events.position", "outcome.position", DIRECTORY)

#: crawl.db and the files that SQLite may put beside it.
DATABASE = ("crawl.db", "crawl.db-wal", "crawl.db-shm", "crawl.db-journal")

#: The files that change together with crawl.db.
CHANGING = ("config.ini", *(f"{DIRECTORY}/{name}" for name in NAMES.values()))

#: The directory of a crawl before crawl.db has its name.
BEGINNING = ".ttcrawl-new"


@contextlib.contextmanager
def stopped(directory: Path, *, ring: bool = False) -> Iterator[None]:
    """Keep other processes from a crawl that is not running, after completing what an interrupted one has begun.

    Every command that changes a stopped crawl does it inside this block.

    `ring`: it may be the one of a ring of a cluster. Raises UsageError if there is none or a process is crawling.
    """
    check(directory)
    must_be_own(directory)
    if not ring:
        must_be_complete(directory)
    with contextlib.closing(Lock(directory)):
        check(directory)  # another process may have replaced it
        complete(directory)
        with failing(directory), sound(directory / "crawl.db", f"use {directory}"):
            staged.complete(directory, CHANGING)
        yield


@contextlib.contextmanager
def failing(directory: Path) -> Iterator[None]:
    """Raises CrawlFailedError for errors of the database inside the block."""
    try:
        yield
    except StoreError as error:
        raise CrawlFailedError(f"cannot use {directory / 'crawl.db'}: {why(error)}") from error


def check(directory: Path) -> None:
    """Raises UsageError unless this is a crawl directory with tables of a known version, CrawlFailedError if crawl.db
    cannot be read now."""
    path = directory / "crawl.db"
    if is_link(path):
        raise UsageError(f"{path} is a symbolic link, which is not followed: name the directory that contains the file")
    if path.is_file() and path.stat().st_nlink > 1:  # https://www.sqlite.org/howtocorrupt.html section 2.5
        raise UsageError(f"{path} is a hard link, so another file would change too: put a copy in its place")
    if not path.is_file() or not is_there(path):
        if directory.parts[:1] in (("http:",), ("https:",)):
            url = str(directory).replace(":/", "://", 1)
            raise UsageError(f"{url} is a URL: name the directory of its crawl")
        missing = "crawl.db is empty" if path.is_file() else "no crawl.db"
        raise UsageError(f"{directory} contains no crawl ({missing}); {_instead(directory)}")
    try:
        version = versions.version_of(path)
    except StoreError as error:
        if not is_damage(error):
            raise CrawlFailedError(f"cannot open {path}: {why(error)}") from error
        raise UsageError(unusable(directory, error)) from error
    if not versions.known(version):
        raise UsageError(
            f"{directory} has tables of version {version}, this ttcrawl writes {VERSION}: use the other ttcrawl"
        )


def must_be_own(directory: Path) -> None:
    """Raises UsageError for the crawl that is made of the rings of a cluster: a change of it would be lost."""
    path = directory.resolve()
    if path.name == JOINED and (path.parent / CLUSTER).exists():
        raise UsageError(
            f"{directory} is made of the rings of a cluster whenever they have changed: change the rings, or a crawl of"
            f" its own: {command_line('cluster', 'gather', path.parent, '-o', 'OUT')}"
        )


def must_be_complete(directory: Path) -> None:
    """Raises UsageError for the directory of a ring: what it has is a part of a crawl."""
    if ring := ring_of(directory / "crawl.db"):
        cluster = directory.parent if directory.name not in ("", "..") else directory.resolve().parent
        resume = command_line("cluster", "resume", cluster)
        raise UsageError(
            f"{directory} is ring {ring} of a cluster, so a part of a crawl: continue the whole with {resume} or"
            f" recrawl, and change it by giving {cluster} to this command"
        )


def complete(directory: Path) -> None:
    """Complete the directory once crawl.db exists."""
    beginning = directory / BEGINNING
    if beginning.is_dir() and not is_link(beginning):
        if not os.path.lexists(directory / "config.ini"):
            if (beginning / DIRECTORY).exists():
                os.rename(beginning / DIRECTORY, directory / DIRECTORY)
            os.rename(beginning / "config.ini", directory / "config.ini")
        (directory / "warc").mkdir(exist_ok=True)
        shutil.rmtree(beginning)


def _instead(directory: Path) -> str:
    if instead := cluster_in(directory):
        return instead
    if (directory / BEGINNING).is_dir() or (is_lock(directory / lock.NAME) and not (directory / "warc").exists()):
        return f"a crawl was begun but not created: ttcrawl crawl SEED -d {directory} begins again"
    return f"name the directory that was given to -d{nearby_crawls(directory)}"
