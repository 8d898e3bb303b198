"""Where an export is written: stdout, or a file that appears when it is complete."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ttcrawl.errors import UsageError


@contextmanager
def output(path: Path | None, *, binary: bool) -> Iterator[BinaryIO]:
    """Open a file, or stdout (None). Raises UsageError for bytes on a terminal, or a missing directory."""
    if path is None:
        if binary and sys.stdout.isatty():
            raise UsageError("this format is binary: name a file with -o FILE")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if path.exists() and not path.is_file():  # a device or a named pipe
        with open(path, "wb") as file:
            yield file
        return
    with replaced(path) as fresh, open(fresh, "wb") as file:
        yield file


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """A file or directory that gets the name `path` at the end. Raises UsageError if its parent is missing.

    An interrupted export leaves nothing behind; a killed one leaves a directory whose name begins with a dot.
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
