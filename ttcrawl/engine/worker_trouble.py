"""What a ring reports of its own processes."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.errors import CrawlFailedError
from ttcrawl.ring.messages import Broken, Trouble
from ttcrawl.store.sqlite import Store


def note(message: Broken | Trouble, store: Store, say: Callable[[str], None]) -> None:
    """Say and store that a worker was replaced. Raises CrawlFailedError if none can be."""
    if isinstance(message, Broken):
        raise CrawlFailedError(message.message)
    say(message.message)
    store.set(trouble=message.message)
