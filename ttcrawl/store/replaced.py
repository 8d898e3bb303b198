"""What a command writes for the user appears when it is complete."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ttcrawl.errors import UsageError


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """A file or directory that gets the name `path` at the end. Raises UsageError if its parent is missing.

    Of a link its target is replaced; a device or a named pipe gets the bytes and stays. What is interrupted
    leaves nothing behind; what is killed leaves a directory whose name begins with a dot.
    """
    special = is_special(path)
    if path.is_symlink() and not special:
        path = path.resolve()
    if not path.parent.is_dir():
        raise UsageError(f"{path.parent} is not a directory: name a file in a directory that exists")
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


def is_special(path: Path) -> bool:
    """Whether it is a device or a named pipe, or a link to one: for root, os.replace makes /dev/null a file."""
    return path.exists() and not path.is_file() and not path.is_dir()
