"""All that `ttcrawl check` reports of a crawl."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ttcrawl.config.compiled import canon_of
from ttcrawl.inspect.check.catalogue.kind import LEVELS
from ttcrawl.inspect.check.kinds import CANONICAL, FRAGMENT, INVALID, MISSING_ALT, NAMES, ORPHAN, Problem
from ttcrawl.inspect.check.links import external
from ttcrawl.inspect.check.links.fragments import Fragments
from ttcrawl.inspect.check.links.invalid import invalid_problems
from ttcrawl.inspect.check.links.orphans import MENUS_ONLY, orphan_problems
from ttcrawl.inspect.check.links.outcomes import Outcomes
from ttcrawl.inspect.check.links.targets import link_problems, unchecked_problems
from ttcrawl.inspect.check.links.unchecked import Unchecked
from ttcrawl.inspect.check.pages import headings, texts
from ttcrawl.inspect.check.pages.archive import archived_pages
from ttcrawl.inspect.check.pages.images import image_problems
from ttcrawl.inspect.check.pages.rows import PAGES
from ttcrawl.inspect.check.rules import Rules
from ttcrawl.inspect.check.times import HostTimes, PageTime, host_times, slowest_pages
from ttcrawl.inspect.why.open_crawl import compile_rules
from ttcrawl.output.number import counted
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.vocabulary.state import QUEUED

Progress = Callable[[str, int, int], None]

#: Kinds, and what finds their problems in the tables of the crawl.
IN_TABLES: tuple[tuple[tuple[str, ...], Callable[[View, Outcomes], Iterator[Problem]]], ...] = (
    ((CANONICAL,), texts.canonical_problems),
    (texts.KINDS, lambda db, outcomes: texts.text_problems(db)),
    (headings.KINDS, lambda db, outcomes: headings.heading_problems(db)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """`problems` are sorted by kind, in the order of ttcrawl.inspect.check.kinds, then by URL and page."""

    directory: str
    pages: int  # HTML pages that were answered with 2xx
    queued: int  # URLs of the crawl that are still to be requested
    external: int  # external URLs that were requested
    unchecked: dict[str, int]  # URLs that nothing is known about: reason -> number
    unread: int  # pages whose archived bytes cannot be read
    problems: tuple[Problem, ...]
    hosts: tuple[HostTimes, ...]
    slowest: tuple[PageTime, ...]

    @property
    def orphans_in_menus(self) -> int:
        """The orphans that menus link to; no page links to the others."""
        return sum(each.detail == MENUS_ONLY for each in self.problems)


def health(directory: Path, rules: Rules, progress: Progress) -> Health:
    """Raises NotACrawl."""
    unread: list[str] = []
    with view(directory) as db, external.views(directory) as externals:
        outcomes = Outcomes()
        for each in (db, *externals):
            outcomes.add(each)
        progress("links", 0, 0)
        unchecked = Unchecked(db, externals)
        problems = (*_problems(db, outcomes, rules, progress, unread), *unchecked_problems(db, unchecked.reasons))
        return Health(
            directory=str(directory),
            pages=_count(db, PAGES),
            queued=_count(db, f"url WHERE state = '{QUEUED}'"),
            external=unchecked.answered,
            unchecked=dict(unchecked.counts.most_common()),
            unread=len(unread),
            problems=tuple(sorted(filter(rules.counts, problems), key=_order)),
            hosts=tuple(host_times(db)),
            slowest=slowest_pages(db),
        )


def verdict(report: Health, rules: Rules) -> str:
    """The number of problems of each level, in one sentence."""
    levels = Counter(rules.level(each.kind) for each in report.problems)
    numbers = ", ".join(counted(levels[level], level) for level in LEVELS if levels[level])
    return f"{numbers or '0 problems'} in {counted(report.pages, 'page')}"


def _order(problem: Problem) -> tuple[int, bool, Problem]:
    """By kind; orphans that menus link to come after the others."""
    return NAMES.index(problem.kind), problem.detail == MENUS_ONLY, problem


def _problems(db: View, outcomes: Outcomes, rules: Rules, progress: Progress, unread: list[str]) -> Iterator[Problem]:
    scope = compile_rules(db.config, db.seeds, db.seed_redirects).scope
    yield from link_problems(db, outcomes, lambda url: scope.refusal(url) in external.OUT_OF_SITE, rules)
    for kinds, problems in IN_TABLES:
        if not rules.kinds.isdisjoint(kinds):
            yield from problems(db, outcomes)
    if ORPHAN in rules.kinds:
        yield from orphan_problems(db, rules.links)
    if not rules.kinds.isdisjoint((FRAGMENT, INVALID, MISSING_ALT)):
        fragments = Fragments(db, canon_of(db.config))
        for page in archived_pages(db, progress, unread):
            fragments.add(page)
            yield from invalid_problems(page)
            yield from image_problems(page)
        yield from fragments.problems(outcomes)


def _count(db: View, rows: str) -> int:
    number: int = db.execute(f"SELECT count(*) FROM {rows}").fetchone()[0]
    return number
