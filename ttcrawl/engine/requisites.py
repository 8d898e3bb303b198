"""Page requisites of pages that were fetched before [links] page_requisites was on."""

from __future__ import annotations

from ttcrawl.frontier.ledger import Ledger
from ttcrawl.store.seam import Store

#: Pages whose links are read at once, and then committed.
SEGMENT = 1000


def require_earlier(store: Store, ledger: Ledger, *, wanted: bool) -> None:
    """Queue the requisites of all fetched pages, once after the key was turned on.

    If this is interrupted, the next run does it again: a requisite that is queued already does not change.
    """
    if (store.about().get("page_requisites") == "on") is wanted:
        return
    last = 0
    while wanted and (sources := store.answers.sources(last, SEGMENT)):
        for source in sources:
            ledger.spread(source)
        last = sources[-1]
        store.commit()
    store.set(page_requisites="on" if wanted else "off")
