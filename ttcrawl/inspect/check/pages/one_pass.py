"""One pass over the pages, for all kinds that need one: each page is read once, or not at all if it was read before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from ttcrawl.config.compiled import canon_of
from ttcrawl.inspect.check.kinds import FRAGMENT, Problem
from ttcrawl.inspect.check.links.fragments import Fragments
from ttcrawl.inspect.check.links.outcomes import Outcomes
from ttcrawl.inspect.check.pages import hosts, hreflang
from ttcrawl.inspect.check.pages.archive import PageRow, archived_page, page_rows
from ttcrawl.inspect.check.pages.cache import FactsCache
from ttcrawl.inspect.check.pages.facts import PageFacts, Reader
from ttcrawl.inspect.check.pages.positions import Positions
from ttcrawl.inspect.check.pages.rows import PAGES
from ttcrawl.inspect.check.pages.sitemap_versions import versions_in_sitemaps
from ttcrawl.inspect.check.rules import Rules
from ttcrawl.output.steps import Progress
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.snapshot import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """What a pass works with. `unread` receives the URLs of pages that cannot be read."""

    db: View
    rules: Rules
    cache: FactsCache
    positions: Positions
    progress: Progress
    unread: list[str]


def problems_of(pages: Pages, outcomes: Outcomes) -> Iterator[Problem]:
    """What needs all pages follows at the end."""
    kinds = pages.rules.kinds
    fragments = Fragments(pages.db) if FRAGMENT in kinds else None
    return_links, of_hosts = hreflang.ReturnLinks(), hosts.Hosts()
    listed = _in_sitemaps(pages)
    for row, facts in _facts(pages):
        yield from facts.problems
        versions = listed.get(row.key)
        if versions:
            yield from _of_sitemap(row.url, facts.versions, versions)
        if fragments and facts.anchors:
            fragments.add(row, facts.anchors)
        return_links.add(row, hreflang.joined(facts.versions, versions))
        of_hosts.add(row, facts.lacks)
    yield from fragments.problems(outcomes) if fragments else ()
    yield from return_links.problems()
    yield from of_hosts.problems()


def _in_sitemaps(pages: Pages) -> dict[int, hreflang.Versions]:
    if pages.rules.kinds.isdisjoint(hreflang.KINDS):
        return {}
    return versions_in_sitemaps(pages.db, canon_of(pages.db.config).resolve, pages.unread)


def _of_sitemap(url: str, own: hreflang.Versions | None, listed: hreflang.Versions) -> Iterator[Problem]:
    """What is wrong with the versions that a sitemap lists of a page; of one that lists its own, only their codes."""
    for problem in hreflang.version_problems(url, listed):
        if own is None or (problem.kind == hreflang.CODE and problem.text not in own.codes):
            yield problem


def _facts(pages: Pages) -> Iterator[tuple[PageRow, PageFacts]]:
    """Each page and its facts; of a page that is read, the problems of its links get their positions, too."""
    reader = Reader(pages.rules.kinds, canon_of(pages.db.config))
    number = pages.db.execute(f"SELECT count(*) FROM {PAGES}").fetchone()[0]
    for done, row in enumerate(page_rows(pages.db, of_folder=pages.cache.of_folder), 1):
        pages.progress("pages from the archive", done, number)
        facts = pages.cache.facts(row)
        if facts is None:
            facts = _read(pages, reader, row)
        if facts is not None:
            yield row, facts


def _read(pages: Pages, reader: Reader, row: PageRow) -> PageFacts | None:
    try:
        page = archived_page(pages.db, row)
    except NotThere:
        pages.unread.append(row.url)
        return None
    facts = reader.facts(page)
    facts = replace(facts, problems=tuple(pages.positions.of_page(page, facts.problems)))
    pages.cache.keep(row, facts)
    return facts
