"""All that `ttcrawl check` reports of a crawl."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ttcrawl.inspect.check.catalogue.kind import LEVELS
from ttcrawl.inspect.check.kinds import NAMES, Problem
from ttcrawl.inspect.check.links import external
from ttcrawl.inspect.check.links.orphans import MENUS_ONLY
from ttcrawl.inspect.check.links.outcomes import Outcomes
from ttcrawl.inspect.check.links.targets import unchecked_problems
from ttcrawl.inspect.check.links.unchecked import Unchecked
from ttcrawl.inspect.check.pages.cache import opened_cache
from ttcrawl.inspect.check.pages.facts import KINDS
from ttcrawl.inspect.check.pages.one_pass import Pages, problems_of
from ttcrawl.inspect.check.pages.positions import Positions
from ttcrawl.inspect.check.pages.rows import PAGES
from ttcrawl.inspect.check.problems import Crawls, problems_in_tables
from ttcrawl.inspect.check.rules import Rules
from ttcrawl.inspect.check.times import HostTimes, PageTime, host_times, slowest_pages
from ttcrawl.output.number import counted
from ttcrawl.output.steps import Progress
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.vocabulary.state import QUEUED


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


def health(
    directory: Path, rules: Rules, progress: Progress, others: Iterable[Problem] = (), *, of_folder: bool = False
) -> Health:
    """`others`: problems that the crawl has not recorded, such as those of certificates. Raises NotACrawl."""
    unread: list[str] = []
    with view(directory) as db, external.views(directory) as externals:
        outcomes = Outcomes()
        for each in (db, *externals):
            outcomes.add(each)
        progress("links", 0, 0)
        unchecked = Unchecked(db, externals)
        crawls = Crawls(site=db, externals=externals, outcomes=outcomes, rules=rules)
        of_tables = chain(problems_in_tables(crawls), unchecked_problems(db, unchecked.reasons), others)
        with opened_cache(directory, db.config, rules.kinds, of_folder=of_folder) as cache:
            positions = Positions(db, cache, filter(rules.counts, of_tables))
            if not rules.kinds.isdisjoint(KINDS):
                pages = Pages(db=db, rules=rules, cache=cache, positions=positions, progress=progress, unread=unread)
                positions.add(filter(rules.counts, problems_of(pages, outcomes)))
            reported = positions.all(progress)
        return Health(
            directory=str(directory),
            pages=_count(db, PAGES),
            queued=_count(db, f"url WHERE state = '{QUEUED}'"),
            external=unchecked.answered,
            unchecked=dict(unchecked.counts.most_common()),
            unread=len(unread),
            problems=tuple(sorted(reported, key=_order)),
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


def _count(db: View, rows: str) -> int:
    number: int = db.execute(f"SELECT count(*) FROM {rows}").fetchone()[0]
    return number
