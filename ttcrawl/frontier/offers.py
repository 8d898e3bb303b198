"""The paths that the links of an answered URL offer to their targets. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ttcrawl.frontier.bounds import Bounds
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.priority import WORST
from ttcrawl.ring.messages import NOT_FOLLOWED, Link
from ttcrawl.store.rows import NO_RELEVANCE, Relevance, Row, UrlPath
from ttcrawl.topic.best_first import FULL, handed_down, offered
from ttcrawl.vocabulary import region
from ttcrawl.vocabulary.kind import INDEX, REDIRECT, REQUISITES, SHOWN

#: How a URL became a sitemap: by a robots.txt, or by another sitemap (in an index, by a redirect).
BY_ROBOTS, BY_SITEMAP = 1, 2

_REDIRECT, _INDEX = ord(REDIRECT.letter), ord(INDEX.letter)
_BY_HOOK = (region.CONTENT_HOOK, region.ELSEWHERE_HOOK)


def offers(
    page: Row, links: Iterable[tuple[int, int, int, int]], bounds: Bounds, topic: Relevance = NO_RELEVANCE
) -> Iterator[tuple[int, UrlPath]]:
    """Yield (key of a target, path to it) for links that are (key, letter of the kind, letter of the region, score).

    The paths have the off-domain links of `page`. Ranks were recorded when the source was read.
    """
    off_topic = bounds.off_topic(page.off_topic, topic.relevant)
    from_page = handed_down(topic.relevant, topic.probability, off_topic)
    followed = region.followed(everywhere=bounds.follow_all) if page.depth is not None else b""
    for key, kind, letter, score in links:
        if page.depth is not None and letter in followed:
            sitemap = BY_SITEMAP if kind == _INDEX or (kind == _REDIRECT and page.sitemap) else 0
            same = kind in (_REDIRECT, _INDEX)
            near = same or (page.depth == bounds.max_depth and kind in SHOWN)
            depth, redirects = (page.depth, page.redirects + 1) if near else (page.depth + 1, 0)
            promised = page.score if same else offered(score, from_page)
            yield key, UrlPath(depth, redirects, page.off_domain, WORST, sitemap, 0, off_topic, promised)
        if not bounds.page_requisites:
            continue
        if kind == _REDIRECT and page.requisite:
            yield key, required(page.requisite + 1, page.score)
        elif kind in REQUISITES and letter not in _BY_HOOK:
            yield key, required(1 if page.depth is not None else page.requisite + 1, from_page)


def path_of(
    link: Link, source: Queued | None, redirects: int, off_topic: int, bounds: Bounds, score: int = 0
) -> UrlPath:
    """Return the path that a link of a page offers to its target.

    `source`, `redirects`: as in Ledger.discover; `off_topic`: irrelevant pages in a row up to the link; `score`: what
    the link promises.
    """
    if link.requisite:
        return required(link.requisite, score)
    sitemap = 0
    if link.sitemap:
        redirects, sitemap = (source.redirects + 1, BY_SITEMAP) if source else (0, BY_ROBOTS)
    elif source is not None and link.distance == source.depth != NOT_FOLLOWED and not redirects:
        redirects = source.redirects + 1  # what a page at the maximum depth shows
    off_domain = bounds.off_domain(link.host, source.off_domain if source else -1, redirects)
    depth, rank = (None, WORST) if link.distance == NOT_FOLLOWED else (link.distance, link.rank)
    return UrlPath(depth, redirects, off_domain, rank, sitemap, 0, off_topic, 0 if depth is None else score)


def promised(link: Link, source: Queued | None, redirects: int, from_page: int) -> int:
    """Return what a link promises. `from_page`: what its page hands down."""
    if source is None:
        return FULL
    if redirects or link.sitemap:
        return source.score
    return from_page if link.requisite else offered(link.score, from_page)


def required(steps: int, score: int = 0) -> UrlPath:
    """Return the path to a page requisite, `steps` links and redirects from its page."""
    return UrlPath(None, 0, 0, WORST, 0, steps, score=score)
