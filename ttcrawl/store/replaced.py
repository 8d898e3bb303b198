"""What a command writes for the user appears when it is complete."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ttcrawl.errors import UsageError


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """A file or directory that gets the name `path` at the end. Raises UsageError if its parent is missing.

    What is interrupted leaves nothing behind; what is killed leaves a directory whose name begins with a dot.
    """
    if not path.parent.is_dir():
        raise UsageError(f"{path.parent} is not a directory: name a file in a directory that exists")
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}-") as directory:
        fresh = Path(directory) / path.name
        try:
            yield fresh
        except OSError as error:  # of a write, as on a full disk, which names no file
            error.filename = error.filename or os.fspath(path)
            raise
        os.replace(fresh, path)
