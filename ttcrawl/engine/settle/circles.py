"""Redirects in a circle, as at a login or a consent: /a leads to /login, which sets a cookie and leads back to /a.

The first URL of the circle has been answered by then. It is requested once more, for the next answer may be the page.
"""

from __future__ import annotations

from ttcrawl.engine.counters import Counters
from ttcrawl.frontier.host import Queued
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.ring.messages import Link, Moved
from ttcrawl.store.seam import Store
from ttcrawl.vocabulary.state import MOVED


def to_itself(queued: Queued, moved: Moved, *, sets_cookie: bool) -> bool:
    """Whether a first redirect leads to the same URL, and set a cookie or a session that canonical URLs omit."""
    target = moved.target
    if target is None or target.url != queued.url or queued.attempts > 1:
        return False
    return sets_cookie or bool(target.spelling)


def ask_again(target: Link, store: Store, ledger: Ledger, counters: Counters) -> None:
    """Queue the target of a redirect that set a cookie, if its only request so far was answered with a redirect."""
    row = ledger.find(target)[1]
    if row is None or row.state != MOVED or row.attempts > 1:
        return
    store.answers.set_aside(row.id)
    store.urls.requeue(row.id, row.path, row.priority)
    ledger.queue_again(row)
    counters.moved -= 1
