"""The links of a crawl, and the problems of their targets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from urllib.parse import urlsplit

from ttcrawl.inspect.check.kinds import BROKEN, CHAIN, EXTERNAL, LOOP, REDIRECT, TO_START, UNCHECKED, UNSURE, Problem
from ttcrawl.inspect.check.links.outcomes import Outcomes, Path
from ttcrawl.inspect.check.pages.rows import LOST
from ttcrawl.inspect.check.rules import UNSURE_STATUSES, Rules
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary import kind
from ttcrawl.vocabulary.reason import ROBOTS
from ttcrawl.web.scope.redirects import bare
from ttcrawl.web.url import key

#: URLs in JSON-LD and in text are names rather than links.
UNLINKED = frozenset("jT")
#: A redirect is judged by the links that lead to it; a canonical URL has a kind of its own (see canonicals.py).
NOT_ON_PAGES = frozenset(kind.REDIRECT.letter + kind.LETTERS["canonical"])
#: What a page loads or shows, and what a reader can follow.
ON_PAGES = frozenset(kind.NAMES) - UNLINKED - NOT_ON_PAGES

SITEMAP = kind.LETTERS["sitemap"]
SITEMAP_REDIRECT, SITEMAP_FORBIDDEN = "sitemap-redirect", "sitemap-forbidden"

#: Other names of a start page, without extension.
START_NAMES = ("index", "default", "home", "start", "main", "welcome")

#: Links on error pages lead nowhere that a visitor of the site should go.
PACKED = f"""
    SELECT url.url, targets, CAST(kinds AS BLOB), anchors
    FROM outlinks JOIN url ON url.id = source LEFT JOIN page ON page.url = source
    WHERE coalesce(page.status, 0) < 400 AND source NOT IN ({LOST}) ORDER BY source"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    source: str
    target: int  # key
    kind: str  # a letter of ttcrawl.vocabulary.kind
    text: str


def links_to(db: View, targets: Set[int], kinds: Set[str]) -> Iterator[Link]:
    """The links of these kinds to these URLs (keys), page by page. Raises ValueError for damaged rows."""
    if not targets:  # the links of all pages would be read for nothing
        return
    letters = frozenset(map(ord, kinds))
    for source, packed, kinds_of_page, anchors in db.execute(PACKED):
        keys = json.loads(packed)
        if targets.isdisjoint(keys):
            continue
        texts = json.loads(anchors) if anchors else [""] * len(keys)
        for target, letter, text in zip(keys, kinds_of_page, texts, strict=True):
            if letter in letters and target in targets:
                yield Link(source=source, target=target, kind=chr(letter), text=text)


def link_problems(db: View, outcomes: Outcomes, is_external: Callable[[str], bool], rules: Rules) -> Iterator[Problem]:
    """A problem for each page and text with a link to an error or a redirect, and for each seed that is an error."""
    kinds: dict[int, tuple[str, str, str]] = {}
    for target in outcomes:
        path = outcomes.path(target)
        url = outcomes.url(target)
        if name := _kind(path, rules, external=is_external(url)):
            kinds[target] = name, url, path.detail
    for seed in db.seeds:
        name, _, detail = kinds.get(key(seed), ("", "", ""))
        if name in (BROKEN, LOOP):  # a redirect from what a user types is not a mistake of a page
            yield Problem(kind=name, url=seed, detail=detail)
    yield from _on_pages(db, kinds)


def unchecked_problems(db: View, reasons: Mapping[int, tuple[str, str]]) -> Iterator[Problem]:
    """A problem for each page and text with a link to a URL that was not requested. `reasons`: key -> URL, reason."""
    yield from _on_pages(db, {target: (UNCHECKED, url, reason) for target, (url, reason) in reasons.items()})


def _on_pages(db: View, kinds: Mapping[int, tuple[str, str, str]]) -> Iterator[Problem]:
    """The problem of each target (kind, URL, detail by key), once for each page and text that shows it."""
    reported = set[tuple[int, str]]()
    page = ""
    for link in links_to(db, kinds.keys(), ON_PAGES):
        if link.source != page:
            page = link.source
            reported.clear()
        if (link.target, link.text) not in reported:
            reported.add((link.target, link.text))
            name, url, detail = kinds[link.target]
            if link.kind == SITEMAP:
                name = _in_sitemap(name, detail)
            yield Problem(kind=name, url=url, source=link.source, text=link.text, detail=detail)


def _in_sitemap(kind: str, detail: str) -> str:
    """The kind of problem of an entry of a sitemap: search engines follow what is there, readers do not."""
    if kind in (REDIRECT, CHAIN, TO_START):
        return SITEMAP_REDIRECT
    return SITEMAP_FORBIDDEN if kind == UNCHECKED and detail.startswith(ROBOTS) else kind


def _leads_to_start(path: Path) -> bool:
    """Whether redirects lead from a page to the start page of its host: for readers, the page is gone."""
    first, last = urlsplit(path.redirects[0].url), urlsplit(path.redirects[-1].target_url)
    name = first.path.rpartition("/")[2].partition(".")[0].lower()
    if first.path in ("", "/") or (name in START_NAMES and first.path.count("/") == 1):
        return False
    return last.path in ("", "/") and not last.query and bare(last.netloc) == bare(first.netloc)


def _kind(path: Path, rules: Rules, *, external: bool) -> str:
    """The kind of problem; "" if there is none. Redirects of external sites are not the site's own problem."""
    error = "" if path.status in rules.accepted else path.error
    if external:
        if error and path.status in UNSURE_STATUSES:
            return UNSURE
        return EXTERNAL if error or path.loop else ""
    if error:
        return BROKEN
    if path.loop:
        return LOOP
    if path.redirects and _leads_to_start(path):
        return TO_START
    return ("", REDIRECT, CHAIN)[min(len(path.redirects), 2)]
