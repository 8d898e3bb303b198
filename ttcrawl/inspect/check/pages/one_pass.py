"""One pass over the archived pages, for all kinds that need one: each page is read and parsed once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Set

from ttcrawl.config.compiled import canon_of
from ttcrawl.inspect.check.kinds import FRAGMENT, INVALID, Problem
from ttcrawl.inspect.check.links.fragments import Fragments
from ttcrawl.inspect.check.links.invalid import invalid_problems
from ttcrawl.inspect.check.links.outcomes import Outcomes
from ttcrawl.inspect.check.pages import (
    canonicals,
    headings,
    hosts,
    hreflang,
    images,
    json_ld,
    markup,
    names,
    transport,
)
from ttcrawl.inspect.check.pages.archive import ArchivedPage
from ttcrawl.snapshot.snapshot import View

#: Kinds, and what finds their problems on a page.
ON_PAGES: tuple[tuple[Collection[str], Callable[[ArchivedPage], Iterator[Problem]]], ...] = (
    ((INVALID,), invalid_problems),
    (headings.KINDS, headings.heading_problems),
    (images.KINDS, images.image_problems),
    (names.KINDS, names.name_problems),
    (markup.KINDS, markup.markup_problems),
    (json_ld.KINDS, json_ld.json_ld_problems),
    (transport.KINDS, transport.transport_problems),
)

#: All kinds that need it.
KINDS = frozenset(kind for kinds, _ in ON_PAGES for kind in kinds).union(
    canonicals.KINDS, hosts.KINDS, hreflang.KINDS, (FRAGMENT,)
)


def problems_of(pages: Iterable[ArchivedPage], db: View, outcomes: Outcomes, kinds: Set[str]) -> Iterator[Problem]:
    """What needs all pages follows at the end."""
    canon = canon_of(db.config)
    fragments = Fragments(db, canon) if FRAGMENT in kinds else None
    versions = None if kinds.isdisjoint(hreflang.KINDS) else hreflang.Versions(canon.resolve)
    of_hosts = None if kinds.isdisjoint(hosts.KINDS) else hosts.Hosts()
    on_page = [find for found_by, find in ON_PAGES if not kinds.isdisjoint(found_by)]
    if not kinds.isdisjoint(canonicals.KINDS):
        on_page.append(lambda page: canonicals.canonical_problems(page, canon.resolve))
    for page in pages:
        for find in on_page:
            yield from find(page)
        if fragments:
            fragments.add(page)
        if versions:
            yield from versions.add(page)
        if of_hosts:
            of_hosts.add(page)
    yield from fragments.problems(outcomes) if fragments else ()
    yield from versions.problems() if versions else ()
    yield from of_hosts.problems() if of_hosts else ()
