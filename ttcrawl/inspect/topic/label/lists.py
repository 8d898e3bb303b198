"""The answers on disk: two lists of URLs, one URL per line, which `ttcrawl topic train` reads.

An answer is on the disk before the next question, so a kill loses at most the question that is open.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from contextlib import ExitStack
from pathlib import Path

from ttcrawl.errors import UsageError


class _List:
    """A file that only this process writes. Raises UsageError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK  # does not block on a pipe
        try:
            self._file = os.open(path, flags, 0o666)
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}; name a file that can be written") from error
        try:
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise UsageError(f"{path} is not a regular file: name a file for one URL per line")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._file)
            raise UsageError(
                f"{path} is being written by another ttcrawl topic label: wait for it, or stop it"
            ) from None
        except UsageError:
            os.close(self._file)
            raise

    def append(self, url: str) -> tuple[int, int]:
        """Return the sizes of the file before and after."""
        before = os.fstat(self._file).st_size
        line_open = before > 0 and os.pread(self._file, 1, before - 1) != b"\n"
        data = f"{chr(10) * line_open}{url}\n".encode()
        if os.write(self._file, data) != len(data):
            os.ftruncate(self._file, before)
            raise OSError(errno.ENOSPC, "the disk is full", str(self._path))
        os.fsync(self._file)
        return before, before + len(data)

    def cut(self, before: int, after: int) -> bool:
        """Undo the last `append`. Returns False if the file was changed by others since then."""
        if os.fstat(self._file).st_size != after:
            return False
        os.ftruncate(self._file, before)
        os.fsync(self._file)
        return True

    def close(self) -> None:
        os.close(self._file)


class Lists:
    """Raises UsageError if a list cannot be written, or if another process writes it."""

    def __init__(self, relevant: Path, irrelevant: Path) -> None:
        if relevant.resolve() == irrelevant.resolve():
            raise UsageError("--relevant and --irrelevant are the same file: name two")
        with ExitStack() as opened:
            self._lists: dict[bool, _List] = {}
            for label, path in ((True, relevant), (False, irrelevant)):
                self._lists[label] = _List(path)
                opened.callback(self._lists[label].close)
            self._opened = opened.pop_all()
        self._written: list[tuple[bool, int, int]] = []

    def __enter__(self) -> Lists:
        return self

    def __exit__(self, *error: object) -> None:
        self._opened.close()

    def add(self, url: str, *, relevant: bool) -> None:
        """Write an answer to the disk. Raises OSError."""
        self._written.append((relevant, *self._lists[relevant].append(url)))

    def undo(self) -> bool:
        """Take the last answer of this process back. Returns False if there is none, or its list was edited since."""
        if not self._written:
            return False
        label, before, after = self._written.pop()
        return self._lists[label].cut(before, after)
