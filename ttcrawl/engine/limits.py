"""The limits of a crawl in [crawl].

`max_pages` and `max_bytes` limit all runs of a crawl together. When one of them is reached, nothing new is requested.
A crawl that visits URLs again goes on with its visits, or it would never visit anything. A run of it ends by its own
seconds and its own bytes.
"""

from __future__ import annotations

from collections.abc import Mapping

from ttcrawl.config.sections import Crawl
from ttcrawl.engine.recrawl.recrawls import Recrawl
from ttcrawl.engine.topic.recall import TargetRecall
from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.turn import Turn
from ttcrawl.output.counters import Counters
from ttcrawl.ring.flight import Flight


class Limits:
    """`recall`: how many relevant pages are found, if that limits the crawl. `recrawl`: URLs are visited again."""

    def __init__(
        self,
        settings: Crawl,
        counters: Counters,
        recall: TargetRecall | None,
        frontier: Frontier,
        recrawl: Recrawl | None,
    ) -> None:
        self._settings = settings
        self._counters = counters
        self._recall = recall
        self._frontier = frontier
        self._recrawls, self._bytes_before = recrawl is not None, counters.bytes
        if recrawl is not None and recrawl.known:
            frontier.only_visits()

    def reached(self, seconds: float) -> str:
        """Return the limit that ends this run after `seconds`, "" if there is none. Visits may go on alone."""
        limits, complete = self._settings, self._complete()
        if 0 < limits.max_time <= seconds:
            return "max_time"
        if not self._recrawls:
            return complete
        if complete and not self._frontier.visits_only:
            self._frontier.only_visits()
        return "max_bytes" if 0 < limits.max_bytes <= self._counters.bytes - self._bytes_before else ""

    def _complete(self) -> str:
        """Return the limit that all runs together have reached, "" if there is none."""
        limits, counters = self._settings, self._counters
        if 0 < limits.max_pages <= counters.fetched:
            return "max_pages"
        if 0 < limits.max_bytes <= counters.bytes:
            return "max_bytes"
        return "target_recall" if self._recall is not None and self._recall.reached else ""

    def may_complete(self, flights: Mapping[int, Flight[Turn]]) -> bool:
        """Whether the requests in flight may reach the limit of pages, so that no other may be sent."""
        most, fetched = self._settings.max_pages, self._counters.fetched
        if not 0 < most <= fetched + len(flights) or self._frontier.visits_only:
            return False  # as nearly always: they are counted only where it may matter, as it is asked for each request
        new = sum(1 for each in flights.values() if each.turn.queued and each.turn.queued.visit is None)
        return most <= fetched + new
