"""A body with another transfer coding below its chunks: chunked is the last one (RFC 9112 section 6.3)."""

import gzip
import zlib

import pytest

import ttcrawl
from tests.fetch.transports import chosen
from tests.support.crawls.crawling import crawl, verified
from tests.support.web.site import Answer, Web

pytestmark = pytest.mark.usefixtures("transports")

PAGE = b"<title>te</title><a href=/next>next</a>" * 20
GZIP, DEFLATE = gzip.compress(PAGE), zlib.compress(PAGE)


def answer(fields, body, fate="raw stall"):
    """The connection stays open: chunks tell where the body ends."""
    return Answer(fate=fate, body=b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + fields + b"\r\n" + body)


def chunks(body, end=b"0\r\n\r\n"):
    half = len(body) // 2
    return b"".join(b"%x\r\n%s\r\n" % (len(each), each) for each in (body[:half], body[half:])) + end


@pytest.mark.parametrize(
    ("fields", "wire", "body", "incomplete"),
    [
        (b"Transfer-Encoding: gzip, chunked\r\n", chunks(GZIP), GZIP, False),
        (b"Transfer-Encoding: GZIP,Chunked\r\n", chunks(GZIP, b"0\r\nX: y\r\n\r\n"), GZIP, False),
        (b"Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", chunks(GZIP), GZIP, False),
        (b"Transfer-Encoding: deflate, chunked\r\n", chunks(DEFLATE), DEFLATE, False),
        (b"Transfer-Encoding: gzip, chunked\r\n", chunks(GZIP, b""), GZIP, True),
    ],
    ids=["gzip", "trailer", "two fields", "deflate", "cut"],
)
def test_it_is_read_and_archived_without_its_chunks(tmp_path, fields, wire, body, incomplete):
    pages = {
        ("a.test", "/"): answer(fields, wire, "raw" if incomplete else "raw stall"),
        ("a.test", "/next"): Answer(body=b"<p>next"),
    }
    with Web(pages) as web:
        url, found = web.url("a.test", "/"), web.url("a.test", "/next")
        done = crawl(
            web, url, tmp_path / "crawl", chosen(), "--set", "fetch.read_timeout=2", "--set", "fetch.retries=0"
        )
    assert done.status == 0, done.err
    first = ("failed", "truncated") if incomplete else ("fetched", "http 200")
    assert done.query("SELECT url, state, reason FROM url") == [(url, *first), (found, "fetched", "http 200")]
    opened = ttcrawl.open(tmp_path / "crawl")
    assert opened.body(url) == body and opened.text(url).startswith("next")
    assert verified(done.directory) == ""
