"""What libcurl does is the same as what urllib3 does: targets and heads; and chunks however they are cut."""

import http.client
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fetch.requests import asked
from tests.fetch.transports import TRANSPORTS, over, slot, transport_for
from tests.support.web.site import Answer, Web
from ttcrawl.fetch.body import Body
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.ring.messages import HEADS

TARGETS = ("/", "/a%zz", "/a/../b", "/./a", "//a", "/a?", "/a?b=%c3%a9", "/x|y{z}?q=[1]|", "/%", "/a;b,c?d?e", "/ü?ü")


@pytest.mark.parametrize("target", TARGETS)
def test_both_send_the_same_target(target):
    seen = []
    for name in TRANSPORTS:
        with Web({}, address="127.0.0.1") as web, over(name):
            transport_for(web.port).get(asked(f"http://a.test:{web.port}{target}"), slot())
            seen.append([hit.path for hit in web.log()])
    assert seen[0] == seen[1] and len(seen[0]) == 1


#: (Host, path, headers) of requests that follow each other on one handle of libcurl.
FOLLOWING = [
    ("a.test", "/1", ()),
    ("a.test", "/1", ()),
    ("b.test", "/1", (("X-Ours", "1"),)),
    ("b.test", "/2", ()),
    ("a.test", "/2?q", (("X-Ours", "2"),)),
    ("a.test", "/2?q", ()),
]


def test_each_request_has_its_own_options():
    """What is set on a handle stays set."""
    with Web({}, address="127.0.0.1") as web, over("curl"):
        resolve = f"a.test:{web.port}:127.0.0.1 b.test:{web.port}:127.0.0.1"
        transport = transport_for(web.port, resolve=resolve)
        for host, path, headers in FOLLOWING:
            transport.get(asked(f"http://{host}:{web.port}{path}", headers=headers), slot())
        hits = [(hit.host, hit.path, hit.head.get("x-ours")) for hit in web.log()]
    expected = [(host, path, dict(headers).get("X-Ours")) for host, path, headers in FOLLOWING]
    assert hits == expected


HEADS_OF_SERVERS = {
    "repeated": (b"HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\na: 3\r\nC:\r\nD:  x  \r\n\r\n", 1),
    "latin-1": (b"HTTP/1.0 200 \xe9\nA: \xe9\n\n", 1),
    "no colon": (b"HTTP/1.1 200 OK\r\nnonsense\r\nA: 1\r\n\r\n", 2),
    "NUL": (b"HTTP/1.1 200 OK\r\nA: 1\0\r\n\r\n", 2),
    "two spaces": (b"HTTP/1.1  200 OK\r\nA: 1\r\n\r\n", 2),
}


@pytest.mark.parametrize("case", HEADS_OF_SERVERS)
def test_both_keep_the_same_head(case):
    """Where libcurl does not read it, the request is sent again, by urllib3, after the delay of the host."""
    wire, requests = HEADS_OF_SERVERS[case]
    heads = {}
    with Web({("a.test", "/"): Answer(fate="raw", body=wire)}, address="127.0.0.1") as web:
        for name in TRANSPORTS:
            with over(name):
                room = slot()
                answer = transport_for(web.port, resolve=f"a.test:{web.port}:127.0.0.1").get(
                    asked(f"http://a.test:{web.port}/", delay=0.05), room
                )
                heads[name] = HEADS.decode(room[: answer.head_size])
                assert answer.requests == (requests if name == "curl" else 1)
        first, *more = [hit.arrived for hit in web.log()]
    assert heads["curl"] == heads["urllib3"]
    assert len(more) == requests and (requests == 1 or more[0] - first >= 0.05)


SIZE_LINE = re.compile(rb"([0-9A-Fa-f]{1,16})[ \t]*(?:;.*)?\r?\n", re.DOTALL)


def whole(wire, most):
    """(What is kept of a body in chunks, whether all of it; or the error), read at once (RFC 9112 section 7.1)."""
    body, position = b"", 0
    while True:
        stop = wire.index(b"\n", position) + 1 if b"\n" in wire[position:] else len(wire)
        line = SIZE_LINE.fullmatch(wire[position:stop])
        if line is None:
            return body, http.client.IncompleteRead
        if not (size := int(line[1], 16)):
            return body, True
        data = wire[stop : stop + size]
        room = most - len(body)
        body += data[:room]
        if len(data) < min(size, room):
            return body, http.client.IncompleteRead
        if size > room:
            return body, False
        position = stop + size + 2
        if wire[stop + size : position] != b"\r\n":
            return body, http.client.IncompleteRead


LINES = st.sampled_from(
    [b"5\r\n", b"5;x=y\r\n", b"5 \n", b"5\n", b"0\r\n", b"\r\n", b"\n", b"g\r\n", b"-1\r\n", b"x: y\r\n"]
)
DATA = st.sampled_from([b"12345\r\n", b"12345", b"123", b"\r"])


@given(
    parts=st.lists(LINES | DATA, max_size=12),
    cuts=st.lists(st.integers(1, 9), min_size=1),
    most=st.sampled_from([7, 10, 99]),
)
def test_chunks_however_they_are_cut(parts, cuts, most):
    wire = b"".join(parts) + b"\n"
    body = Body(room=memoryview(bytearray(100)), most=most, chunked=True)
    outcome = fed(body, wire, cuts)
    assert (bytes(body.room[: body.size]), outcome) == whole(wire, most)


def fed(body, wire, cuts):
    """Whether all of it fits; or the error."""
    position = 0
    for number in range(len(wire)):
        size = cuts[number % len(cuts)]
        try:
            if not body.feed(wire[position : position + size]):
                return False
        except http.client.HTTPException as error:
            return type(error)
        position += size
    return True if body.complete else http.client.IncompleteRead


def test_urllib3_fails_what_libcurl_cannot_send():
    with Web({}, address="127.0.0.1") as web:
        with pytest.raises(NotFetched) as failed:
            transport_for(web.port).get(asked(f"http://a.test:{web.port}/", headers=(("Cookie", "a\0\nb"),)), slot())
        assert failed.value.reason == "protocol" and not web.log()


@pytest.mark.parametrize(("last", "reason"), [(True, "protocol"), (False, "network")])
def test_a_long_delay_is_left_to_the_crawl(last, reason):
    """The request has failed, for a reason that is retried; the next one to the server is urllib3's from the start."""
    wire = HEADS_OF_SERVERS["no colon"][0]
    with Web({("a.test", "/"): Answer(fate="raw", body=wire)}, address="127.0.0.1") as web, over("curl"):
        transport = transport_for(web.port, connect_timeout="2")
        request = asked(f"http://a.test:{web.port}/", delay=3, last=last)
        with pytest.raises(NotFetched) as failed:
            transport.get(request, slot())
        assert failed.value.reason == reason and len(web.log()) == 1
        assert transport.get(request, slot()).status == 200 and len(web.log()) == 2
