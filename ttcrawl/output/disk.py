"""What a crawl takes of its disk, and what is left."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ttcrawl.output.number import byte_text

#: Seconds for which the figures are kept.
AGE = 5.0

#: Database and archive, also of each ring of a cluster. Saved files are too many to be counted again and again.
FILES = ("crawl.db*", "warc/*", "ring-*/crawl.db*", "ring-*/warc/*")


class Disk:
    """`clock` in seconds."""

    def __init__(self, directory: Path, clock: Callable[[], float]) -> None:
        self._directory, self._clock = directory, clock
        self._due, self._text = clock(), ""

    @property
    def text(self) -> str:
        """Database and archive, and free space; "" if the disk cannot be asked."""
        if self._clock() >= self._due:
            self._due = self._clock() + AGE
            with suppress(OSError):  # of a file that was removed meanwhile
                free = shutil.disk_usage(self._directory).free
                self._text = f"disk {byte_text(_used(self._directory))}, {byte_text(free)} free"
        return self._text


def _used(directory: Path) -> int:
    return sum(path.stat().st_size for pattern in FILES for path in directory.glob(pattern))
