"""All problems of a crawl: which file finds which kinds. What no kind needs that was chosen is not read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from ttcrawl.inspect.check.kinds import (
    BROKEN,
    CANONICAL,
    CHAIN,
    EXTERNAL,
    LOOP,
    ORPHAN,
    REDIRECT,
    TO_START,
    UNCHECKED,
    UNSURE,
    Problem,
)
from ttcrawl.inspect.check.links import external, indexing, structure
from ttcrawl.inspect.check.links.orphans import orphan_problems
from ttcrawl.inspect.check.links.outcomes import Outcomes
from ttcrawl.inspect.check.links.targets import link_problems
from ttcrawl.inspect.check.pages import contents, files, texts
from ttcrawl.inspect.check.rules import Rules
from ttcrawl.inspect.why.open_crawl import compile_rules
from ttcrawl.snapshot.snapshot import View

Problems = Iterator[Problem]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawls:
    """The crawl of a site, those of its external URLs, and what both have brought."""

    site: View
    externals: Sequence[View]
    outcomes: Outcomes
    rules: Rules


#: Kinds, and what finds their problems in the tables.
IN_TABLES: tuple[tuple[Collection[str], Callable[[Crawls], Problems]], ...] = (
    ((CANONICAL,), lambda crawls: texts.canonical_problems(crawls.site, crawls.outcomes)),
    (texts.KINDS, lambda crawls: texts.text_problems(crawls.site)),
    (contents.KINDS, lambda crawls: contents.content_problems(crawls.site)),
    (files.KINDS, lambda crawls: files.file_problems(crawls.site, crawls.externals)),
    (indexing.KINDS, lambda crawls: indexing.indexing_problems(crawls.site)),
    (structure.KINDS, lambda crawls: structure.structure_problems(crawls.site)),
    ((ORPHAN,), lambda crawls: orphan_problems(crawls.site, crawls.rules.links)),
)

#: The kinds for which external URLs, and what pages load, are requested.
OF_REQUESTS = frozenset(
    (BROKEN, EXTERNAL, LOOP, CHAIN, REDIRECT, TO_START, CANONICAL, UNSURE, UNCHECKED, files.HEAVY_IMAGE, files.UNCACHED)
)


def problems_in_tables(crawls: Crawls) -> Problems:
    """All that can be told without reading pages again, but unchecked links."""
    db, rules = crawls.site, crawls.rules
    scope = compile_rules(db.config, db.settings).scope
    yield from link_problems(db, crawls.outcomes, lambda url: scope.refusal(url) in external.OUT_OF_SITE, rules)
    for kinds, of_tables in IN_TABLES:
        if not rules.kinds.isdisjoint(kinds):
            yield from of_tables(crawls)
