"""Problems that are shown as one: by the URL that is wrong, and by its directory."""

import pytest

from ttcrawl.inspect.check.kinds import BROKEN, FRAGMENT, MISSING_DESCRIPTION, Problem
from ttcrawl.inspect.check.results.groups import groups

A = "http://a.test"


def broken(path, source, text="", detail="http 404"):
    return Problem(kind=BROKEN, url=f"{A}{path}", source=f"{A}{source}", text=text, detail=detail)


def missing(path):
    return Problem(kind=MISSING_DESCRIPTION, url=f"{A}{path}")


#: Problems, and the groups: pattern, URLs, pages.
CASES = {
    "a link in every menu": ([broken("/x", f"/{n}") for n in range(90)], [("", 1, 90)]),
    "two texts on one page": ([broken("/x", "/", "a"), broken("/x", "/", "b")], [("", 1, 1)]),
    "two details of one URL": ([broken("/x", "/"), broken("/x", "/", detail="dns")], [("", 1, 1), ("", 1, 1)]),
    "three pages of a directory": ([missing(f"/d/{n}") for n in range(3)], [("", 1, 1)] * 3),
    "four pages of a directory": ([missing(f"/d/{n}") for n in range(4)], [(f"{A}/d/*", 4, 4)]),
    "queries and names": ([missing(f"/d/x?{n}") for n in range(5)], [(f"{A}/d/*", 5, 5)]),
    "two directories, the larger one first": (
        [missing(f"/{d}/{n}") for d in "ab" for n in range(4 if d == "a" else 6)],
        [(f"{A}/b/*", 6, 6), (f"{A}/a/*", 4, 4)],
    ),
    "two details in a directory": (
        [broken(f"/d/{n}", "/", detail="http 404" if n % 2 else "http 410") for n in range(8)],
        [(f"{A}/d/*", 4, 4)] * 2,
    ),
    "fragments of many pages": (
        [Problem(kind=FRAGMENT, url=f"{A}/code/{n}#L{n}", source=f"{A}/i") for n in range(9)],
        [(f"{A}/code/*#*", 9, 9)],
    ),
    "images in the page": ([Problem(kind=BROKEN, url=f"data:{n}", source=A) for n in range(4)], [("*", 4, 4)]),
    "a heading of a template": (
        [
            Problem(kind="skipped-heading", url=f"{A}/d/{n}/x", text="Menu" if n < 5 else f"{n}", detail="h4 after h1")
            for n in range(7)
        ],
        [(f"{A}/d/*", 5, 5), ("", 1, 1), ("", 1, 1)],
    ),
    "none": ([], []),
}


@pytest.mark.parametrize(("problems", "expected"), CASES.values(), ids=CASES)
def test_groups(problems, expected):
    found = groups(problems)
    assert [(each.pattern, len(each.faults), each.pages) for each in found] == expected
    urls = list(dict.fromkeys((each.url, each.detail) for each in problems))
    assert sorted((fault.url, fault.detail) for each in found for fault in each.faults) == sorted(urls)
    assert [each.faults[0].url for each in groups(problems, ungrouped=True)] == [url for url, _ in urls]


def test_texts_of_a_page_stand_together_once():
    problems = [broken("/x", "/", text) for text in ("a", "b", "a", "")]
    assert groups(problems)[0].faults[0].pages[0].texts == ("a", "b")
