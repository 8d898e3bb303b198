"""URLs that are requested again after an answer: by `ttcrawl recrawl`, and to read a page in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttcrawl.engine.duplicates.originals import Originals
from ttcrawl.engine.recrawl.browsing import Browsing
from ttcrawl.engine.recrawl.recrawls import Recrawl, Recrawls
from ttcrawl.engine.settle import AnotherAnswer, UrlSettler
from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.host import Host, Queued
from ttcrawl.frontier.turn import Turn
from ttcrawl.frontier.visit import Rereading
from ttcrawl.ring.browsing import Plan
from ttcrawl.ring.flight import Flight
from ttcrawl.vocabulary.reason import Code


class Recrawling:
    """Part of the crawl process. Most crawls do neither, and pay for two comparisons. `recrawl`: None for no crawl by
    `ttcrawl recrawl`."""

    def __init__(self, shared: Shared, urls: UrlSettler, originals: Originals, recrawl: Recrawl | None) -> None:
        another = AnotherAnswer(shared, urls, originals)
        self._recrawls = Recrawls(shared, urls, another, recrawl) if recrawl else None
        self._browsing = Browsing(shared, urls, another) if shared.config.browser.on else None

    @property
    def plan(self) -> Callable[[Turn], Plan | None] | None:
        """What is known of the page of a turn; None: the crawl does not learn."""
        return self._browsing.plan if self._browsing is not None and self._browsing.learns else None

    @property
    def continued(self) -> bool:
        """Whether URLs are visited again."""
        return self._recrawls is not None

    @property
    def over(self) -> bool:
        """Whether no URL will be requested again."""
        if self._browsing is not None and self._browsing.pending:
            return False
        return self._recrawls is None or self._recrawls.over

    @property
    def next_look(self) -> float:
        """When `look` has to be called again at the latest."""
        return self._recrawls.next_look if self._recrawls is not None else float("inf")

    def take_up(self, say: Callable[[str], None]) -> None:
        """Continue earlier runs."""
        if self._recrawls is not None and (trouble := self._recrawls.take_up()):
            say(trouble)

    def keep(self) -> None:
        """Store what a later run needs, before a commit."""
        if self._recrawls is not None:
            self._recrawls.keep()

    def look(self) -> None:
        """Hand URLs that are due to the frontier, if it is time to look for them."""
        if self._browsing is not None:
            self._browsing.look(self._recrawls.visits if self._recrawls is not None else lambda url: False)
            if self._browsing.pending:
                return
        if self._recrawls is not None:
            self._recrawls.look()

    def first(self, queued: Queued, flight: Flight[Turn], message: Any) -> None:
        """Note the outcome of a URL that was queued."""
        if self._browsing is not None:
            self._browsing.answered(queued, flight, message, stored=True)
        if self._recrawls is not None:
            self._recrawls.answered(queued.id)
            self._recrawls.announced(message)

    def answered(self, host: Host, queued: Queued, flight: Flight[Turn], message: Any) -> None:
        """Process the outcome of a URL that was answered before."""
        if self._browsing is not None and isinstance(queued.visit, Rereading):
            self._browsing.read_again(host, queued, flight, message)
        elif self._recrawls is not None:
            stored = self._recrawls.settler.answered(host, queued, flight, message)
            if self._browsing is not None:
                self._browsing.answered(queued, flight, message, stored=stored)
            self._recrawls.announced(message)

    def refused(self, queued: Queued) -> None:
        """Note that a URL that was queued is not requested."""
        if self._recrawls is not None:
            self._recrawls.refused(queued.id)

    def refuse(self, host: Host, queued: Queued, reason: Code) -> None:
        """End a visit that must not be made now. The page stays."""
        if self._browsing is not None and isinstance(queued.visit, Rereading):
            self._browsing.refuse(host, queued)
        elif self._recrawls is not None:
            self._recrawls.settler.refuse(host, queued, reason)
