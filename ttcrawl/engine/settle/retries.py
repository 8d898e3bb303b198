"""Whether a URL is requested again because of how its request ended, and when."""

from __future__ import annotations

from ttcrawl.config import Fetch
from ttcrawl.frontier.backoff import DAY
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.retry import again_after
from ttcrawl.frontier.turn import Turn
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import Failed, Moved, NotModified, Page, Same
from ttcrawl.vocabulary.reason import HTTP, Code, filled


def reason_of(flight: Flight[Turn], outcome: Page | Same | Moved | NotModified | Failed) -> Code:
    """Return how a request ended: its status, or why its answer is missing or incomplete."""
    if isinstance(outcome, Failed):
        return outcome.reason
    assert flight.fetched is not None
    if isinstance(outcome, Page) and flight.fetched.incomplete:
        return flight.fetched.incomplete  # a redirect is complete with its head
    return filled(HTTP, flight.fetched.status)


def wait_of(settings: Fetch, queued: Queued, flight: Flight[Turn], reason: Code) -> float | None:
    """Return the seconds until the next attempt; None: there is none."""
    if flight.uncounted:
        return 0.0
    wait = again_after(reason, queued.attempts, retries=settings.retries, wait=settings.retry_wait)
    if wait is not None and flight.fetched and flight.fetched.retry_after:
        # holds for this URL even if the host is not backed off
        wait = max(wait, min(flight.fetched.retry_after, DAY))
    return wait
