"""The bundled demo campus site: a seeded generator whose figures are known (`ttcrawl.demo.truth`).

Pages are `/` and `/page-N.html`, where N is the crawl priority (smaller first). `/private/page-N.html` is linked but
forbidden by robots.txt. The text does not depend on the port or the name under which the site is served. Targets linked
outside the content regions do not exist.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from ttcrawl.demo.page import Links, render
from ttcrawl.demo.plan import PagePlan, plan
from ttcrawl.demo.prose import START, Subject, subject
from ttcrawl.demo.targets import Target, name_targets

FORBIDDEN_PATH = "/private/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The campus site. Paths begin with a slash."""

    pages: Mapping[str, bytes]  # path -> HTML in UTF-8, in crawl order
    missing: tuple[str, ...]  # linked like pages, but answered 404
    forbidden: tuple[str, ...]  # linked like pages, but robots.txt disallows them

    def robots(self, crawl_delay: float) -> str:
        """The robots.txt; `crawl_delay` is in seconds."""
        delay = f"{crawl_delay:.6f}".rstrip("0").rstrip(".")
        return f"User-agent: *\nDisallow: {FORBIDDEN_PATH}\nCrawl-delay: {delay}\n"


def generate(seed: int = 811) -> Site:
    """The site of a seed, with the same bytes each time. Other seeds give other sites with the same figures."""
    planned = plan(Random(f"{seed} plan"))
    forbidden = frozenset(planned.forbidden)
    numbers = [page.number for page in planned.pages] + list(planned.forbidden)
    random = Random(f"{seed} names")
    subjects = {number: subject(random) if number else START for number in sorted(numbers)}
    paths = {number: _path(number, number in forbidden) for number in numbers}
    content = {number: Target(subjects[number].kind, paths[number], subjects[number].title) for number in numbers}
    elsewhere = name_targets(random)
    return Site(
        pages={
            paths[page.number]: _page(page, subjects[page.number], content, elsewhere, Random(f"{seed} {page.number}"))
            for page in planned.pages
            if not page.missing
        },
        missing=tuple(paths[page.number] for page in planned.pages if page.missing),
        forbidden=tuple(paths[number] for number in planned.forbidden),
    )


def _path(number: int, forbidden: bool) -> str:
    if number == 0:
        return "/"
    return f"{FORBIDDEN_PATH if forbidden else '/'}page-{number}.html"


def _page(
    page: PagePlan, about: Subject, content: Mapping[int, Target], elsewhere: Sequence[Target], random: Random
) -> bytes:
    links = Links(
        content=[content[number] for number in page.content],
        content_hidden=[content[number] for number in page.content_hidden],
        elsewhere=[elsewhere[i] for i in page.elsewhere],
        elsewhere_hidden=[elsewhere[i] for i in page.elsewhere_hidden],
    )
    return render(about, links, random).encode()
