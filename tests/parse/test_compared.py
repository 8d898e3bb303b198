"""The main text of a page without elements, whatever the page is."""

import gzip
import time

import pytest

from ttcrawl.config import Fetch
from ttcrawl.parse.compared import page_without
from ttcrawl.ring.messages import Head

HTML = ("Content-Type", "text/html; charset=utf-8")


def without(selector, body, *headers):
    head = Head(status=200, phrase="OK", version="HTTP/1.1", headers=headers or (HTML,), address="")
    return page_without(selector, "http://a.test/", head, body, Fetch())


PAGES = [
    (".ads", "<title>T</title><main><p>one<p class=ads>two<p>three</main>", "one\nthree"),
    (".a", "<main><div class=a>x<p class=a>y<b class=a>z</b></p></div><p>rest</main>", "rest"),
    ("body", "<body><p>one", "one"),
    ("html, body, .x", "<body><p>one<p class=x>two", "one"),
    ("*", "<p>one", ""),
    ("b", "<p>o<b>n</b>e", "oe"),
    ("#none", "<p>one", "one"),
    ("title", "<title>T</title><p>one", "one"),
]


@pytest.mark.parametrize(("selector", "html", "text"), PAGES)
def test_pages(selector, html, text):
    found = without(selector, html.encode())
    assert found is not None and found[1] == text


def test_codings_and_charsets():
    html = "<p>caf\u00e9<p class=x>no"
    coded = gzip.compress(html.encode("latin-1"))
    found = without(".x", coded, ("Content-Type", "text/html; charset=latin-1"), ("Content-Encoding", "gzip"))
    assert found == ("", "caf\u00e9")


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"%PDF-1.7", (("Content-Type", "application/pdf"),)),
        (b"plain words", (("Content-Type", "text/plain"),)),
        (b"<div>" * 5000, (HTML,)),
    ],
)
def test_what_is_no_page_or_too_deep(body, headers):
    assert without("div p", body, *headers) is None


@pytest.mark.parametrize("selector", ["a p", ".x p:first-child", ":not(a p)", "p + p"])
def test_large_pages_take_linear_time(selector):
    begin = time.process_time()
    without(selector, b"<div>" * 90 + b"<p>x" * 20_000)
    assert time.process_time() - begin < 3
