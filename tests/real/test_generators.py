"""Near duplicates on documentation by generators that nothing was tuned on: the floor under what the manual says.

The truth is taken from inside the main elements (`benchmarks.generators`), not from our main text.
"""

from __future__ import annotations

import os

import pytest

from benchmarks.generators import GENERATORS, Generator, Parser, Result, measure

#: LilyPond's is the one that was reported: its table of contents is longer than most of its pages.
REPORTED, OTHERS = "LilyPond", ("Sphinx, django", "Doxygen", "Javadoc, Commons", "MkDocs", "gtk-doc")
PAGES = 2000

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


def of(generator: Generator) -> Result:
    result = measure(generator, PAGES, Parser())
    if not result.pages:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{generator.package} is not installed")
        pytest.skip(f"{generator.package} is not installed")
    return result


def named(name: str) -> Generator:
    return next(each for each in GENERATORS if each.name == name)


def test_pages_with_a_large_table_of_contents() -> None:
    result = of(named(REPORTED))
    assert result.f1 >= 0.95
    assert result.pages > 1500 and result.marked >= 30 and result.similar >= 30
    assert result.right >= 0.95 * result.marked, result.wrong[:5]
    assert result.found >= 0.85 * result.similar, result.missed[:5]


def test_pages_of_other_generators() -> None:
    results = {name: of(named(name)) for name in OTHERS}
    marked = sum(each.marked for each in results.values())
    similar = sum(each.similar for each in results.values())
    assert marked >= 30 and similar >= 60
    assert sum(each.right for each in results.values()) >= 0.95 * marked, [each.wrong for each in results.values()]
    assert sum(each.found for each in results.values()) >= 0.95 * similar, [each.missed for each in results.values()]
    assert {name: each.f1 for name, each in results.items() if each.f1 < 0.95} == {}
