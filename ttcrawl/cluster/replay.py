"""All URLs of a ring are sent to it once more after it has lost its disk: some in each turn, each exactly once.

How far it has come is stored in the transaction of the batches, so a kill neither repeats nor skips any.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ttcrawl.store.mailbox import Mailbox
from ttcrawl.store.rows import UrlPath
from ttcrawl.store.urls import Urls

#: Rows of table `url` that are read in a turn.
SPAN = 10_000

#: Called with a URL, a spelling and the path to it.
Post: TypeAlias = Callable[[str, str, UrlPath], None]


class Replays:
    """`ring_of(url)`: its owner. `post`: takes what is sent again. `span`: rows that are read in a turn."""

    def __init__(
        self, mailbox: Mailbox, urls: Urls, ring_of: Callable[[str], int], post: Post, span: int = SPAN
    ) -> None:
        self._mailbox = mailbox
        self._urls = urls
        self._ring_of = ring_of
        self._post = post
        self._span = span
        self._under_way = {ring: (next, last) for ring, next, last in mailbox.replays()}

    def __contains__(self, ring: int) -> bool:
        return ring in self._under_way

    def __bool__(self) -> bool:
        return bool(self._under_way)

    def begin(self, ring: int, last: int) -> None:
        """Begin anew with a ring: up to the id `last`. Later URLs are sent when they are discovered."""
        self._under_way[ring] = 1, last
        self._mailbox.replay(ring, 1, last)

    def turn(self) -> list[int]:
        """Post the next URLs; return the rings that have got all."""
        complete = []
        for ring, (next, last) in list(self._under_way.items()):
            for url, path in self._urls.foreign(next, min(next + self._span, last + 1)):
                if self._ring_of(url) == ring:
                    self._post(url, "", path)
            if next + self._span <= last:
                self._under_way[ring] = next + self._span, last
                self._mailbox.replay(ring, next + self._span, last)
            else:
                del self._under_way[ring]
                self._mailbox.end_replay(ring)
                complete.append(ring)
        return complete
