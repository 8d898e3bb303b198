"""Private directories of converters: created, measured, and removed with any content."""

from __future__ import annotations

import contextlib
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
    directory = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=parent))
    try:
        yield directory
    finally:
        remove(directory)


def remove_abandoned(parent: Path) -> None:
    """Remove directories left there by killed processes."""
    for directory in parent.glob(f"{PREFIX}*-*"):
        number = directory.name.removeprefix(PREFIX).partition("-")[0]
        if number.isdigit() and not _runs(number):
            remove(directory)


def _runs(number: str) -> bool:
    """Whether the process runs. A zombie does not count: the first process of a container may never reap it."""
    try:
        status = Path("/proc", number, "status").read_text()
    except OSError:
        return False
    return "\nState:\tZ" not in status


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
