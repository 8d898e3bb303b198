"""Headings: the outline by which readers with a screen reader go through a page.

The tables have their texts; here an image with a name is a heading, too. Hidden ones do not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from selectolax.lexbor import LexborNode

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.pages.archive import HEADING, ArchivedPage
from ttcrawl.inspect.check.pages.visible import is_hidden

MISSING, SEVERAL, SKIPPED = KINDS = ("missing-h1", "several-h1", "skipped-heading")

_NAMED = "img[alt]:not([alt='']), [aria-label], svg"


def heading_problems(page: ArchivedPage) -> Iterator[Problem]:
    """At most one problem of a kind for each page."""
    headings: list[tuple[int, str, LexborNode]] = []
    for node in page.elements[HEADING]:
        text = " ".join(node.text().split())
        if (text or node.css_first(_NAMED) is not None) and not (page.hides and is_hidden(node)):
            headings.append((int((node.tag or "h6")[1]), text, node))
    first = [(text, node) for level, text, node in headings if level == 1]
    if not first:
        yield Problem(kind=MISSING, url=page.url)
    elif len(first) > 1:
        text, node = first[1]
        yield page.marked(Problem(kind=SEVERAL, url=page.url, text=text), node)
    for (above, *_), (level, text, node) in pairwise(headings):
        if level > above + 1:
            detail = f"h{level} after h{above}"
            yield page.marked(Problem(kind=SKIPPED, url=page.url, text=text, detail=detail), node)
            return
