"""An answer as the browser gets it."""

import gzip

import pytest

from ttcrawl.browser.document import document_of
from ttcrawl.config import Fetch
from ttcrawl.ring.messages import Head

URL = "http://a.test/"


def document(body, *headers):
    head = Head(status=200, phrase="OK", version="HTTP/1.1", headers=headers, address="")
    return document_of(URL, head, body, Fetch())


#: Headers and body -> type and encoding that the browser gets.
TYPES = [
    ((("Content-Type", "text/html"),), "<meta charset=windows-1251><p>Поиск".encode("cp1251"), "windows-1251"),
    ((("Content-Type", "text/html"),), "<p>Übergröße".encode(), "utf-8"),
    (
        (("Content-Type", "text/html; charset=iso-8859-1"),),
        "<meta charset=utf-8><p>ü".encode("latin-1"),
        "windows-1252",
    ),
    ((("Content-Type", "text/html; charset=no-such"),), b"<meta charset=koi8-r><p>", "koi8-r"),
    ((("Content-Type", "text/html"),), b"\xff\xfe" + "<p>x".encode("utf-16le"), "utf-16le"),
]


@pytest.mark.parametrize(("headers", "body", "charset"), TYPES)
def test_the_browser_gets_the_encoding_that_the_crawl_decided(headers, body, charset):
    result = document(body, *headers)
    assert result.response.headers["content-type"] == f"text/html; charset={charset}"
    assert result.encoding.charset == charset and result.response.body == body


def test_what_the_browser_does_not_get():
    left_out = ("Content-Encoding", "gzip"), ("Content-Disposition", "attachment"), ("Set-Cookie", "a=b"), ("NEL", "{}")
    result = document(
        gzip.compress(b"<p>x"), ("Content-Type", "text/html"), ("X-Other", "1"), ("X-Other", "2"), *left_out
    )
    assert result.response.headers == {"content-type": "text/html; charset=utf-8", "x-other": "1, 2"}
    assert result.response.body == b"<p>x"


@pytest.mark.parametrize("body", [b"%PDF-1.4", b"GIF89a"])
def test_what_is_no_page(body):
    assert document(body) is None


@pytest.mark.parametrize(
    ("policy", "without"),
    [
        ("sandbox", True),
        ("img-src *; Sandbox allow-forms", True),
        ("default-src *, sandbox", True),  # two policies
        ("sandbox allow-forms allow-scripts", False),
        ("script-src 'none'; report-uri /sandbox", False),
    ],
)
def test_policies_that_forbid_all_scripts(policy, without):
    result = document(b"<p>", ("Content-Type", "text/html"), ("Content-Security-Policy", policy))
    assert result.without_scripts is without
