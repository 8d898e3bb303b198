"""How many processes a crawl has, and when one more parse process is worth its start."""

from __future__ import annotations

import os

from ttcrawl import config
from ttcrawl.ring import limits

#: Additional parse processes, started one after the other when all others have slow pages and answers wait.
SPARE = 2

#: Seconds after which they end if they have nothing to do. A disk that is busy for a moment makes all pages slow.
IDLE = 10.0

#: Parse processes that a crawl starts with at most: the crawl process keeps about as many of them busy with usual pages
#: (`benchmarks.cores`), and each takes memory.
FIRST = 4

#: Requests in flight of a fetch process. Where delays are obeyed, slow hosts must not keep others waiting; elsewhere
#: more than the parse processes need would only wait for them.
POLITE, QUICK = 512, 64

#: Seconds during which answers must wait without a break: about what a process takes to start.
LASTING = 0.1


def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def fetchers(crawl: config.Crawl, cores: int = 0) -> int:
    """Return the number of fetch processes; `cores`: as many processors, 0: those of this process."""
    return crawl.fetchers or max(1, (cores or processors()) // 2)


def in_flight(settings: config.Config) -> int:
    """Return the maximum of requests in flight of one fetch process."""
    return settings.crawl.threads or (POLITE if settings.politeness.obey_delay and limits.ample() else QUICK)


def first_parsers(crawl: config.Crawl, cores: int = 0) -> int:
    """Return the number of parse processes at the start."""
    return crawl.parsers or min(FIRST, max(1, (cores or processors()) // 2))


def most_parsers(crawl: config.Crawl, cores: int = 0) -> int:
    """Return the number of parse processes up to which more are started when all have work waiting."""
    return crawl.parsers or cores or processors()


class Demand:
    """Whether answers have waited for parse processes for long; the clock is passed in, seconds."""

    def __init__(self, lasting: float = LASTING) -> None:
        self._lasting = lasting
        self._since: float | None = None

    def lasts(self, *, waiting: bool, now: float) -> bool:
        """Whether answers have waited at every call for that long. After True it begins again."""
        if not waiting:
            self._since = None
        elif self._since is None:
            self._since = now
        elif now - self._since >= self._lasting:
            self._since = None
            return True
        return False
