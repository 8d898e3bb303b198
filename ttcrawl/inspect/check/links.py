"""The links of a crawl, and the problems of their targets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass

from ttcrawl.inspect.check.kinds import BROKEN, CHAIN, EXTERNAL, LOOP, REDIRECT, Problem
from ttcrawl.inspect.check.outcomes import Outcomes, Path
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary import kind
from ttcrawl.web.url import key

#: URLs in JSON-LD and in text are names rather than links.
UNLINKED = frozenset("jT")
#: A redirect is judged by the links that lead to it; a canonical URL has a kind of its own (see canonicals.py).
NOT_ON_PAGES = frozenset(kind.REDIRECT.letter + kind.LETTERS["canonical"])
#: What a page loads or shows, and what a reader can follow.
ON_PAGES = frozenset(kind.NAMES) - UNLINKED - NOT_ON_PAGES

#: Links on error pages lead nowhere that a visitor of the site should go.
PACKED = """
    SELECT url.url, targets, CAST(kinds AS BLOB), anchors
    FROM outlinks JOIN url ON url.id = source LEFT JOIN page ON page.url = source
    WHERE coalesce(page.status, 0) < 400 ORDER BY source"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    source: str
    target: int  # key
    kind: str  # a letter of ttcrawl.vocabulary.kind
    text: str


def links_to(db: View, targets: Set[int], kinds: Set[str]) -> Iterator[Link]:
    """The links of these kinds to these URLs (keys), page by page. Raises ValueError for damaged rows."""
    letters = frozenset(map(ord, kinds))
    for source, packed, kinds_of_page, anchors in db.execute(PACKED):
        keys = json.loads(packed)
        if targets.isdisjoint(keys):
            continue
        texts = json.loads(anchors) if anchors else [""] * len(keys)
        for target, letter, text in zip(keys, kinds_of_page, texts, strict=True):
            if letter in letters and target in targets:
                yield Link(source=source, target=target, kind=chr(letter), text=text)


def link_problems(db: View, outcomes: Outcomes, is_external: Callable[[str], bool]) -> Iterator[Problem]:
    """A problem for each page and text with a link to an error or a redirect, and for each seed that is an error."""
    kinds: dict[int, tuple[str, str]] = {}
    for target in outcomes:
        path = outcomes.path(target)
        if name := _kind(path, external=is_external(outcomes.url(target))):
            kinds[target] = name, path.detail
    for seed in db.seeds:
        name, detail = kinds.get(key(seed), ("", ""))
        if name in (BROKEN, LOOP):  # a redirect from what a user types is not a mistake of a page
            yield Problem(kind=name, url=seed, detail=detail)
    reported = set[tuple[int, str]]()
    page = ""
    for link in links_to(db, kinds.keys(), ON_PAGES):
        if link.source != page:
            page = link.source
            reported.clear()
        if (link.target, link.text) not in reported:
            reported.add((link.target, link.text))
            name, detail = kinds[link.target]
            yield Problem(kind=name, url=outcomes.url(link.target), source=link.source, text=link.text, detail=detail)


def _kind(path: Path, *, external: bool) -> str:
    """The kind of problem; "" if there is none. Redirects of external sites are not the site's own problem."""
    if external:
        return EXTERNAL if path.error or path.loop else ""
    if path.error:
        return BROKEN
    if path.loop:
        return LOOP
    return ("", REDIRECT, CHAIN)[min(len(path.redirects), 2)]
