"""The processes that work beside a crawl: its copy in PostgreSQL, and its index of Zebra."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ttcrawl.config import Config
from ttcrawl.engine.reporting import mirror
from ttcrawl.engine.reporting.indexing import Indexing, check_indexing
from ttcrawl.engine.reporting.mirror import Mirror, check_mirror


def check_beside(config: Config) -> None:
    """Raises UsageError if a process that [postgresql] or [hooks] names cannot work."""
    check_mirror(config)
    check_indexing(config)


def connect_once(config: Config) -> None:
    """Before the first request. Raises UsageError if something has to be changed first."""
    mirror.connect_once(config)


class Beside:
    """`close` waits for them, so the lock of the crawl must be released before."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._mirror, self._indexing = Mirror(say), Indexing(say)

    def start(self, directory: Path, config: Config) -> None:
        self._mirror.start(directory, config)
        self._indexing.start(directory, config)

    def close(self) -> None:
        self._indexing.close()
        self._mirror.close()
