"""Files that ttcrawl writes into a crawl directory: regular ones, never the target of a symbolic link."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from ttcrawl.errors import UsageError

#: What a crawl directory, or the directory of a cluster, cannot be without: no command writes its output there.
KEPT = {
    "crawl.db",
    "crawl.db-wal",
    "crawl.db-shm",
    "crawl.db-journal",
    "config.ini",
    "lock",
    "warc",
    "files",
    "topic",
    "seen.bloom",
    "events.position",
    "outcome.position",
    "cluster.json",
    "secret",
}

#: The directories of figures and graphs in a crawl directory.
FIGURES = {"plots", "graph"}


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
        raise OSError(0, "is not a regular file", str(path))
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

    A link with this name is replaced; its target stays unchanged. Raises OSError with the name of the file; nothing is
    left of the new one then.
    """
    fresh = path.with_name(path.name + ".new")
    try:
        fresh.unlink(missing_ok=True)
        with open(open_regular(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(data)
            file.flush()
            if sync:
                os.fsync(file.fileno())
        os.replace(fresh, path)
    except OSError as error:  # of a write, as on a full disk, which names no file
        error.filename, error.filename2 = os.fspath(path), None
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise


def must_be_own(path: Path, *, directory: bool = False) -> None:
    """Check the name of a side file, or of a `directory` for some, before something is written there.

    Raises UsageError for a link, hard or symbolic, and for what is not a regular file, or no directory.
    """
    try:
        status = os.lstat(path)
    except OSError:
        return  # it is new
    if stat.S_ISLNK(status.st_mode):
        raise UsageError(f"{path} is a symbolic link, which is not followed: move it away")
    if not (stat.S_ISDIR if directory else stat.S_ISREG)(status.st_mode):
        raise UsageError(f"{path} is not a {'directory' if directory else 'regular file'}: move it away")
    if not directory and status.st_nlink > 1:
        raise UsageError(f"{path} is a hard link, so another file would change too: put a copy in its place")


def must_not_be_kept(path: Path) -> None:
    """Raises UsageError where an output would overwrite a part of a crawl."""
    for outer in Path(os.path.realpath(path)).parents:
        inside = Path(os.path.realpath(path)).relative_to(outer).parts[0]
        if inside in KEPT and any(is_there(outer / name) for name in ("crawl.db", "cluster.json")):
            raise UsageError(f"{path} is a part of the crawl in {outer}: choose another name")


def is_of_figures(path: Path) -> bool:
    """Whether a file is in a directory that `ttcrawl plot` or `ttcrawl graph` has made in a crawl directory."""
    directory = path.absolute().parent
    return directory.name in FIGURES and is_there(directory.parent / "crawl.db")


def replace_named(path: Path, data: bytes) -> None:
    """Replace a file that the user has named, atomically: of a link its target.

    Raises UsageError for a part of a crawl, OSError for a device or a named pipe, which is not replaced: for root
    /dev/null would be a file afterwards.
    """
    must_not_be_kept(path)
    target = Path(os.path.realpath(path))
    if target.exists() and not is_regular(target):
        raise OSError(0, "is not a regular file", str(path))
    replace_file(target, data)


def sync_directory(path: Path) -> None:
    """Write the names in a directory to the disk."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
