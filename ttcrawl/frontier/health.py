"""Whether a 429 or 503 concerns the host or one URL.

A server does not indicate which of the two it means. So the host is backed off (``backoff``). After that, the next
request is not the same URL but a page that was well a moment ago, as a *check*; if there is none, another URL. If that
is well, and the URL answers 429 or 503 again, then the cause is the URL: it has its retries, and the host is not backed
off for them. At a host that is known to have such URLs, the check comes before the back-off. A Retry-After is an
exception: it is obeyed the first time that a URL sends it.

A server that limits the rate of requests refuses what comes too soon after another request, also after the check. So
before a URL is blamed, the host is requested `slower` for a trial. If a URL that was refused is well now, the server
limits the rate: the host stays slower, and becomes slower still while refusals are frequent. After some good answers it
is twice as fast again.
"""

from __future__ import annotations

from msgspec import Struct

from ttcrawl.frontier.backoff import NEVER, Exchange
from ttcrawl.ring.messages import PAGE, ROBOTS
from ttcrawl.vocabulary.reason import OVERLOADED

#: Factor of the delay in a trial, and the largest one: if URLs are refused then too, their rate is not the cause.
TRIAL, SLOWEST = 16, 32

#: Refusals are frequent if there are fewer good answers in between. Of others the back-off takes care.
FREQUENT = 5

#: Good answers after which a slower host is requested faster; twice as many each time that this was too fast.
PATIENCE = 10

#: Good answers in a trial after which it is faster again, because the refused URL has not got its turn.
TRIED = 2


class Health(Struct, kw_only=True):
    """The condition of one host, by its answers."""

    sluggish: bool = False  # the last request was slow
    doubted: bool = False  # the last answer was 429 or 503, and the host has not been checked
    page: str = ""  # the last page that was well
    well_at: float = NEVER  # when the last request with a good answer was sent
    selective: bool = False  # some URLs always answer 429 or 503 while others are well
    slower: int = 1  # factor of the delay between two requests
    trial: bool = False  # whether that helps is not known yet
    changed_at: float = NEVER  # when `slower` was changed; infinity: it did not help
    patience: int = PATIENCE
    well: int = 0  # good answers since the last 429 or 503, or since it is faster
    good: int = 0  # good answers since `slower` was changed
    since: float = NEVER  # requests that were sent before do not tell whether `slower` helps
    frequent: bool = False  # the last 429 or 503 came soon after the one before

    def overloaded(self, exchange: Exchange) -> bool:
        """Note a request. Return whether it is a 429 or 503 for which the host must be backed off."""
        if exchange.reason not in OVERLOADED:
            self._well(exchange)
            return False
        if exchange.started < self.since:  # one of several at once
            return exchange.gate or (exchange.retry_after is not None and exchange.overloaded_at == NEVER)
        self.frequent, self.well = self.well < FREQUENT, 0
        if not self.trial and self.frequent and NEVER < self.changed_at < exchange.started:
            self._slow_down(exchange)
        if exchange.gate:
            return True  # the next request is another URL anyway
        if exchange.overloaded_at > NEVER and (
            self.trial or (self.slower == 1 and exchange.overloaded_at < self.well_at)
        ):
            self.trial = not self.selective and self.changed_at < exchange.ended
            self._change(TRIAL if self.trial else 1, exchange)
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
        if exchange.started >= self.since:
            self.well, self.good = self.well + 1, self.good + 1
        if exchange.overloaded_at > NEVER:
            self.selective = False  # the overload is over: the URL was not the cause
            self._not_the_url(exchange)
        elif self.slower > 1 and self.good >= (TRIED if self.trial else self.patience):
            self._change(self.slower // 2, exchange)
            self.well = 0
            if not self.trial:
                self.changed_at = exchange.ended
            self.trial = self.trial and self.slower > 1
        if exchange.kind == PAGE and exchange.status < 300:
            self.page = exchange.url

    def _not_the_url(self, exchange: Exchange) -> None:
        """Note that a URL with a 429 or 503 is well now."""
        if self.trial:
            self.trial, self.changed_at = False, exchange.ended
        elif self.slower == 1 and self.frequent and exchange.overloaded_at > self.changed_at:
            self._slow_down(exchange)

    def _slow_down(self, exchange: Exchange) -> None:
        self._change(self.slower * 2, exchange)
        self.changed_at, self.patience = exchange.ended, self.patience * 2
        if self.slower > SLOWEST:
            self.slower, self.changed_at = 1, float("inf")

    def _change(self, slower: int, exchange: Exchange) -> None:
        self.slower = slower
        self.good = 0
        self.since = exchange.ended
