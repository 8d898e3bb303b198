"""The archive put in order while nobody writes: what the tables do not speak of goes, as far as the crawl has made it.

A file that a run has begun and of which the tables know nothing says in its first record which run that was. All other
files that they do not know, and symbolic links, are somebody else's: they are named, and left alone.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Mapping
from pathlib import Path

from ttcrawl.errors import CrawlFailedError
from ttcrawl.ring.position import is_name
from ttcrawl.store.files import remove_parts
from ttcrawl.store.regular import is_link, is_regular, open_regular
from ttcrawl.store.warc import made_by

#: Seconds that processes of a crawl that was killed may take to end.
LINGER = 10.0


def trim(directory: Path, known: Mapping[str, int], run: str) -> list[str]:
    """Cut the WARC files to what the tables speak of, `known` says for each: what follows is torn, or not known; and
    remove those that the last run, `run`, made in vain. The names of WARC files there that are not of this crawl."""
    warc = directory / "warc"
    for name, size in known.items():
        path = warc / name
        if not is_name(name):
            raise CrawlFailedError(f"crawl.db speaks of a WARC file {name!r}, which is none of ours: ttcrawl verify")
        if is_link(path):
            raise CrawlFailedError(f"{path} is a symbolic link, which is not followed: put the file itself there")
        if not path.exists():
            raise CrawlFailedError(f"{path} is missing: restore the file")
        _cut(path, size)
    foreign = []
    for path in sorted(warc.glob("*.warc.gz")):
        if path.name not in known and not _removed(path, run):
            foreign.append(path.name)
    remove_parts(directory / "files")  # nobody writes any more
    return foreign


def _cut(path: Path, size: int) -> None:
    with open(open_regular(path, os.O_RDWR), "r+b") as file:
        _wait_for(file.fileno(), path)
        there = os.fstat(file.fileno()).st_size
        if there < size:
            raise CrawlFailedError(f"{path} is shorter than the {size} bytes that crawl.db speaks of: restore the file")
        if there > size:
            file.truncate(size)


def _removed(path: Path, run: str) -> bool:
    """Remove a file that the last run made; False: it has not."""
    if not is_name(path.name) or not is_regular(path):
        return False
    with open(open_regular(path, os.O_RDWR), "rb") as file:
        _wait_for(file.fileno(), path)
        if not made_by(file, path.name, run):
            return False
        path.unlink()
    return True


def _wait_for(file: int, path: Path) -> None:
    """A parse process that outlived its killed crawl process has the lock of its file until it ends."""
    end = time.monotonic() + LINGER
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > end:
                raise CrawlFailedError(f"another process is still writing {path}: end it, then resume") from None
            time.sleep(0.05)
