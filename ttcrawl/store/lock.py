"""The lock of a crawl directory: its process has it as long as it lives, and the system releases it however it ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.store.regular import open_regular, same_file

#: The file in the crawl directory, with the number of the process.
NAME = "lock"

#: Seconds until a lock counts as taken by another crawl: a process that only tests the lock has it for a moment.
LOOK = 0.3


class Lock:
    """Raises UsageError if another process has it, CrawlFailedError if files cannot be locked."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / NAME
        self._file = _locked(self._path)
        if not _is_ours(self._file):
            os.close(self._file)
            raise UsageError(f"{directory} contains a file {NAME} that ttcrawl did not write: move it away")
        #: No process has had it before.
        self.new = not os.fstat(self._file).st_size
        with contextlib.suppress(OSError):  # after an error, such as a full disk, only the process number is missing
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def remove(self) -> None:
        """Delete the file, because no crawl was begun here. A process that waits for it sees that it is gone."""
        self._path.unlink(missing_ok=True)

    def close(self) -> None:
        os.close(self._file)


def is_lock(path: Path) -> bool:
    """Whether a file with the name of a lock is one."""
    try:
        with open(open_regular(path, os.O_RDONLY), "rb") as file:
            return _is_ours(file.fileno())
    except OSError:
        return False


def _is_ours(file: int) -> bool:
    """Whether it has a number, or nothing yet."""
    return os.pread(file, 32, 0).strip().isdigit() or not os.fstat(file).st_size


def _locked(path: Path) -> int:
    end = time.monotonic() + LOOK
    while True:
        new = not os.path.lexists(path)
        file = open_regular(path, os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if same_file(file, path):
                return file
            os.close(file)  # its owner had begun nothing, and deleted it
        except BlockingIOError:
            holder = _holder(file)
            os.close(file)
            if time.monotonic() > end:
                raise _locked_error(path.parent, holder) from None
            time.sleep(0.02)
        except OSError as error:
            os.close(file)
            if new:
                path.unlink(missing_ok=True)
            raise CrawlFailedError(
                f"{path} cannot be locked ({error.strerror}): use a file system that supports locks"
            ) from error


def _holder(file: int) -> str:
    return os.pread(file, 32, 0).decode("ascii", "replace").strip() or "?"


def _locked_error(directory: Path, holder: str) -> UsageError:
    return UsageError(f"{directory} is being crawled by process {holder}; wait for it, or stop it")


@contextlib.contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Keep other processes from crawling meanwhile. Raises UsageError if one is crawling."""
    if os.access(directory, os.W_OK):
        with contextlib.closing(Lock(directory)):
            yield
        return
    # without write access we only test the lock: a crawl that begins now would not see us
    if holder := crawled_by(directory):
        raise _locked_error(directory, holder)
    yield


def crawled_by(directory: Path) -> str:
    """Return the process that is crawling, "" if there is none."""
    with contextlib.suppress(OSError):  # never crawled here
        file = open_regular(directory / NAME, os.O_RDONLY)
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _holder(file)
        finally:
            os.close(file)
    return ""
