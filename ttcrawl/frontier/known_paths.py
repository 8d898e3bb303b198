"""Recent URLs with their paths: most links to a known URL change nothing, and need no look-up in the database.

Each parse process sends every URL that it discovers, also those that another process has sent before.
"""

from __future__ import annotations

from ttcrawl.frontier.recent import Recent
from ttcrawl.ring.messages import Link
from ttcrawl.store.rows import Row, UrlPath
from ttcrawl.vocabulary.reason import Code
from ttcrawl.vocabulary.state import REFUSED

#: URLs that are remembered, some 300 bytes each.
URLS = 10_000


class KnownPaths:
    """Links that a URL had, each with its path: a later link that is refused for the same reason, on a path that is no
    shorter, changes nothing.

    Of a row that changes in another way than by a shorter path, its URL must be forgotten.
    """

    def __init__(self, urls: int = URLS) -> None:
        self._links: Recent[tuple[str, Code, UrlPath]] = Recent(urls)  # by key: the URL, why it is refused, its path

    def unchanged(self, link: Link, path: UrlPath) -> bool:
        """Whether a link to a known URL surely changes nothing."""
        known = self._links.get(link.key)
        if known is None or not _is_plain(path):
            return False
        url, refused, before = known
        return url == link.url and refused == link.refused and (path == before or before.joined(path) == before)

    def discovered(self, link: Link, refused: Code, path: UrlPath) -> None:
        """Remember the first link to a URL. `refused`: the reason of its row."""
        if refused == link.refused and _is_plain(path):
            self._links.set(link.key, (link.url, refused, path))

    def rediscovered(self, link: Link, row: Row) -> None:
        """Remember a link to a known URL that did not change its row."""
        refused = row.reason if row.state == REFUSED else ""
        if refused == link.refused and _is_plain(row.path):
            self._links.set(link.key, (row.url, link.refused, row.path))

    def forget(self, key: int) -> None:
        """Forget the URL with this key."""
        self._links.forget(key)


def _is_plain(path: UrlPath) -> bool:
    """Whether it is the path of a page alone: no page requisite and no sitemap, which have rules of their own."""
    return path.depth is not None and not path.requisite and not path.sitemap
