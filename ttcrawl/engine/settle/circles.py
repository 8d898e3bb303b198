"""Redirects in a circle, as at a login or a consent: /a leads to /login, which sets a cookie and leads back to /a.

The first URL of the circle has been answered by then. It is requested once more, for the next answer may be the page.
So is /b, requested before the cookie was there: /login?to=/b had the cookie already, and did not set it once more.
Any of the redirects may set the cookie, for any host and path: the first of them that would have other cookies than
before is requested once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.turn import Turn
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import Moved
from ttcrawl.store.rows import Row, UrlPath
from ttcrawl.vocabulary.reason import FOREIGN
from ttcrawl.vocabulary.state import MOVED
from ttcrawl.web.cookies.jar import Jar
from ttcrawl.web.url import host

K = TypeVar("K")
V = TypeVar("V")

#: As many URLs, and hosts, are remembered. Far fewer are under way.
MEMORY = 10_000

#: The hash of the cookies of a request without any.
NO_COOKIES = hash(())

#: A URL is requested again at most this often, each time with other cookies than before: some walls have several steps.
MOST = 5


class Circles:
    """Decides which URLs are requested once more because redirects lead back to them."""

    def __init__(self, shared: Shared, jar: Jar) -> None:
        self._cookies = shared.config.fetch.cookies
        self._jar = jar
        self._clock = shared.clock
        self._store = shared.store
        self._ledger = shared.ledger
        self._counters = shared.counters
        self._repeated: dict[int, int] = {}  # URLs that led to themselves -> how often
        self._sent: dict[int, int] = {}  # URLs that have moved -> hash of the cookies with which they were requested
        self._endless: dict[str, None] = {}  # hosts that set other cookies for ever
        shared.ledger.on_received = self.received

    def leads_to_itself(self, queued: Queued, flight: Flight[Turn], moved: Moved) -> bool:
        """Whether a redirect leads to the same URL, and the next answer may be the page: it set a cookie, or a session
        that canonical URLs omit. What leads to itself again has moved, unless its cookies are others again."""
        target = moved.target
        if target is None or target.url != queued.url:
            return False
        times = self._repeated.pop(queued.id, 0)
        if not times:
            again = bool(target.spelling) or self._sets_cookie(flight)
        else:
            again = self._cookies_now(queued.url) != _cookies_of(flight) and self._may_repeat(queued.url, times)
        if again:
            _remember(self._repeated, queued.id, times + 1)
        return again

    def ask_again(self, queued: Queued, flight: Flight[Turn], moved: Moved) -> None:
        """Queue a URL again if a redirect leads to one that has moved, and so to one that may be the page by now: the
        first of its circle that would have other cookies, or its target where there is a session."""
        if self._cookies == "no":
            return
        _remember(self._sent, queued.id, _cookies_of(flight))
        if moved.target is None or moved.target.url == queued.url or queued.visit is not None:
            return
        row = self._ledger.find(moved.target)[1]
        if row is None or row.state != MOVED:
            return
        redirects = list(self._redirects(row))
        if any(each.id == queued.id for each in redirects):
            changed = next((each for each in redirects if self._changed(each)), None)
            if changed is not None:
                self._queue(changed)
            elif _cookies_of(flight) != NO_COOKIES and not self._repeats(row) and not self._repeats(queued):
                self._queue(row)  # what the cookie stands for may have changed
        elif self._sets_cookie(flight) and self._changed(row) and not self._repeats(row):
            self._queue(row)

    def received(self, row: Row, path: UrlPath) -> None:
        """Likewise for a URL that another ring of the cluster sends, whose redirects belong to that ring."""
        if self._cookies == "no" or not path.redirects or row.state != MOVED:
            return
        if any(each.reason == FOREIGN for each in self._redirects(row)) and self._changed(row):
            self._queue(self._store.urls.row(row.id))

    def _queue(self, row: Row) -> None:
        statuses = self._repeats(row)
        if not all(300 <= status < 400 for status in statuses) or not self._may_repeat(row.url, len(statuses)):
            return
        self._store.answers.set_aside(row.id)
        self._store.urls.requeue(row.id, row.path, row.priority)
        self._ledger.queue_again(row)
        self._counters.moved -= 1

    def _repeats(self, url: Row | Queued) -> list[int]:
        """Return the statuses of the answers to a URL before its latest one."""
        return self._store.answers.earlier(url.id)

    def _may_repeat(self, url: str, times: int) -> bool:
        """Whether a URL that was requested again that often may be once more."""
        if times >= MOST:
            _remember(self._endless, host(url), None)
        return not times or host(url) not in self._endless

    def _sets_cookie(self, flight: Flight[Turn]) -> bool:
        """Whether an answer set a cookie that later requests have."""
        return self._cookies != "no" and flight.fetched is not None and bool(flight.fetched.set_cookies)

    def _changed(self, row: Row) -> bool:
        """Whether a URL would be requested with other cookies than it was; forgotten ones count as none."""
        return self._cookies_now(row.url) != self._sent.get(row.id, NO_COOKIES)

    def _cookies_now(self, url: str) -> int:
        return hash(self._jar.headers(url, self._clock()))

    def _redirects(self, row: Row | None) -> Iterator[Row]:
        """Yield the URLs to which redirects lead one after the other, from this one on."""
        passed = set()
        while row is not None and row.id not in passed:
            yield row
            passed.add(row.id)
            links = self._store.answers.outlinks(row.id) if row.state == MOVED else ()
            row = next((self._store.urls.find(key) for key, *_ in links), None)


def _cookies_of(flight: Flight[Turn]) -> int:
    """Return a hash of the cookies of a request."""
    return hash(tuple(each for each in flight.request.headers if each[0] == "Cookie"))


def _remember(memory: dict[K, V], key: K, value: V) -> None:
    if len(memory) >= MEMORY:
        del memory[next(iter(memory))]
    memory[key] = value
