"""How many processes a crawl has."""

from __future__ import annotations

import os

from ttcrawl import config

#: Additional parse processes, started one after the other when all others have slow pages and answers wait.
SPARE = 2


def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def fetchers(crawl: config.Crawl) -> int:
    return crawl.fetchers or max(1, processors() // 2)


def first_parsers(crawl: config.Crawl) -> int:
    """Return the number of parse processes at the start."""
    return crawl.parsers or max(1, processors() // 2)


def most_parsers(crawl: config.Crawl) -> int:
    """Return the number of parse processes up to which more are started when all have work waiting."""
    return crawl.parsers or processors()
