"""Headings: the outline by which readers with a screen reader go through a page. Hidden ones do not count."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.pages.rows import PAGES
from ttcrawl.snapshot.snapshot import View

MISSING, SEVERAL, SKIPPED = KINDS = ("missing-h1", "several-h1", "skipped-heading")


def heading_problems(db: View) -> Iterator[Problem]:
    """At most one problem of a kind for each page with text."""
    for url, headings in db.execute(f"SELECT url.url, headings FROM {PAGES} AND words > 0 ORDER BY url.id"):
        levels: list[tuple[int, str]] = json.loads(headings)
        first = [text for level, text in levels if level == 1]
        if not first:
            yield Problem(kind=MISSING, url=url)
        elif len(first) > 1:
            yield Problem(kind=SEVERAL, url=url, text=first[1])
        for (above, _), (level, text) in pairwise(levels):
            if level > above + 1:
                yield Problem(kind=SKIPPED, url=url, text=text, detail=f"h{level} after h{above}")
                break
