"""Another answer takes the place of the one that a URL had; that one stays among its earlier answers."""

from __future__ import annotations

from ttcrawl.engine.duplicates.originals import Originals
from ttcrawl.engine.settle.urls import UrlSettler
from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.host import Host
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.turn import Turn
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import NOT_FOLLOWED, Failed, Moved, Page, Same
from ttcrawl.store.rows import Latest
from ttcrawl.vocabulary.state import FETCHED

#: Seconds from an answer to the next at least: answers are ordered by their times.
LATER = 1e-3


class AnotherAnswer:
    def __init__(self, shared: Shared, urls: UrlSettler, originals: Originals) -> None:
        self._topical = shared.config.topic.on
        self._store = shared.store
        self._counters = shared.counters
        self._clock = shared.clock
        self._urls, self._originals = urls, originals

    def put(
        self, at: Host, queued: Queued, flight: Flight[Turn], outcome: Page | Same | Moved | Failed, latest: Latest
    ) -> None:
        """Store the answer to a visit, with the counters and samples that follow from it; `latest`: the one before."""
        row, counters = self._store.urls.row(queued.id), self._counters
        queued.depth = NOT_FOLLOWED if row.depth is None else row.depth  # it may have become nearer
        queued.redirects = row.redirects
        queued.off_domain = row.off_domain
        queued.off_topic = row.off_topic
        queued.requisite = row.requisite
        queued.rank = row.rank
        queued.score = row.score
        pages, links = counters.pages, counters.links
        if row.state == FETCHED:
            counters.pages -= 1
            at.fetched -= 1
            if self._topical:
                counters.relevant -= self._store.answers.relevance(queued.id).relevant is True
        counters.links -= latest.links or 0
        self._originals.changed(queued.id)
        # a clock may have been ahead
        now = self._clock() if latest.time is None else max(self._clock(), latest.time + LATER)
        self._urls.answered(at, queued, flight, outcome, now)
        if counters.pages < pages or counters.links < links:
            self._store.answers.shorten_growth(counters.pages, counters.links)
