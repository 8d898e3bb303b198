"""The position of a problem is that of its link."""

import pytest

from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_canon
from ttcrawl.inspect.check.kinds import BROKEN, FRAGMENT, INVALID, Problem
from ttcrawl.inspect.check.pages.images import MISSING_ALT
from ttcrawl.inspect.check.pages.positions import in_source

CANON = compile_canon(Config().url)
PAGE = "http://a.test/d/page"
HTML = """<!DOCTYPE html>
<p>See <a href="gone">one</a>, <a href='/d/gone'>two</a>,
   <a href=http://A.test/d/x/../gone>one</a> and <a
   href="other#here">there</a>, <a href="#lost">lost</a>
<a href=" htp://b.test/ ">typo</a> <img src="/p.png">
<a href="/s?q=\u00fc&amp;r">query</a>
"""


def problem(kind, url, text=""):
    return Problem(kind=kind, url=url, source=PAGE, text=text)


@pytest.mark.parametrize(
    ("each", "position"),
    [
        (problem(BROKEN, "http://a.test/d/gone", "one"), (2, 17)),
        (problem(BROKEN, "http://a.test/d/gone", "two"), (2, 41)),
        (problem(BROKEN, "http://a.test/d/gone", "by a script"), (2, 17)),
        (problem(BROKEN, "http://a.test/d/other", "there"), (4, 10)),
        (problem(FRAGMENT, "http://a.test/d/other#here", "there"), (4, 10)),
        (problem(FRAGMENT, "http://a.test/d/page#lost", "lost"), (4, 42)),
        (problem(INVALID, "htp://b.test/", "typo"), (5, 10)),
        (problem(MISSING_ALT, "http://a.test/p.png"), (5, 46)),
        (problem(BROKEN, "http://a.test/s?q=%C3%BC&r", "query"), (6, 10)),
        (problem(BROKEN, "http://a.test/made-by-a-script"), (0, 0)),
    ],
)
def test_positions(each, position):
    (found,) = in_source([each], HTML, PAGE, "utf-8", CANON)
    assert (found.line, found.column) == position


def test_a_base_element_and_another_charset():
    html = '<base href="/other/"><a href="gone?q=\u00fc">x</a>'
    each = problem(BROKEN, "http://a.test/other/gone?q=%FC", "x")
    (found,) = in_source([each], html, PAGE, "windows-1252", CANON)
    assert (found.line, found.column) == (1, 31)
