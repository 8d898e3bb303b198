"""Whether a 429 or 503 concerns the host or one URL.

A server does not indicate which of the two it means. So the host is backed off (``backoff``). After that, the next
request is not the same URL but a page that was well a moment ago, as a *check*; if there is none, another URL. If that
is well, and the URL answers 429 or 503 again, then the cause is the URL: it has its retries, and the host is not backed
off for them. At a host that is known to have such URLs, the check comes before the back-off. A Retry-After is an
exception: it is obeyed the first time that a URL sends it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.frontier.backoff import NEVER, Exchange
from ttcrawl.ring.messages import PAGE, ROBOTS
from ttcrawl.vocabulary.reason import OVERLOADED


@dataclass(slots=True, kw_only=True)
class Health:
    """The condition of one host, by its answers."""

    doubted: bool = False  # the last answer was 429 or 503, and the host has not been checked
    page: str = ""  # the last page that was well
    well_at: float = NEVER  # when the last request with a good answer was sent
    selective: bool = False  # some URLs always answer 429 or 503 while others are well

    def overloaded(self, exchange: Exchange) -> bool:
        """Note a request. Return whether it is a 429 or 503 for which the host must be backed off."""
        if exchange.reason not in OVERLOADED:
            self._well(exchange)
            return False
        if exchange.gate:
            return True  # the next request is another URL anyway
        if NEVER < exchange.overloaded_at < self.well_at:
            self.selective = True
            return False
        if exchange.url == self.page:
            self.page = ""  # this was the check, or might have been
        self.doubted = True
        return not (self.selective and self.page and exchange.retry_after is None)

    def _well(self, exchange: Exchange) -> None:
        """Note a good answer.

        A server error or a missing answer is not evidence, nor is a robots.txt, which may be a static file.
        """
        if not 0 < exchange.status < 500 or exchange.kind == ROBOTS:
            return
        self.well_at = max(self.well_at, exchange.started)
        if exchange.overloaded_at > NEVER:
            self.selective = False  # the overload is over: the URL was not the cause
        if exchange.kind == PAGE and exchange.status < 300:
            self.page = exchange.url
