"""Pages that a sitemap lists and no page links to: visitors do not find them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ttcrawl.inspect.check.kinds import ORPHAN, Problem
from ttcrawl.inspect.check.links import UNLINKED, links_to
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary import kind
from ttcrawl.vocabulary.reason import NO_CONTENT_STATUSES
from ttcrawl.vocabulary.state import FETCHED
from ttcrawl.web.url import key

SITEMAP = kind.LETTERS["sitemap"]

SITEMAPS = "SELECT targets, CAST(kinds AS BLOB) FROM outlinks WHERE instr(CAST(kinds AS BLOB), CAST(? AS BLOB)) > 0"

#: What a reader does not follow: relations of a page, what it loads, and lists for programs.
NOT_FOLLOWED = (
    UNLINKED
    | {kind.INDEX.letter}
    | {
        kind.LETTERS[name]
        for name in (
            "sitemap",
            "entry",
            "feed",
            "canonical",
            "next",
            "prev",
            "alternate",
            "link",
            "stylesheet",
            "css",
            "script",
        )
    }
)
FOLLOWED = frozenset(kind.NAMES) - NOT_FOLLOWED


def orphan_problems(db: View) -> Iterator[Problem]:
    """A seed is never an orphan. Entries that are errors or redirects are problems of their own."""
    entries = {
        target
        for packed, kinds in db.execute(SITEMAPS, (SITEMAP,))
        for target, letter in zip(json.loads(packed), kinds, strict=True)
        if letter == ord(SITEMAP)
    }
    entries -= set(map(key, db.seeds))
    for link in links_to(db, entries, FOLLOWED):
        entries.discard(link.target)
    reported = set[int]()
    for link in links_to(db, entries, {SITEMAP}):
        if link.target not in reported and (url := _page(db, link.target)):
            yield Problem(kind=ORPHAN, url=url, source=link.source)
        reported.add(link.target)


def _page(db: View, target: int) -> str:
    """The URL if a page was fetched from it, else "" """
    row = db.execute(
        f"SELECT url.url FROM url JOIN page ON page.url = url.id WHERE url.id = {db.id_of('?1')}"
        f" AND state = '{FETCHED}' AND status BETWEEN 200 AND 299 AND status NOT IN {NO_CONTENT_STATUSES}",
        (target,),
    ).fetchone()
    return row[0] if row else ""
