"""Titles, descriptions and canonical URLs of pages: missing, the same as on another page of the host, or wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ttcrawl.inspect.check.kinds import (
    CANONICAL,
    DUPLICATE_DESCRIPTION,
    DUPLICATE_TITLE,
    MISSING_DESCRIPTION,
    MISSING_TITLE,
    Problem,
)
from ttcrawl.inspect.check.links.outcomes import Outcomes
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.html import HTML_TYPES
from ttcrawl.vocabulary.reason import NO_CONTENT_STATUSES
from ttcrawl.vocabulary.state import FETCHED
from ttcrawl.web.url import key

#: The HTML pages that were answered with 2xx.
PAGES = (
    "page JOIN url ON url.id = page.url LEFT JOIN metadata ON metadata.url = page.url"
    f" WHERE state = '{FETCHED}' AND status BETWEEN 200 AND 299 AND status NOT IN {NO_CONTENT_STATUSES}"
    f" AND type IN {HTML_TYPES}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A text that each page should have, different from all others."""

    column: str
    missing: str
    duplicate: str


FIELDS = (
    Field(column="page.title", missing=MISSING_TITLE, duplicate=DUPLICATE_TITLE),
    Field(column="metadata.description", missing=MISSING_DESCRIPTION, duplicate=DUPLICATE_DESCRIPTION),
)


def page_problems(db: View) -> Iterator[Problem]:
    """A page whose canonical URL is another page may have its texts. NULL, without metadata, is not a missing text."""
    for field in FIELDS:
        query = (
            f"SELECT site, url.url, trim({field.column}), coalesce(canonical NOT IN ('', url.url), 0) FROM {PAGES}"
            f" AND {field.column} NOT NULL ORDER BY url.id"
        )
        first: dict[tuple[int, str], str] = {}
        for site, url, text, elsewhere in db.execute(query):
            if not text:
                yield Problem(kind=field.missing, url=url)
            elif not elsewhere and (other := first.setdefault((site, text), url)) != url:
                yield Problem(kind=field.duplicate, url=url, source=other, text=text)


def canonical_problems(db: View, outcomes: Outcomes) -> Iterator[Problem]:
    """Canonical URLs that do not lead to a page: a search engine ignores them, or loses the page."""
    rows = db.execute(f"SELECT url.url, canonical FROM {PAGES} AND canonical NOT IN ('', url.url) ORDER BY url.id")
    for url, canonical in rows:
        path = outcomes.path(key(canonical))
        if path.error or path.redirects:
            yield Problem(kind=CANONICAL, url=canonical, source=url, detail=path.detail)
