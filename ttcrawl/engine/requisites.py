"""Page requisites of pages that were fetched before [links] page_requisites was on."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.engine.companion import Companion, Progress, Step
from ttcrawl.engine.shared import Shared
from ttcrawl.store.sqlite import Store

#: Pages whose links are read at once, and then committed.
SEGMENT = 1000


class EarlierRequisites(Companion):
    """Queues the requisites of all fetched pages, once after the key was turned on.

    If this is interrupted, the next run does it again: a requisite that is queued already does not change.
    """

    def __init__(self, shared: Shared) -> None:
        self._store = shared.store
        self._ledger = shared.ledger
        self._wanted = shared.config.links.page_requisites

    def begin(self, step: Step) -> None:
        if (self._store.about().get("page_requisites") == "on") is self._wanted:
            return
        if self._wanted:
            for_each_source(self._store, self._ledger.spread)
        self._store.set(page_requisites="on" if self._wanted else "off")


def for_each_source(store: Store, spread: Callable[[int], None], progress: Progress | None = None) -> None:
    """Call a function for every answered URL with links; commit now and then. `progress`: of URLs, by their ids."""
    last, urls = 0, store.urls.last_id()
    while sources := store.answers.sources(last, SEGMENT):
        for source in sources:
            spread(source)
        last = sources[-1]
        store.commit()
        if progress is not None:
            progress(last, urls)
