"""Problems of markup, and where their elements are, on pages that nobody wrote with care."""

import pytest

from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_canon
from ttcrawl.inspect.check.pages.archive import LINKS, ArchivedPage, PageRow
from ttcrawl.inspect.check.pages.markup import CLICK, TABINDEX, markup_problems
from ttcrawl.inspect.check.pages.names import name_problems
from ttcrawl.inspect.check.pages.positions import elements_of, in_source
from ttcrawl.parse.links.extract import extract

URL = "http://a.test/"
ROW = PageRow(id=1, key=1, url=URL, type="text/html", charset="", in_browser=False, state=b"")


def page_of(text):
    html = text.encode()
    extraction = extract(html, URL, "lexbor", LINKS, "utf-8")
    about = {"charset": "utf-8", "made": False, "tree": extraction.tree, "extraction": extraction, "unmade": False}
    return ArchivedPage(row=ROW, answer=None, html=html, received=html, **about)


def placed(find, text):
    """(kind, line, column) of the problems of a page."""
    page = page_of(text)
    problems = list(find(page))
    canon = compile_canon(Config().url)
    return [
        (each.kind, each.line, each.column)
        for each in in_source(problems, text, URL, "utf-8", canon, elements_of(page))
    ]


@pytest.mark.parametrize(
    ("value", "is_ordered"),
    [
        *[(value, True) for value in ("1", "007", " +3", "2px", "9" * 5_000)],
        *[(value, False) for value in ("", "0", "00", "-1", "x", "+", "٣", "0.5")],
    ],
    ids=range(13),
)
def test_tabindex(value, is_ordered):
    kinds = [each.kind for each in markup_problems(page_of(f'<p tabindex="{value}">x</p>'))]
    assert (TABINDEX in kinds) == is_ordered


@pytest.mark.parametrize(
    ("name", "position"),
    [("p", (2, 1)), ("my-button", (2, 1)), ("g:plusone", (0, 0)), ("o:p", (0, 0)), ("a(b*", (0, 0)), ("é", None)],
)
def test_elements_may_have_any_name(name, position):
    problems = placed(markup_problems, f'<!DOCTYPE html>\n<{name} onclick="x()">text</{name}>')
    assert next((tuple(where) for kind, *where in problems if kind == CLICK), None) == position


def test_elements_with_problems_are_counted_once():
    """Looking each one up in a list of all would take the square of the time."""
    html = "\n".join(f"<button id=b{number}></button>" for number in range(50_000))
    problems = placed(name_problems, html)
    assert len(problems) == 50_000 and {line for _, line, _ in problems} == set(range(1, 50_001))
