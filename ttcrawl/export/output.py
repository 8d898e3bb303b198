"""Where an export is written: stdout, or a file that appears when it is complete."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ttcrawl.errors import UsageError
from ttcrawl.store.replaced import is_special, replaced


@contextmanager
def output(path: Path | None, *, binary: bool) -> Iterator[BinaryIO]:
    """Open a file, or stdout (None). Raises UsageError for bytes on a terminal, or a missing directory."""
    if path is None:
        if binary and sys.stdout.isatty():
            raise UsageError("this format is binary: name a file with -o FILE")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if is_special(path):
        with open(path, "wb") as file:
            yield file
        return
    with replaced(path) as fresh, open(fresh, "wb") as file:
        yield file
