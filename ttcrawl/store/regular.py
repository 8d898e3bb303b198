"""Files that ttcrawl writes into a crawl directory: regular ones, never the target of a symbolic link."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path


def open_regular(path: Path, flags: int, mode: int = 0o666) -> int:
    """Return a file descriptor. Raises OSError with the name of the file, also for a link or a special file."""
    try:
        file = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, mode)  # does not block on a pipe
    except OSError:
        if is_link(path):
            raise OSError(0, "is a symbolic link, which is not followed", str(path)) from None
        raise
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(0, "is no regular file", str(path))
    return file


def is_link(path: Path) -> bool:
    try:
        return stat.S_ISLNK(os.lstat(path).st_mode)
    except OSError:
        return False


def is_regular(path: Path) -> bool:
    """Whether it is a regular file, and not a symbolic link to one."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def is_there(path: Path) -> bool:
    """Whether something has this name, other than an empty regular file.

    SQLite creates an empty file for whoever opens a database that is not there yet to look at it.
    """
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return not stat.S_ISREG(status.st_mode) or status.st_size > 0


def same_file(file: int, path: Path) -> bool:
    """Whether the open file still has this name."""
    try:
        return os.path.samestat(os.fstat(file), os.lstat(path))
    except OSError:
        return False


def replace_file(path: Path, data: bytes, mode: int = 0o666, *, sync: bool = False) -> None:
    """Replace a file atomically: a reader finds the old or the new one, also after a kill.

    A link with this name is replaced; its target stays unchanged.
    """
    fresh = path.with_name(path.name + ".new")
    with contextlib.suppress(FileNotFoundError):
        fresh.unlink()
    with open(open_regular(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
        file.flush()
        if sync:
            os.fsync(file.fileno())
    os.replace(fresh, path)


def replace_named(path: Path, data: bytes) -> None:
    """Replace a file that the user has named, atomically: of a link its target.

    Raises OSError for a device or a named pipe, which is not replaced: for root /dev/null would be a file afterwards.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not is_regular(target):
        raise OSError(0, "is no regular file", str(path))
    replace_file(target, data)


def sync_directory(path: Path) -> None:
    """Write the names in a directory to the disk."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
