"""Redirects in a circle, as at a login or a consent: /a leads to /login, which sets a cookie and leads back to /a.

The first URL of the circle has been answered by then. It is requested once more, for the next answer may be the page.
So is /b, requested before the cookie was there: /login?to=/b had the cookie already, and did not set it once more.
"""

from __future__ import annotations

from ttcrawl.engine.counters import Counters
from ttcrawl.frontier.host import Queued
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.frontier.turn import Turn
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import Moved
from ttcrawl.store.rows import Row
from ttcrawl.store.seam import Store
from ttcrawl.vocabulary.state import MOVED

#: As many repeated URLs are remembered. Far fewer are under way.
MEMORY = 10_000


class Circles:
    """Decides which URLs are requested once more because redirects lead back to them."""

    def __init__(self, cookies: str, store: Store, ledger: Ledger, counters: Counters) -> None:
        """`cookies`: [fetch] cookies."""
        self._cookies = cookies
        self._store = store
        self._ledger = ledger
        self._counters = counters
        self._repeated: set[int] = set()  # URLs that led to themselves

    def leads_to_itself(self, queued: Queued, flight: Flight[Turn], moved: Moved) -> bool:
        """Whether a redirect leads to the same URL, and set a cookie or a session that canonical URLs omit.

        It is asked once for each such answer: what leads to itself a second time has moved.
        """
        target = moved.target
        if target is None or target.url != queued.url or not (target.spelling or self._sets_cookie(flight)):
            return False
        if queued.id in self._repeated:
            self._repeated.remove(queued.id)
            return False
        if len(self._repeated) >= MEMORY:
            self._repeated.clear()
        self._repeated.add(queued.id)
        return True

    def ask_again(self, queued: Queued, flight: Flight[Turn], moved: Moved) -> None:
        """Queue the target of a redirect if its only answer so far is a redirect, and may be the page with a cookie."""
        if moved.target is None or moved.target.url == queued.url or queued.visit is not None:
            return
        sets_cookie = self._sets_cookie(flight)
        if not sets_cookie and all(name != "Cookie" for name, _ in flight.request.headers):
            return
        row = self._ledger.find(moved.target)[1]
        if row is None or row.state != MOVED or self._store.answers.has_earlier(row.id):
            return
        if not sets_cookie and (self._store.answers.has_earlier(queued.id) or not self._leads(row, queued.id)):
            return
        self._store.answers.set_aside(row.id)
        self._store.urls.requeue(row.id, row.path, row.priority)
        self._ledger.queue_again(row)
        self._counters.moved -= 1

    def _sets_cookie(self, flight: Flight[Turn]) -> bool:
        """Whether an answer set a cookie that later requests have."""
        return self._cookies != "no" and flight.fetched is not None and bool(flight.fetched.set_cookies)

    def _leads(self, row: Row | None, to: int) -> bool:
        """Whether the redirects of a URL lead to another one."""
        passed = set()
        while row is not None and row.state == MOVED and row.id not in passed:
            if row.id == to:
                return True
            passed.add(row.id)
            links = self._store.answers.outlinks(row.id)
            row = next((self._store.urls.find(key) for key, *_ in links), None)
        return False
