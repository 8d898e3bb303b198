"""Problems by the page that has them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from ttcrawl.inspect.check.catalogue.kind import LEVELS
from ttcrawl.inspect.check.folder.mount import Mount
from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.pages.rows import PAGES
from ttcrawl.inspect.check.rules import Rules
from ttcrawl.snapshot.snapshot import View


@dataclass(frozen=True, slots=True, kw_only=True)
class PageProblems:
    """The problems of a page: each kind and URL once, also if several links of the page lead there."""

    url: str
    problems: tuple[Problem, ...]

    def weight(self, rules: Rules) -> tuple[int, ...]:
        """The number of problems of each level, the worst level first."""
        levels = [rules.level(each.kind) for each in self.problems]
        return tuple(map(levels.count, LEVELS))


def by_page(problems: Iterable[Problem], pages: Container[str]) -> dict[str, PageProblems]:
    """The problems of each page that has any. Those of "" are on no page: of robots.txt, a sitemap, an error."""
    faults: dict[str, dict[tuple[str, str], Problem]] = {}
    for each in problems:
        faults.setdefault(page_of(each, pages), {}).setdefault((each.kind, each.url), each)
    return {url: PageProblems(url=url, problems=tuple(of_page.values())) for url, of_page in faults.items()}


def page_of(problem: Problem, pages: Container[str]) -> str:
    """The page that has a problem; "" if none of these pages has it."""
    return next((url for url in (problem.page, problem.url) if url in pages), "")


def pages_with(db: View, problems: Iterable[Problem], mount: Mount | None) -> dict[str, str]:
    """The HTML pages among the URLs that problems name -> their URLs in the crawl, which differ for a folder.

    Memory follows the problems, not the pages.
    """
    named = {url for each in problems for url in (each.url, each.source)}
    rows = db.execute(f"SELECT url.url FROM {PAGES}")
    pages = ((shown(url, mount), url) for (url,) in rows)
    return {name: url for name, url in pages if name in named}


def shown(url: str, mount: Mount | None) -> str:
    """A URL as reports have it."""
    return url.replace(mount.url, mount.shown, 1) if mount else url


def heaviest(pages: Mapping[str, PageProblems], rules: Rules, most: int) -> list[PageProblems]:
    """The pages with the most errors, then warnings, then notices; of those alike, the shorter URL first.

    Pages with notices alone are not bad.
    """
    weights = {url: each.weight(rules) for url, each in pages.items() if url}
    bad = [url for url, weight in weights.items() if any(weight[:-1])]
    ranked = sorted(bad, key=lambda url: ([-number for number in weights[url]], len(url), url))
    return [pages[url] for url in ranked[:most]]
