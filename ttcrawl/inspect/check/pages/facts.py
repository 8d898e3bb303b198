"""What one page gives to a check: its own problems, and what is needed to judge others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Set

from msgspec import Struct

from ttcrawl.inspect.check.kinds import FRAGMENT, INVALID, Problem
from ttcrawl.inspect.check.links.fragments import Anchors, anchors_of
from ttcrawl.inspect.check.links.invalid import invalid_problems
from ttcrawl.inspect.check.pages import canonicals, headings, hosts, hreflang, images, json_ld, markup, names, transport
from ttcrawl.inspect.check.pages.archive import ArchivedPage
from ttcrawl.web.canon import Canon

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

#: All kinds for which pages are read.
KINDS = frozenset(kind for kinds, _ in ON_PAGES for kind in kinds).union(
    canonicals.KINDS, hosts.KINDS, hreflang.KINDS, (FRAGMENT,)
)


class PageFacts(Struct, frozen=True, kw_only=True):
    """`lacks`: the kinds of what its host does not send with it."""

    problems: tuple[Problem, ...]
    anchors: Anchors | None
    versions: hreflang.Versions | None
    lacks: tuple[str, ...]


class Reader:
    """Reads pages for these kinds."""

    def __init__(self, kinds: Set[str], canon: Canon) -> None:
        self._kinds, self._canon = kinds & KINDS, canon
        self._finders = [find for found_by, find in ON_PAGES if not kinds.isdisjoint(found_by)]

    def facts(self, page: ArchivedPage) -> PageFacts:
        problems = [each for find in self._finders for each in find(page)]
        if not self._kinds.isdisjoint(canonicals.KINDS):
            problems += canonicals.canonical_problems(page, self._canon.resolve)
        versions = None
        if not self._kinds.isdisjoint(hreflang.KINDS):
            versions = hreflang.versions_of(page, self._canon.resolve)
            problems += hreflang.version_problems(page.url, versions) if versions else ()
        return PageFacts(
            problems=tuple(problems),
            anchors=anchors_of(page, self._canon) if FRAGMENT in self._kinds else None,
            versions=versions,
            lacks=() if self._kinds.isdisjoint(hosts.KINDS) else tuple(hosts.lacks(page)),
        )
