"""Private directories of converters: made, watched, and removed whatever has been put into them."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

PREFIX = "ttcrawl-document-"
BLOCK = 4096  # what an empty file or a directory counts
MAX_DEPTH = 100


@contextlib.contextmanager
def private(parent: Path) -> Iterator[Path]:
    """A directory of mode 0700 that is gone afterwards. Raises OSError when it cannot be made."""
    made = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=parent))
    try:
        yield made
    finally:
        remove(made)


def remove_left(parent: Path) -> None:
    """Remove what processes have left there that were killed."""
    for left in parent.glob(f"{PREFIX}*-*"):
        number = left.name.removeprefix(PREFIX).partition("-")[0]
        if number.isdigit() and not _runs(number):
            remove(left)


def _runs(number: str) -> bool:
    """Not one that has ended and whose status nobody has asked for, as the first process of a container may not."""
    try:
        status = Path("/proc", number, "status").read_text()
    except OSError:
        return False
    return "\nState:\tZ" not in status


def fills(directory: Path, limit: int) -> bool:
    """Do the files below take more bytes than that, or lie too deep to say?"""
    total, open_ = 0, [(directory, 0)]
    while open_:
        place, depth = open_.pop()
        with contextlib.suppress(OSError), os.scandir(place) as entries:
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
    """Directories deeper than a path may be long are moved up first; rights that were taken away are no obstacle."""
    with contextlib.suppress(OSError):
        os.chmod(top, stat.S_IRWXU)
        while inner := _empty(top, top):
            for each in inner:
                _empty(each, top)
                os.rmdir(each)
        os.rmdir(top)


def _empty(directory: Path, top: Path) -> list[Path]:
    """Remove the files of a directory, move its directories into `top`, and name these."""
    inner = []
    for entry in list(os.scandir(directory)):
        if not entry.is_dir(follow_symlinks=False):
            os.unlink(entry.path)
            continue
        os.chmod(entry.path, stat.S_IRWXU)
        inner.append(top / secrets.token_hex(16))
        os.rename(entry.path, inner[-1])
    return inner
