"""Canonical URLs that do not lead to a page: a search engine ignores them, or loses the page."""

from __future__ import annotations

from collections.abc import Iterator

from ttcrawl.inspect.check.kinds import CANONICAL, Problem
from ttcrawl.inspect.check.outcomes import Outcomes
from ttcrawl.inspect.check.pages import PAGES
from ttcrawl.snapshot.snapshot import View
from ttcrawl.web.url import key


def canonical_problems(db: View, outcomes: Outcomes) -> Iterator[Problem]:
    rows = db.execute(f"SELECT url.url, canonical FROM {PAGES} AND canonical NOT IN ('', url.url) ORDER BY url.id")
    for url, canonical in rows:
        path = outcomes.path(key(canonical))
        if path.error or path.redirects:
            yield Problem(kind=CANONICAL, url=canonical, source=url, detail=path.detail)
