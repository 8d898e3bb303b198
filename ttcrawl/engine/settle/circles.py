"""Redirects in a circle, as at a login or a consent: /a leads to /login, which sets a cookie and leads back to /a.

The first URL of the circle has been answered by then. It is requested once more, for the next answer may be the page.
So is /b, requested before the cookie was there: /login?to=/b had the cookie already, and did not set it once more.
"""

from __future__ import annotations

from ttcrawl.engine.counters import Counters
from ttcrawl.frontier.host import Queued
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.ring.messages import Link, Moved
from ttcrawl.store.rows import Row
from ttcrawl.store.seam import Store
from ttcrawl.vocabulary.state import MOVED


def to_itself(queued: Queued, moved: Moved, *, sets_cookie: bool) -> bool:
    """Whether a first redirect leads to the same URL, and set a cookie or a session that canonical URLs omit."""
    target = moved.target
    if target is None or target.url != queued.url or queued.attempts > 1:
        return False
    return sets_cookie or bool(target.spelling)


def ask_again(target: Link, store: Store, ledger: Ledger, counters: Counters, *, circle_from: int | None) -> None:
    """Queue the target of a redirect, if its only request so far was answered with a redirect.

    `circle_from`: only if that leads in turn to the URL with this id.
    """
    row = ledger.find(target)[1]
    if row is None or row.state != MOVED or row.attempts > 1:
        return
    if circle_from is not None and not _leads(row, circle_from, store):
        return
    store.answers.set_aside(row.id)
    store.urls.requeue(row.id, row.path, row.priority)
    ledger.queue_again(row)
    counters.moved -= 1


def _leads(row: Row | None, to: int, store: Store) -> bool:
    """Whether the redirects of a URL lead to another one."""
    passed = set()
    while row is not None and row.state == MOVED and row.id not in passed:
        if row.id == to:
            return True
        passed.add(row.id)
        row = next((store.urls.find(key) for key, *_ in store.answers.outlinks(row.id)), None)
    return False
