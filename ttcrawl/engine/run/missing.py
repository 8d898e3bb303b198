"""URLs that an imported archive does not have: a crawl that continues requests those in its scope."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.reason import NOT_IN_ARCHIVE, Code

#: URLs that are decided at once.
SEGMENT = 10_000


def queue_missing(store: Store, ruling: Callable[[str, int, int], tuple[Code, str]]) -> int:
    """Queue them, or give them the reason of the scope; return how many are queued. `ruling`: as in Bounds.scope_at."""
    last, queued, linked = 0, 0, 0
    if not store.answers.imports.names():
        return 0  # only an import leaves such URLs
    while rows := store.urls.refused_for(NOT_IN_ARCHIVE, last, SEGMENT):
        last = rows[-1].id
        again = list[int]()
        refused = list[tuple[Code, int | None, int]]()
        for row in rows:
            reason, rule = ruling(row.url, row.depth or 0, row.off_domain)
            if reason:
                refused.append((reason, store.urls.rule(rule), row.id))
            else:
                again.append(row.id)
                linked += row.found_on is not None
        store.urls.queue_again(again)
        store.urls.refuse_each(refused)
        queued += len(again)
    if queued:
        about = store.about()
        store.set(
            total_queued=int(about.get("total_queued", 0)) + queued,
            total_in_scope=int(about.get("total_in_scope", 0)) + linked,
        )
    return queued
