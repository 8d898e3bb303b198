"""Page requisites of pages that were fetched before [links] page_requisites was on."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.frontier.ledger import Ledger
from ttcrawl.store.sqlite import Store

#: Pages whose links are read at once, and then committed.
SEGMENT = 1000


def require_earlier(store: Store, ledger: Ledger, *, wanted: bool) -> None:
    """Queue the requisites of all fetched pages, once after the key was turned on.

    If this is interrupted, the next run does it again: a requisite that is queued already does not change.
    """
    if (store.about().get("page_requisites") == "on") is wanted:
        return
    if wanted:
        for_each_source(store, ledger.spread)
    store.set(page_requisites="on" if wanted else "off")


def for_each_source(
    store: Store, spread: Callable[[int], None], progress: Callable[[int, int], None] | None = None
) -> None:
    """Call a function for every answered URL with links; commit now and then. `progress`: of URLs, by their ids."""
    last, urls = 0, store.urls.last_id()
    while sources := store.answers.sources(last, SEGMENT):
        for source in sources:
            spread(source)
        last = sources[-1]
        store.commit()
        if progress is not None:
            progress(last, urls)
