"""URLs that are requested again after an answer: by `ttcrawl recrawl`, and to read a page in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttcrawl.engine.companion import Companion, Course, Step
from ttcrawl.engine.duplicates.originals import Originals
from ttcrawl.engine.recrawl.another import AnotherAnswer
from ttcrawl.engine.recrawl.browsing import Browsing
from ttcrawl.engine.recrawl.recrawls import Recrawl, Recrawls
from ttcrawl.engine.settle import UrlSettler
from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.turn import Refusal, Turn
from ttcrawl.frontier.visit import Rereading
from ttcrawl.ring.browsing import Plan
from ttcrawl.ring.flight import Flight


class Recrawling(Companion):
    """`recrawl`: None for no crawl by `ttcrawl recrawl`."""

    def __init__(
        self,
        shared: Shared,
        urls: UrlSettler,
        originals: Originals,
        recrawl: Recrawl | None,
        say: Callable[[str], None],
    ) -> None:
        another = AnotherAnswer(shared, urls, originals)
        self._recrawls = Recrawls(shared, urls, another, recrawl) if recrawl else None
        self._browsing = Browsing(shared, urls, another) if shared.config.browser.on else None
        self._say = say

    @property
    def plan(self) -> Callable[[Turn], Plan | None] | None:
        """What is known of the page of a turn; None: the crawl does not learn."""
        return self._browsing.plan if self._browsing is not None and self._browsing.learns else None

    def begin(self, step: Step) -> None:
        """Continue earlier runs."""
        if self._recrawls is not None and (trouble := self._recrawls.begin()):
            self._say(trouble)

    def turn(self, course: Course) -> int:
        """Hand URLs that are due to the frontier, if it is time to look for them."""
        if course.stopped_by:
            return 0
        if self._browsing is not None:
            self._browsing.look(self._recrawls.visits if self._recrawls is not None else lambda url: False)
            if self._browsing.pending:
                return 0
        if self._recrawls is not None:
            self._recrawls.look()
        return 0

    def wakes(self) -> float:
        """Visits wait for pages that are read again: until then the main loop need not wake up for them."""
        waits = self._browsing is not None and self._browsing.pending
        return float("inf") if self._recrawls is None or waits else self._recrawls.next_look

    def pending(self) -> bool:
        """Whether a URL will be requested again."""
        if self._browsing is not None and self._browsing.pending:
            return True
        return self._recrawls is not None and not self._recrawls.over

    def before_commit(self) -> None:
        if self._recrawls is not None:
            self._recrawls.before_commit()

    def answered(self, flight: Flight[Turn], outcome: Any) -> bool:
        """Note the first outcome of a URL."""
        queued = flight.turn.queued
        assert queued is not None
        if self._browsing is not None:
            self._browsing.answered(queued, flight, outcome, stored=True)
        if self._recrawls is not None:
            self._recrawls.answered(queued.id)
            self._recrawls.announced(outcome)
        return False

    def refused(self, queued: Queued) -> None:
        if self._recrawls is not None:
            self._recrawls.refused(queued.id)

    def process(self, flight: Flight[Turn], outcome: Any) -> None:
        """Process the outcome of a URL that was answered before."""
        host, queued = flight.turn.host, flight.turn.queued
        assert queued is not None
        if self._browsing is not None and isinstance(queued.visit, Rereading):
            self._browsing.read_again(host, queued, flight, outcome)
        elif self._recrawls is not None:
            stored = self._recrawls.settler.answered(host, queued, flight, outcome)
            if self._browsing is not None:
                self._browsing.answered(queued, flight, outcome, stored=stored)
            self._recrawls.announced(outcome)

    def refuse(self, refusal: Refusal) -> None:
        """End a visit that must not be made now. The page stays."""
        queued = refusal.subject
        assert isinstance(queued, Queued)
        if self._browsing is not None and isinstance(queued.visit, Rereading):
            self._browsing.refuse(refusal.host, queued)
        elif self._recrawls is not None:
            self._recrawls.settler.refuse(refusal.host, queued, refusal.reason)
