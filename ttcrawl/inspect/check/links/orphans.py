"""Pages that a sitemap lists and no page links to, or only menus: visitors do not find them, or find them in lists."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import compress
from operator import and_

from ttcrawl.inspect.check.kinds import ORPHAN, Problem
from ttcrawl.inspect.check.links.targets import SITEMAP, UNLINKED, links_to
from ttcrawl.snapshot.main_links import in_main_text_of_page
from ttcrawl.snapshot.outlinks import keys_of_row, rows
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary import kind
from ttcrawl.vocabulary.reason import NO_CONTENT_STATUSES
from ttcrawl.vocabulary.state import FETCHED
from ttcrawl.web.url import key

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
_STEP = {kind.REDIRECT.letter}
_IS_LINK, _IS_STEP = (bytes(chr(each) in letters for each in range(256)) for letters in (FOLLOWED - _STEP, _STEP))

#: What an orphan says that menus link to; others have no link at all.
MENUS_ONLY = "only menus link to it"


def orphan_problems(db: View, links: str) -> Iterator[Problem]:
    """Pages in a sitemap without a link from the main text of a page (`links`: main), or without any link (all).

    A seed is never an orphan. Entries that are errors or redirects are problems of their own.
    """
    entries = {
        target
        for packed, kinds in db.execute(SITEMAPS, (SITEMAP,))
        for target, letter in zip(json.loads(packed), kinds, strict=True)
        if letter == ord(SITEMAP)
    }
    if not entries:
        return
    linked = _linked(db, entries, set(map(key, db.seeds)))
    reported = linked.main if links == "main" else linked.all
    for link in links_to(db, entries - reported, {SITEMAP}):
        if link.target not in reported and (url := _page(db, link.target)):
            detail = MENUS_ONLY if link.target in linked.all else ""
            yield Problem(kind=ORPHAN, url=url, source=link.source, detail=detail)
        reported.add(link.target)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Linked:
    """Keys of URLs that a link leads to, also over redirects: from the main text of a page, or from any place."""

    main: set[int]
    all: set[int]


def _linked(db: View, entries: Set[int], seeds: Set[int]) -> _Linked:
    """Which entries of sitemaps, and which redirects, are linked, or are seeds."""
    redirects = {id: key for id, key in db.execute("SELECT id, key FROM url WHERE state = 'moved'")}
    errors = {id for (id,) in db.execute("SELECT url FROM page WHERE status >= 400")}
    candidates = {*entries, *redirects.values()}
    onward: dict[int, int] = {}
    main, everywhere = set(seeds), set(seeds)
    for source, packed, kinds, regions, landmarks in rows(db):
        keys = keys_of_row(source, packed, len(kinds))
        if source in redirects:
            onward.update((redirects[source], target) for target in compress(keys, kinds.translate(_IS_STEP)))
        if source not in errors and not candidates.isdisjoint(keys):
            followed = kinds.translate(_IS_LINK)
            everywhere |= candidates.intersection(compress(keys, followed))
            in_main = map(and_, followed, in_main_text_of_page(kinds, regions, landmarks))
            main |= candidates.intersection(compress(keys, in_main))
    return _Linked(main=_behind(main, onward), all=_behind(everywhere, onward))


def _behind(keys: Iterable[int], onward: Mapping[int, int]) -> set[int]:
    """The keys, and the targets of those that are redirects."""
    reached = set[int]()
    for each in keys:
        target: int | None = each
        while target is not None and target not in reached:
            reached.add(target)
            target = onward.get(target)
    return reached


def _page(db: View, target: int) -> str:
    """The URL if a page was fetched from it, else "" """
    row = db.execute(
        f"SELECT url.url FROM url JOIN page ON page.url = url.id WHERE url.id = {db.id_of('?1')}"
        f" AND state = '{FETCHED}' AND status BETWEEN 200 AND 299 AND status NOT IN {NO_CONTENT_STATUSES}",
        (target,),
    ).fetchone()
    return row[0] if row else ""
