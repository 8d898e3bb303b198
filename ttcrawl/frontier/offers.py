"""The paths that the recorded links of an answered URL offer to their targets. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ttcrawl.frontier.bounds import Bounds
from ttcrawl.frontier.priority import WORST
from ttcrawl.store.rows import Row, UrlPath
from ttcrawl.vocabulary import region
from ttcrawl.vocabulary.kind import INDEX, REDIRECT, REQUISITES

#: How a URL became a sitemap: by a robots.txt, or by another sitemap (in an index, by a redirect).
BY_ROBOTS, BY_SITEMAP = 1, 2

_REDIRECT, _INDEX = ord(REDIRECT.letter), ord(INDEX.letter)
_BY_HOOK = (region.CONTENT_HOOK, region.ELSEWHERE_HOOK)


def offers(page: Row, links: Iterable[tuple[int, int, int]], bounds: Bounds) -> Iterator[tuple[int, UrlPath]]:
    """Yield (key of a target, path to it) for links that are (key, letter of the kind, letter of the region).

    The off-domain links of the paths are those of `page`. Ranks were recorded when the source was read.
    """
    followed = region.followed(everywhere=bounds.follow_all) if page.depth is not None else b""
    for key, kind, letter in links:
        if page.depth is not None and letter in followed:
            sitemap = BY_SITEMAP if kind == _INDEX or (kind == _REDIRECT and page.sitemap) else 0
            same = kind in (_REDIRECT, _INDEX)
            depth, redirects = (page.depth, page.redirects + 1) if same else (page.depth + 1, 0)
            yield key, UrlPath(depth, redirects, page.off_domain, WORST, sitemap)
        if not bounds.page_requisites:
            continue
        if kind == _REDIRECT and page.requisite:
            yield key, required(page.requisite + 1)
        elif kind in REQUISITES and letter not in _BY_HOOK:
            yield key, required(1 if page.depth is not None else page.requisite + 1)


def required(steps: int) -> UrlPath:
    """Return the path to a page requisite, so many links and redirects from its page."""
    return UrlPath(None, 0, 0, WORST, 0, steps)
