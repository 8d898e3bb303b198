"""Which page has a problem, what a score counts, and what is to be done first: tables."""

import pytest

from ttcrawl.inspect.check.kinds import BROKEN, DUPLICATE_TITLE, KINDS, MISSING_TITLE, REDIRECT, Problem
from ttcrawl.inspect.check.overview.areas import AREAS, kinds_of
from ttcrawl.inspect.check.overview.pages import by_page, heaviest, page_of
from ttcrawl.inspect.check.overview.scores import score
from ttcrawl.inspect.check.overview.steps import first_steps, mended
from ttcrawl.inspect.check.pages.images import MISSING_ALT
from ttcrawl.inspect.check.rules import Rules

PAGES = frozenset(f"http://a.test/{name}" for name in ("", "x", "y", "z"))


def problem(kind, url, source="", **more):
    return Problem(kind=kind, url=f"http://a.test/{url}", source=source and f"http://a.test/{source}", **more)


def test_each_kind_is_in_an_area_with_a_name():
    assert {kind.area for kind in KINDS} <= AREAS.keys()
    assert frozenset().union(*map(kinds_of, AREAS)) == {kind.name for kind in KINDS}


@pytest.mark.parametrize(
    "one, page",
    [
        (problem(BROKEN, "gone", "x"), "x"),
        (problem(BROKEN, "gone"), None),  # a seed
        (problem(BROKEN, "gone", "sitemap.xml"), None),
        (problem(MISSING_TITLE, "y"), "y"),
        (problem(DUPLICATE_TITLE, "y", "x"), "y"),  # x had the title first
        (problem(MISSING_ALT, "picture.png", "z"), "z"),
    ],
)
def test_the_page_that_has_a_problem(one, page):
    assert page_of(one, PAGES) == ("" if page is None else f"http://a.test/{page}")


SICK = (
    problem(BROKEN, "gone", "x", text="one"),
    problem(BROKEN, "gone", "x", text="two"),
    problem(BROKEN, "gone", "y"),
    problem(BROKEN, "lost", "x"),
    problem(BROKEN, "seed"),
    problem(MISSING_TITLE, "y"),
    problem(MISSING_TITLE, "z"),
    problem(REDIRECT, "old", ""),
    problem(REDIRECT, "old", "z"),
)


@pytest.mark.parametrize(
    "kinds, counts, percent",
    [
        ({BROKEN, REDIRECT}, (2, 0, 1, 1), 50),
        ({MISSING_TITLE}, (0, 2, 0, 0), 50),
        ({BROKEN, MISSING_TITLE, REDIRECT}, (2, 1, 0, 1), 25),
        ({MISSING_ALT}, (0, 0, 0, 0), 100),
    ],
)
def test_a_page_counts_once_by_its_worst_problem(kinds, counts, percent):
    found = score(4, by_page(SICK, PAGES), kinds, Rules())
    assert (found.errors, found.warnings, found.notices, found.elsewhere) == counts
    assert found.percent == percent


def test_levels_are_those_of_the_run():
    assert score(4, by_page(SICK, PAGES), {BROKEN}, Rules(levels={BROKEN: "notice"})).percent == 100
    assert score(4, by_page(SICK, PAGES), {REDIRECT}, Rules(levels={REDIRECT: "error"})).percent == 75


@pytest.mark.parametrize("bad, pages, percent", [(1, 1000, 99), (999, 1000, 0), (0, 3, 100), (1, 3, 66)])
def test_a_score_is_rounded_down(bad, pages, percent):
    urls = [f"http://a.test/{number}" for number in range(bad)]
    problems = by_page([Problem(kind=MISSING_TITLE, url=url) for url in urls], frozenset(urls))
    assert score(pages, problems, {MISSING_TITLE}, Rules()).percent == percent


def test_without_pages_no_score():
    assert score(0, {}, {BROKEN}, Rules()).percent is None


def test_the_worst_pages_have_most_errors_then_warnings():
    ranked = heaviest(by_page(SICK, PAGES), Rules(), 10)
    assert [(each.url[-1], each.weight(Rules())) for each in ranked] == [
        ("x", (2, 0, 0)),
        ("y", (1, 1, 0)),
        ("z", (0, 1, 1)),
    ]
    assert heaviest(by_page([problem(REDIRECT, "old", "x")], PAGES), Rules(), 10) == []


def test_first_is_what_most_pages_show_and_errors_before_warnings():
    steps = first_steps(SICK, PAGES, Rules())
    assert [(each.kind.name, each.group.faults[0].url[14:], len(each.pages)) for each in steps] == [
        (BROKEN, "gone", 2),
        (BROKEN, "lost", 1),
        (BROKEN, "seed", 0),
        (MISSING_TITLE, "y", 1),
        (MISSING_TITLE, "z", 1),
    ]
    problems = by_page(SICK, PAGES)
    assert mended(steps[:2], problems, Rules()) == (3, 1)
    assert mended(steps, problems, Rules()) == (3, 3)
