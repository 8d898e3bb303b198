from __future__ import annotations

import time

import ada_url
import pytest

from tests.support.conformance import cases
from ttcrawl.parse.links.refresh import LONGEST, refresh

TABLE = [
    ("5; url=next.html", (5, "next.html")),
    ("0;URL='a b'", (0, "a b")),
    ("0; url = x", (0, "x")),
    ("  7  ", (7, None)),
    ("7;", (7, None)),
    ("7; url=", (7, "")),
    ("7; url=''", (7, "")),
    ("7; '", (7, "")),
    ("7 url", (7, "url")),
    (".5; x", (0, "x")),
    ("", None),
    (" ", None),
    (".", (0, None)),
    ("９; x", None),  # a digit, but not an ASCII one
    ("1\u00a0;x", None),  # white space, but not ASCII
    ("9" * 5000 + ";x", (LONGEST, "x")),
    ("0" * 5000 + "5;x", (5, "x")),
]


@pytest.mark.parametrize(("content", "expected"), TABLE)
def test_refresh(content: str, expected: tuple[int, str | None] | None) -> None:
    assert refresh(content) == expected


def test_web_platform_tests() -> None:
    page = "http://example.com/a/refresh.sub.html"
    wrong = []
    for case in cases("meta_refresh.json"):
        sent = refresh(case["input"])
        got = [sent[0], ada_url.join_url(page, page if sent[1] is None else sent[1])] if sent else []
        expected = case["expected"] and [case["expected"][0], ada_url.join_url(page, case["expected"][1])]
        if got != expected:
            wrong.append((case, got))
    assert wrong == []


@pytest.mark.parametrize("content", ["1" * 10**6, "1;" + " " * 10**6, "." * 10**6, " " * 10**6, "1; url" + " " * 10**6])
def test_linear_in_the_attribute(content: str) -> None:
    start = time.process_time()
    refresh(content)
    assert time.process_time() - start < 0.5
