"""Private directories of converters: created, measured, and removed with any content."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

PREFIX = "ttcrawl-document-"
BLOCK = 4096  # size counted for an empty file or a directory
MAX_DEPTH = 100


@contextlib.contextmanager
def private(parent: Path) -> Iterator[Path]:
    """A directory of mode 0700, removed afterwards. Raises OSError if it cannot be created."""
    directory, lock = _locked(parent)
    try:
        yield directory
    finally:
        remove(directory)
        os.close(lock)


def remove_abandoned(parent: Path) -> None:
    """Remove directories left there by killed processes.

    Each is locked by its process. A process number would not do: one of another container, which may share this
    directory, is not seen here.
    """
    for directory in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # locked, or removed meanwhile
            found = directory.lstat()
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
                continue  # chmod would follow a link that somebody else has placed there
            os.chmod(directory, stat.S_IRWXU)
            lock = _lock(directory)
            try:
                remove(directory)
            finally:
                os.close(lock)


def _locked(parent: Path) -> tuple[Path, int]:
    """Create a directory and lock it; return both. One that is removed between the two is created again."""
    while True:
        directory = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        with contextlib.suppress(BlockingIOError, FileNotFoundError):
            lock = _lock(directory)
            if directory.exists():
                return directory, lock
            os.close(lock)


def _lock(directory: Path) -> int:
    """Open and lock a directory, until it is closed. Raises BlockingIOError if another process has locked it."""
    number = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(number)
        raise
    return number


def fills(directory: Path, limit: int) -> bool:
    """Whether the files below take more than `limit` bytes, or are nested too deep to measure."""
    total, open_ = 0, [(directory, 0)]
    while open_:
        path, depth = open_.pop()
        with contextlib.suppress(OSError), os.scandir(path) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    open_.append((Path(entry.path), depth + 1))
                total += max(entry.stat(follow_symlinks=False).st_size, BLOCK)
                if total > limit:
                    return True
        if depth > MAX_DEPTH:
            return True
    return False


def remove(top: Path) -> None:
    """Directories beyond the maximum path length are moved up first; missing permissions are restored."""
    with contextlib.suppress(OSError):
        os.chmod(top, stat.S_IRWXU)
        while inner := _empty(top, top):
            for each in inner:
                _empty(each, top)
                os.rmdir(each)
        os.rmdir(top)


def _empty(directory: Path, top: Path) -> list[Path]:
    """Remove the files of a directory, move its directories into `top`, and return their new paths."""
    inner = []
    for entry in list(os.scandir(directory)):
        if not entry.is_dir(follow_symlinks=False):
            os.unlink(entry.path)
            continue
        os.chmod(entry.path, stat.S_IRWXU)
        inner.append(top / secrets.token_hex(16))
        os.rename(entry.path, inner[-1])
    return inner
