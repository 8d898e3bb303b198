"""Whose a 429 or 503 is: the host's, or one URL's.

A server means itself or one URL by it, and does not say which. So the host is backed off (``backoff``), and after that
not the same URL is requested but a page that was well a moment ago, as a *check*; where there is none, another URL. If
that is well, and the URL answers 429 or 503 again, then this is the URL's own: it has its retries, and the host is not
backed off for them. At a host that is known to have such URLs, the check comes before the back-off; unless the server
says how long it wants to be left alone (Retry-After), which is obeyed the first time that a URL says it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.frontier.backoff import NEVER, Exchange
from ttcrawl.ring.messages import PAGE, ROBOTS
from ttcrawl.vocabulary.reason import OVERLOADED


@dataclass(slots=True, kw_only=True)
class Health:
    """What the answers of one host say of it."""

    doubted: bool = False  # the last one was 429 or 503, and the host has not been checked
    page: str = ""  # the last one that was well
    well_at: float = NEVER  # when the last request was sent whose answer was well
    selective: bool = False  # some URLs are always overloaded while others are well

    def overloaded(self, exchange: Exchange) -> bool:
        """Take note of an exchange. Whether it is a 429 or 503 for which the host is to be backed off."""
        if exchange.reason not in OVERLOADED:
            self._well(exchange)
            return False
        if exchange.gate:
            return True  # what follows it is another URL anyhow
        if NEVER < exchange.overloaded_at < self.well_at:
            self.selective = True
            return False
        if exchange.url == self.page:
            self.page = ""  # this was the check, or might have been
        self.doubted = True
        return not (self.selective and self.page and exchange.retry_after is None)

    def _well(self, exchange: Exchange) -> None:
        """An error of the server, or no answer, says nothing; and nothing does a robots.txt, which may be a file where
        pages are not."""
        if not 0 < exchange.status < 500 or exchange.kind == ROBOTS:
            return
        self.well_at = max(self.well_at, exchange.started)
        if exchange.overloaded_at > NEVER:
            self.selective = False  # it has passed: the URL was not the cause
        if exchange.kind == PAGE and exchange.status < 300:
            self.page = exchange.url
