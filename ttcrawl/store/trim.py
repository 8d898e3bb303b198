"""Put the archive in order while no process writes: remove bytes and files of the crawl that the tables do not have.

The first record of a file names the run that made it. A file that the last run made and the tables do not have is
removed. Other unknown files, and symbolic links, do not belong to the crawl: they are reported and not changed.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Mapping
from pathlib import Path

from ttcrawl.errors import CrawlFailedError
from ttcrawl.ring.position import is_name
from ttcrawl.store.archive_objects import remove_moved
from ttcrawl.store.files import remove_parts
from ttcrawl.store.regular import is_link, is_regular, open_regular
from ttcrawl.store.sqlite import Store

#: Seconds that processes of a killed crawl may take to end.
LINGER = 10.0


def trim_archive(directory: Path, store: Store) -> list[str]:
    """Do the same for an open crawl, and first complete what was being moved to object storage."""
    objects = store.answers.archive_objects
    remove_moved(directory / "warc", objects.all())
    return trim(directory, objects.in_warc(), store.about().get("run", ""))


def trim(directory: Path, known: Mapping[str, int], run: str) -> list[str]:
    """Cut the WARC files to their sizes in the tables, and remove unknown files of the last run. Return foreign files.

    `known`: file -> bytes in the tables; the rest is incomplete or unknown. `run`: the last run. Foreign files are WARC
    files in the directory that do not belong to this crawl.
    """
    warc = directory / "warc"
    for name, size in known.items():
        path = warc / name
        if not is_name(name):
            raise CrawlFailedError(f"crawl.db names {name!r}, which is not a WARC file of a crawl: see ttcrawl verify")
        if is_link(path):
            raise CrawlFailedError(f"{path} is a symbolic link, which is not followed: put the file itself there")
        if not path.exists():
            raise CrawlFailedError(f"{path} is missing: restore the file")
        _cut(path, size)
    foreign = []
    for path in sorted(warc.glob("*.warc.gz")):
        if path.name not in known and not _removed(path, run):
            foreign.append(path.name)
    remove_parts(directory / "files")  # no process writes them now
    return foreign


def _cut(path: Path, size: int) -> None:
    with open(open_regular(path, os.O_RDWR), "r+b") as file:
        _wait_for(file.fileno(), path)
        there = os.fstat(file.fileno()).st_size
        if there < size:
            raise CrawlFailedError(f"{path} is shorter than the {size} bytes that crawl.db records: restore the file")
        if there > size:
            file.truncate(size)


def _removed(path: Path, run: str) -> bool:
    """Remove a file if the last run made it; return whether it did."""
    if not is_name(path.name) or not is_regular(path):
        return False
    from ttcrawl.store.warc import made_by  # a crawl that ends as it should has no such file

    with open(open_regular(path, os.O_RDWR), "rb") as file:
        _wait_for(file.fileno(), path)
        if not made_by(file, path.name, run):
            return False
        path.unlink()
    return True


def _wait_for(file: int, path: Path) -> None:
    """Wait for the lock of a file: a parse process that outlives its killed crawl process has it until it ends."""
    end = time.monotonic() + LINGER
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > end:
                raise CrawlFailedError(f"another process is still writing {path}: end it, then resume") from None
            time.sleep(0.05)
