"""What a command writes for the user appears when it is complete."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ttcrawl.errors import UsageError
from ttcrawl.store.regular import is_of_figures, must_be_own, must_not_be_kept


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """A file or directory that gets the name `path` at the end.

    Of a link its target is replaced, but among the figures of a crawl; a device or a named pipe gets the bytes and
    stays. What is interrupted leaves nothing behind; what is killed leaves a directory whose name begins with a dot.

    Raises UsageError if its parent is missing, or if it is a part of a crawl.
    """
    if is_of_figures(path):
        must_be_own(path.parent, directory=True)
        must_be_own(path)
    must_not_be_kept(path)
    special = is_special(path)
    if path.is_symlink() and not special:
        path = path.resolve()
    must_have_place(path)
    with tempfile.TemporaryDirectory(dir=None if special else path.parent, prefix=f".{path.name}-") as directory:
        fresh = Path(directory) / path.name
        try:
            yield fresh
            if special:
                with open(fresh, "rb") as written, open(path, "wb") as file:
                    shutil.copyfileobj(written, file)
            else:
                os.replace(fresh, path)
        except OSError as error:  # of a write, as on a full disk, which names no file
            error.filename = error.filename or os.fspath(path)
            raise


def must_have_place(path: Path | None) -> None:
    """Raises UsageError for a directory, and for a file whose directory does not exist: what takes time checks this
    first."""
    if path is not None and not path.parent.is_dir():
        raise UsageError(f"{path.parent} is not a directory: name a file in a directory that exists")
    if path is not None and path.is_dir():
        raise UsageError(f"{path} is a directory: name a file")


def make_directory(path: Path) -> None:
    """Create a directory for outputs, with its parents.

    Raises UsageError if it is a part of a crawl, or among the figures of one and a link.
    """
    if is_of_figures(path / "figure"):
        must_be_own(path, directory=True)
    must_not_be_kept(path)
    path.mkdir(parents=True, exist_ok=True)


def is_special(path: Path) -> bool:
    """Whether it is a device or a named pipe, or a link to one: for root, os.replace makes /dev/null a file."""
    return path.exists() and not path.is_file() and not path.is_dir()
