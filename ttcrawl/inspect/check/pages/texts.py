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
from ttcrawl.inspect.check.pages.rows import IS_COPY, IS_DUPLICATE, PAGES
from ttcrawl.snapshot.snapshot import View
from ttcrawl.web.url import key


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A text that each page should have, different from all others, of so many characters."""

    column: str
    missing: str
    duplicate: str
    short: str
    shortest: int
    long: str
    longest: int


#: Search engines document no lengths: these are what they show of a title on a desk, and two lines of a description.
FIELDS = (
    Field(
        column="page.title",
        missing=MISSING_TITLE,
        duplicate=DUPLICATE_TITLE,
        short="short-title",
        shortest=10,
        long="long-title",
        longest=60,
    ),
    Field(
        column="metadata.description",
        missing=MISSING_DESCRIPTION,
        duplicate=DUPLICATE_DESCRIPTION,
        short="short-description",
        shortest=50,
        long="long-description",
        longest=160,
    ),
)
KINDS = tuple(kind for each in FIELDS for kind in (each.missing, each.duplicate, each.short, each.long))


def text_problems(db: View) -> Iterator[Problem]:
    """A page whose canonical URL is another page may have its texts, and one with the content of another page has them:
    that is a problem of another kind. NULL, without metadata, is not a missing text.
    """
    for field in FIELDS:
        query = (
            f"SELECT site, url.url, trim({field.column}), {IS_COPY} OR {IS_DUPLICATE} FROM {PAGES}"
            f" AND {field.column} NOT NULL ORDER BY url.id"
        )
        first: dict[tuple[int, str], str] = {}
        for site, url, text, copy in db.execute(query):
            if not text:
                yield Problem(kind=field.missing, url=url)
            elif not copy:
                if (other := first.setdefault((site, text), url)) != url:
                    yield Problem(kind=field.duplicate, url=url, source=other, text=text)
                if not field.shortest <= len(text) <= field.longest:
                    yield Problem(kind=field.short if len(text) < field.shortest else field.long, url=url, text=text)


def canonical_problems(db: View, outcomes: Outcomes) -> Iterator[Problem]:
    """Canonical URLs that do not lead to a page: a search engine ignores them, or loses the page."""
    rows = db.execute(f"SELECT url.url, canonical FROM {PAGES} AND canonical NOT IN ('', url.url) ORDER BY url.id")
    for url, canonical in rows:
        path = outcomes.path(key(canonical))
        if path.error or path.redirects:
            yield Problem(kind=CANONICAL, url=canonical, source=url, detail=path.detail)
