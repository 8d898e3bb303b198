"""Lines of [revisit] ignore: what they leave out, and which are refused before a crawl begins."""

import time

import pytest

from ttcrawl.config import Config
from ttcrawl.errors import UsageError
from ttcrawl.web.ignored import NOTHING, compile_ignored
from ttcrawl.web.line import Line


def ignored(*texts):
    return compile_ignored([Line(text=text, file="config.ini", number=n) for n, text in enumerate(texts, 1)])


TEXTS = [
    ((r"regex:\d+ views",), "Title\n17 views\nend", "Title\nend"),
    ((r"regex:^Views: .*$",), "Views: 5\nThe Views: 5", "The Views: 5"),
    ((r"regex:a.b",), "a\nb", "a\nb"),
    ((r"regex:(?i)SPONSORED",), "sponsored by", "  by"),
    (("regex:one", "regex:two"), "one two three", "    three"),
    (("regex:cafe\u0301",), "caf\u00e9", ""),
    (("css:.ads",), "any text", "any text"),
]


@pytest.mark.parametrize(("lines", "text", "expected"), TEXTS)
def test_patterns(lines, text, expected):
    assert ignored(*lines).without(text) == expected


def test_nothing_is_ignored():
    assert ignored() == NOTHING and NOTHING.without("\n a") == "\n a"


SELECTORS = (".ads", "#clock", "div.a > p + p", "[data-nosnippet]", "aside time", "p:first-child, .b .c", "[x='a b c']")


def test_selectors():
    assert ignored(*(f"css:{each}" for each in SELECTORS)).selector == ", ".join(SELECTORS)


WRONG = [
    (r"\d+ views", "write regex:EXPRESSION or css:SELECTOR"),
    (".ads", "write regex:EXPRESSION or css:SELECTOR"),
    ("regex:(", "missing"),
    (r"regex:(a)\1", "RE2 has no look-around and no back-references"),
    ("regex:(?=a)", "RE2 has no look-around and no back-references"),
    ("regex:x*", "matches the empty text"),
    ("regex:", "matches the empty text"),
    ("regex:" + "(a{1000}){1000}", ""),
    ("css:div[", "div[ is not a CSS selector"),
    ("css:", "nothing is not a CSS selector"),
    ("css:p::before", "is not a CSS selector"),
    *(
        (f"css:{each}", "too long on large pages")
        for each in ("a b c", "a ~ b", "p:has(a)", "p:nth-child(2)", ".x, a b c")
    ),
    ("css::is(a b c)", "too long on large pages"),
]


@pytest.mark.parametrize(("line", "message"), WRONG)
def test_wrong_lines_are_refused_with_their_position(tmp_path, line, message):
    with pytest.raises(ValueError, match=r"ignore, config\.ini, line 2: ") as error:
        ignored("regex:fine", line)
    assert message in str(error.value)
    (tmp_path / "config.ini").write_text(f"[revisit]\nignore =\n    regex:fine\n    {line}\n")
    with pytest.raises(UsageError, match=r"\[revisit\] ignore, .*config.ini, line 4: ") as refusal:
        Config.read(tmp_path / "config.ini")
    assert message in str(refusal.value)


def test_a_pattern_takes_linear_time():
    begin = time.process_time()
    ignored("regex:(a+)+b").without("a" * 500_000)
    assert time.process_time() - begin < 2
