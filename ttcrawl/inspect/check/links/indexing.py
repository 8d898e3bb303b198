"""Pages that tell search engines not to show them, or to show another page, and what contradicts it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.links.orphans import FOLLOWED
from ttcrawl.inspect.check.links.targets import SITEMAP, links_to
from ttcrawl.inspect.check.pages.rows import IS_COPY, PAGES
from ttcrawl.snapshot.snapshot import View
from ttcrawl.web.url import key

LINKED, IN_SITEMAP, CANONICAL, CHAIN, COPY_IN_SITEMAP = KINDS = (
    "noindex-linked",
    "sitemap-noindex",
    "canonical-noindex",
    "canonical-chain",
    "sitemap-canonical",
)

#: In column `robots`: https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
_NOINDEX = re.compile(r"(?:^|, )(?:noindex|none)(?:,|$)")


class Indexing:
    """`noindex`: key -> URL of pages that are not to be shown; `copies`: key -> URL, canonical URL of another page."""

    def __init__(self, db: View) -> None:
        self.noindex: dict[int, str] = {}
        self.copies: dict[int, tuple[str, str]] = {}
        rows = db.execute(
            f"SELECT key, url.url, robots, CASE WHEN {IS_COPY} THEN canonical END FROM {PAGES}"
            f" AND (robots != '' OR {IS_COPY}) ORDER BY url.id"
        )
        for page, url, robots, canonical in rows:
            if _NOINDEX.search(robots):
                self.noindex[page] = url
            if canonical is not None:
                self.copies[page] = url, canonical


def indexing_problems(db: View) -> Iterator[Problem]:
    indexing = Indexing(db)
    yield from _in_sitemaps(db, indexing)
    yield from _linked(db, indexing)
    for url, canonical in indexing.copies.values():
        target = key(canonical)
        if target in indexing.noindex:
            yield Problem(kind=CANONICAL, url=canonical, source=url)
        if (further := indexing.copies.get(target)) is not None:
            yield Problem(kind=CHAIN, url=canonical, source=url, detail=f"names {further[1]}")


def _in_sitemaps(db: View, indexing: Indexing) -> Iterator[Problem]:
    for link in links_to(db, indexing.noindex.keys() | indexing.copies.keys(), frozenset(SITEMAP)):
        if (url := indexing.noindex.get(link.target)) is not None:
            yield Problem(kind=IN_SITEMAP, url=url, source=link.source)
        if link.target in indexing.copies:
            url, canonical = indexing.copies[link.target]
            yield Problem(kind=COPY_IN_SITEMAP, url=url, source=link.source, detail=f"names {canonical}")


def _linked(db: View, indexing: Indexing) -> Iterator[Problem]:
    """One problem for each page with noindex: many are meant to be linked, such as a search."""
    first: dict[int, str] = {}
    pages = Counter[int]()
    for target, source in dict.fromkeys(
        (link.target, link.source) for link in links_to(db, indexing.noindex.keys(), FOLLOWED)
    ):
        if source != indexing.noindex[target]:
            first.setdefault(target, source)
            pages[target] += 1
    for target, source in first.items():
        yield Problem(kind=LINKED, url=indexing.noindex[target], source=source, detail=_others(pages[target] - 1))


def _others(number: int) -> str:
    return f"and on {number:,} more" if number else ""
