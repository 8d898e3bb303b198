"""A page after its scripts is read like any other: the URLs to which they sent the browser are in its headers."""

import pytest
import xxhash

from tests.parse.reading import HTML
from ttcrawl.parse.answer import rendered, response_of
from ttcrawl.parse.links.header import in_headers
from ttcrawl.ring.messages import PAGE, Fetched, Head, Request
from ttcrawl.ring.rendering import Encoding, Rendering

URL = "http://a.test/"
UTF8 = Encoding(charset="utf-8", declared="", decided="content")


@pytest.mark.parametrize("targets", [(), (f"{URL}x",), (f"{URL}x", f"{URL}y")])
def test_both_forms_of_the_headers_have_them(targets):
    head = Head(status=200, phrase="OK", version="HTTP/1.1", headers=(HTML,), address="")
    fetched = Fetched(
        **{"token": 1, "status": 200, "address": "", "started": 0.0, "ended": 0.0},
        **{"head_size": 0, "body_size": 1, "refused": "", "digest": xxhash.xxh3_128_digest(b"x")},
    )
    received = response_of(Request(token=1, kind=PAGE, url=URL, depth=0, not_before=0), fetched, head, b"x")
    rendering = Rendering(dom=b"<p>x", encoding=UTF8, moment=1.0, targets=targets, resources=())
    after = rendered(received, rendering, b"<p>answer")
    assert (after.body, after.static, after.encoding) == (b"<p>x", b"<p>answer", UTF8)
    assert {each.href for each in in_headers(after.head.headers, URL)} == set(targets)
    if targets:
        assert after.headers["refresh"] == f"0; url={targets[0]}"
