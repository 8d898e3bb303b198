"""Problems by the page that has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

from ttcrawl.inspect.check.catalogue.kind import LEVELS
from ttcrawl.inspect.check.kinds import DUPLICATE_DESCRIPTION, DUPLICATE_TITLE, Problem
from ttcrawl.inspect.check.pages.rows import PAGES
from ttcrawl.inspect.check.rules import Rules
from ttcrawl.snapshot.snapshot import View

#: Kinds whose `source` is another page, and not the one that has the problem.
OF_ITSELF = frozenset((DUPLICATE_TITLE, DUPLICATE_DESCRIPTION))


@dataclass(frozen=True, slots=True, kw_only=True)
class PageProblems:
    """The problems of a page: each kind and URL once, also if several links of the page lead there."""

    url: str
    problems: tuple[Problem, ...]

    def weight(self, rules: Rules) -> tuple[int, ...]:
        """The number of problems of each level, the worst level first."""
        levels = [rules.level(each.kind) for each in self.problems]
        return tuple(map(levels.count, LEVELS))


def by_page(problems: Iterable[Problem], pages: Set[str]) -> dict[str, PageProblems]:
    """The problems of each page that has any. Those of "" are on no page: of robots.txt, a sitemap, an error."""
    faults: dict[str, dict[tuple[str, str], Problem]] = {}
    for each in problems:
        faults.setdefault(page_of(each, pages), {}).setdefault((each.kind, each.url), each)
    return {url: PageProblems(url=url, problems=tuple(of_page.values())) for url, of_page in faults.items()}


def page_of(problem: Problem, pages: Set[str]) -> str:
    """The page that has a problem; "" if none of these pages has it."""
    if problem.source in pages and problem.kind not in OF_ITSELF:
        return problem.source
    return problem.url if problem.url in pages else ""


def pages_with(db: View, problems: Iterable[Problem]) -> frozenset[str]:
    """The URLs of HTML pages among those that problems name: memory follows the problems, not the pages."""
    named = {url for each in problems for url in (each.url, each.source)}
    return frozenset(url for (url,) in db.execute(f"SELECT url.url FROM {PAGES}") if url in named)


def heaviest(pages: Mapping[str, PageProblems], rules: Rules, most: int) -> list[PageProblems]:
    """The pages with the most errors, then warnings, then notices; of those alike, the shorter URL first.

    Pages with notices alone are not bad.
    """
    weights = {url: each.weight(rules) for url, each in pages.items() if url}
    bad = [url for url, weight in weights.items() if any(weight[:-1])]
    ranked = sorted(bad, key=lambda url: ([-number for number in weights[url]], len(url), url))
    return [pages[url] for url in ranked[:most]]
