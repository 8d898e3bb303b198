"""The process that brings a running crawl into an index of Zebra: [hooks] zebra.

It is `ttcrawl index DIR --follow`, which reads the directory of the index from config.ini. The crawl takes no part.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from ttcrawl.config import Config
from ttcrawl.engine.reporting.following import following
from ttcrawl.errors import UsageError
from ttcrawl.store.regular import must_be_own

PROGRAM = "zebraidx"

#: The file in the crawl directory with its messages.
LOG = "index.log"


def check_indexing(config: Config) -> None:
    """Raises UsageError if a crawl cannot be indexed."""
    if config.hooks.zebra:
        check_index(Path(config.hooks.zebra))


def check_index(directory: Path) -> None:
    """Raises UsageError if there is no index that can be changed."""
    if shutil.which(PROGRAM) is None:
        raise UsageError(f"{PROGRAM} is not installed: apt-get install idzebra-2.0")
    if not (directory / "zebra.cfg").is_file():
        raise UsageError(f"{directory} has no zebra.cfg: make an index as in docs/guides/zebra.md")


class Indexing:
    """`close` waits until the index is complete, so the lock of the crawl must be released before."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._process: subprocess.Popen[bytes] | None = None
        self._log = Path(LOG)

    def start(self, directory: Path, config: Config) -> None:
        if not config.hooks.zebra:
            return
        self._log = directory / LOG
        must_be_own(self._log)
        self._process = following("index", directory, self._log)

    def close(self) -> None:
        if self._process is None:
            return
        with contextlib.suppress(KeyboardInterrupt):
            status = self._process.wait()
            if status < 0:  # it was killed
                status = following("index", self._log.parent, self._log).wait()
            if status:
                self._say(f"the index of Zebra is not complete: see {self._log}")
