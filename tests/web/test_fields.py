"""Heads that are not as the standard has them: no field is lost with them, and none has more than a line."""

import http.client
import io
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.web.site import Answer, Web, page
from ttcrawl.config import read
from ttcrawl.fetch.urllib3.transport import Transport
from ttcrawl.ring.messages import HEAD_ROOM, PAGE, Request
from ttcrawl.web.fields import mended

#: What a server sends for "X: ..." -> the value; None: there is no such field.
ODD = {
    b"X: a\n b": "a  b",
    b"X: a\r\n\tb": "a \tb",
    b"X: a\n \n b": "a    b",  # a fold that is empty ends the head for some readers of archives
    b"X: a\n \x1c\n b": "a  \x1c  b",
    b"X: a\r\r\n b": "a  b",
    b"X: a\rb": "a b",
    b"X: a\r": "a",
    b"X: a\0b": "a b",
    b"X: a\r\n ": "a",
    b"X : a": "a",
    b"X:a\tb": "a\tb",
    b"X:": "",
    b"X: \xe9\x80": "\xe9\x80",
    b"X: " + b"a" * 60_000: "a" * 60_000,
    b": a": None,
    b"X": None,
    b" X: a": None,
    b"\xc3\x84: a": None,
    b"X Y: a": None,
    b"\0: a": None,
    b"From me": None,
}


def fields(lines):
    return list(http.client.parse_headers(io.BytesIO(lines)).items())


@pytest.mark.parametrize("line", ODD, ids=lambda line: repr(line)[:20])
def test_a_line_is_one_field_or_none_and_the_next_one_is_there(line):
    found = fields(mended(line + b"\r\nContent-Type: text/html\r\n\r\n"))
    assert found == [*([("X", ODD[line])] if ODD[line] is not None else []), ("Content-Type", "text/html")]


def test_what_is_in_order_stays_as_it_came():
    for lines in (b"\r\n", b"\n", b"A: b\r\n\r\n", b"A:b\nC:  d \n\n", b"A: \xff\t\r\n\r\n"):
        assert mended(lines) is lines


PIECES = st.sampled_from(
    [b"\r\n", b"\n", b"\r", b" ", b"\t", b":", b"X", b"Content-Type: a/b", b"\0", b"\xe9", b"\x1c"]
)


@pytest.mark.slow
@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.lists(st.one_of(PIECES, st.binary(max_size=3)), max_size=15).map(b"".join))
def test_whatever_comes_is_a_head_that_is_in_order(lines):
    head = mended(lines + b"\r\nLast: one\r\n\r\n")
    assert mended(head) is head
    found = fields(head)
    assert found[-1] == ("Last", "one")
    assert not any(set(text) & set("\r\n\0") for field in found for text in field)


def test_over_the_wire():
    """A line that is no field takes neither the type nor the length with it."""
    body = page("/x")
    heads = {
        f"/{number}": Answer(
            fate="raw stall",  # who did not learn the length waits for ever
            body=b"HTTP/1.1 200 OK\r\n%b\r\nContent-Type: text/html\r\n"
            b"Connection: close\r\nContent-Length: %d\r\n\r\n%b" % (line, len(body), body),
        )
        for number, line in enumerate(ODD)
    }
    with Web({("a.test", path): answer for path, answer in heads.items()}) as web:
        keys = [("fetch.resolve", " ".join(web.resolve)), ("safety.allow", "127.0.0.0/8"), ("fetch.read_timeout", "5")]
        transport = Transport(read(None, keys), time.time)
        slot = memoryview(bytearray(HEAD_ROOM + 65536))
        for path, line in zip(heads, ODD, strict=True):
            request = Request(token=1, kind=PAGE, url=web.url("a.test", path), depth=0, not_before=0.0)
            answer = transport.get(request, slot)
            said = dict(answer.head.headers)
            assert (said.get("X"), said["Content-Type"]) == (ODD[line], "text/html"), line
            assert bytes(slot[HEAD_ROOM : HEAD_ROOM + answer.body_size]) == body
