"""Content types that are wanted, by table."""

import pytest

from ttcrawl.fetch.wanted import wanted


@pytest.mark.parametrize(
    ("types", "said", "is_wanted"),
    [
        ("", "image/png", True),
        ("text/html", "text/html", True),
        ("text/html", "Text/HTML ; charset=utf-8", True),
        ("text/html", "text/htmlx", False),
        ("text/html", "text/plain", False),
        ("text/*", "text/plain", True),
        ("text/*", "texts/plain", False),
        ("text/*", "application/text", False),
        ("text/* application/pdf", "application/pdf", True),
        ("*/*", "image/png", True),
        ("*/*", "nonsense", True),
        ("text/html", "nonsense", False),
        ("text/html", "", True),
        ("text/html", " ; charset=utf-8", True),
        ("text/html", "\x00\xff/;;", False),
        ("text/html", "text/plain, text/html", True),  # the last one that is a type, as when it is read
        ("text/html", "text/html, text/plain", False),
        ("text/html", "text/html, */*, nonsense", True),
    ],
)
def test_wanted(types, said, is_wanted):
    assert wanted(frozenset(types.split()), [said]) is is_wanted
    assert wanted(frozenset(types.split()), said.split(",")) is is_wanted
