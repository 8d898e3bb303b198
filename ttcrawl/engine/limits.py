"""The limits of a crawl in [crawl]."""

from __future__ import annotations

from collections.abc import Mapping

from ttcrawl.config.sections import Crawl
from ttcrawl.engine.counters import Counters
from ttcrawl.frontier.turn import Turn
from ttcrawl.ring.flight import Flight


def reached(limits: Crawl, counters: Counters, seconds: float) -> str:
    """Return the limit that is reached, "" if there is none. `seconds`: since the crawl began or continued."""
    if 0 < limits.max_time <= seconds:
        return "max_time"
    if 0 < limits.max_pages <= counters.fetched:
        return "max_pages"
    return "max_bytes" if 0 < limits.max_bytes <= counters.bytes else ""


def may_reach(limits: Crawl, counters: Counters, flights: Mapping[int, Flight[Turn]]) -> bool:
    """Whether the requests in flight may reach the limit of pages."""
    return 0 < limits.max_pages <= counters.fetched + sum(1 for each in flights.values() if each.turn.queued)
