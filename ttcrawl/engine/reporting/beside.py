"""The processes that work beside a crawl: its copy in PostgreSQL, its index of Zebra, and its items."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ttcrawl.config import Config
from ttcrawl.engine.reporting import mirror
from ttcrawl.engine.reporting.following import Following
from ttcrawl.engine.reporting.indexing import check_indexing
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
        self._mirror = Mirror(say)
        self._indexing = Following("index", "the index of Zebra is", say)
        self._extracting = Following("extract", "items are", say)

    def start(self, directory: Path, config: Config) -> None:
        self._mirror.start(directory, config)
        if config.hooks.zebra:
            self._indexing.start(directory)
        if config.hooks.extract:
            self._extracting.start(directory)

    def close(self) -> None:
        self._extracting.close()
        self._indexing.close()
        self._mirror.close()
