"""URLs whose host belongs to another ring of a cluster: each has a row at home, and is sent to its owner.

The row says which paths were sent. So a URL is sent once, and again only when another path is shorter in something, as
it would be updated in a crawl of one ring. If the owner loses its disk, the rows of the others fill it again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ttcrawl.frontier.bounds import Bounds
from ttcrawl.ring.messages import NOT_FOLLOWED, Link
from ttcrawl.store.rows import Row, UrlPath
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.reason import FOREIGN, NONE, Code
from ttcrawl.vocabulary.state import REFUSED
from ttcrawl.web.url import host, key

#: Called with a URL for another ring, its spelling, a path to it, and the ring; 0: the owner of the host.
Post: TypeAlias = Callable[[str, str, UrlPath, int], None]


class ForeignUrls:
    """Decides which URLs leave. `is_foreign`: whether a host belongs to another ring.

    `holder`: takes the id of a URL whose host came from another ring, and returns the ring that has processed it, or 0.
    """

    def __init__(
        self,
        store: Store,
        bounds: Bounds,
        is_foreign: Callable[[str], bool],
        post: Post,
        holder: Callable[[int], int],
    ) -> None:
        self._store = store
        self._bounds = bounds
        self.is_foreign = is_foreign
        self._post = post
        self._holder = holder

    def discovered(self, link: Link, path: UrlPath) -> bool:
        """Whether a new URL that nothing excludes belongs to another ring; then it is posted."""
        if not self.is_foreign(link.host):
            return False
        self._post(link.url, link.spelling, path, 0)
        return True

    def rediscovered(self, row: Row, path: UrlPath, refused: Code, *, received: bool = False) -> bool:
        """Whether another path to a URL is for another ring to decide; then it is posted if it is shorter.

        `refused`: why the link itself is not followed. `received`: it came from another ring, which relies on us. Then
        it is posted in any case: the path may be one that we have sent to an earlier owner, and that comes back.
        """
        if row.state != REFUSED:
            return False
        ring = 0
        if not self.is_foreign(host(row.url)):
            ring = self._holder(row.id) if row.reason == FOREIGN else 0
            if not ring:
                return False
        if refused or self._bounds.refusal(row.url, path)[0]:
            return row.reason == FOREIGN
        sent = row.path.joined(path) if row.reason == FOREIGN else path
        if row.reason != FOREIGN:
            self._store.urls.refuse_for(row.id, FOREIGN, None)
        elif sent == row.path and not received:
            return True
        self._store.urls.shorten(row, sent, row.priority)
        self._post(row.url, "", path, ring)
        return True


def link_to(url: str, spelling: str, path: UrlPath) -> Link:
    """Return the link by which a URL arrives from another ring."""
    link: Link = Link.sound(  # all values are those of a message
        url=url,
        key=key(url),
        host=host(url),
        distance=NOT_FOLLOWED if path.depth is None else path.depth,
        refused=NONE,
        spelling=spelling,
        rank=path.rank,
        sitemap=path.sitemap > 0,
        requisite=path.requisite if path.depth is None else 0,
        score=path.score,
    )
    return link
