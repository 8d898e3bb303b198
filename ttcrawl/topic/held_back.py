"""Pages that are known to be relevant and were held back: a list of URLs, and what a crawl made of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from ttcrawl.vocabulary.state import DELETED, FAILED, FETCHED, MOVED
from ttcrawl.web.url import key

#: Redirects that are followed from a held-back URL.
REDIRECTS = 20

#: Beginning of the reason of a page that was fetched without an error.
SUCCESS = "http 2"


class Known(Protocol):
    """A URL that a crawl has discovered."""

    @property
    def id(self) -> int: ...
    @property
    def url(self) -> str: ...
    @property
    def state(self) -> str: ...
    @property
    def reason(self) -> str: ...


class Fate(Struct, frozen=True, kw_only=True):
    """What became of a URL. `url`: the last one of its redirects; `id` and `state`: its own, if it is known.

    `excluded`: it was answered with an error, has failed or was deleted, so it says nothing about the recall.
    """

    url: str
    id: int | None = None
    state: str = ""  # "": never discovered
    reason: str = ""

    @property
    def found(self) -> bool:
        return self.state == FETCHED and self.reason.startswith(SUCCESS)

    @property
    def excluded(self) -> bool:
        return self.state in (FAILED, DELETED) or (self.state == FETCHED and not self.found)


def fate(url: str, find: Callable[[int], Known | None], target: Callable[[int], int | None]) -> Fate:
    """Return what became of a canonical URL. `find`: key -> URL; `target`: id of a redirect -> key of its target."""
    row = _row(url, find)
    result = Fate(url=url)
    for _ in range(REDIRECTS):
        if row is None:
            break
        result = Fate(url=row.url, id=row.id, state=row.state, reason=row.reason)
        if row.state != MOVED or (next_key := target(row.id)) is None:
            break
        row = find(next_key)
    return result


def _row(url: str, find: Callable[[int], Known | None]) -> Known | None:
    """URLs with the same hash have consecutive keys."""
    url_key = key(url)
    while (row := find(url_key)) is not None and row.url != url:
        url_key += 1
    return row
