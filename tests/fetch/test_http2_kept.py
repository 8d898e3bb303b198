"""Kept connections of HTTP/2 that carry no request any more: the next one goes over a new one."""

import ssl

import pytest

from tests.fetch.http2 import DATA, END_HEADERS, HEADERS, OK, connections, frame, goaway, page, reset
from tests.fetch.transports import outcome, over, transport_for
from tests.support.crawls.crawling import query, verified
from tests.support.crawls.preforked import run
from ttcrawl.vocabulary.reason import KEPT_CLOSED, RESET, TIMEOUT_READ

CARRIES = 2  # requests of a connection that are answered


def then(frames):
    """A connection that answers some requests, and then does this."""
    return lambda number, stream: page(stream) if number <= CARRIES else frames(stream)


def head(stream):
    return frame(HEADERS, END_HEADERS, stream, OK)


#: What a connection does after some answers -> what comes of the request; 200: its body is incomplete.
KINDS = {
    "silence": (lambda _: b"", TIMEOUT_READ),
    "silence after a head": (head, 200),
    "silence in a body": (lambda stream: head(stream) + frame(DATA, 0, stream, b"p"), 200),
    "an error": (lambda stream: reset(2, stream), RESET),
    "an error in a body": (lambda stream: head(stream) + frame(DATA, 0, stream, b"p") + reset(2, stream), 200),
    "a refused stream": (lambda stream: reset(7, stream), KEPT_CLOSED),
    "HTTP/1.1 required": (lambda stream: reset(13, stream), KEPT_CLOSED),
    "GOAWAY": (lambda stream: goaway(stream - 2), KEPT_CLOSED),
    "a closed connection": (lambda _: None, KEPT_CLOSED),
}


@pytest.fixture(autouse=True)
def curl():
    with over("curl"):
        yield


@pytest.fixture
def context(ca):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert("a.test").configure_cert(context)
    return context


@pytest.mark.parametrize(("frames", "expected"), KINDS.values(), ids=KINDS)
def test_the_next_request_goes_over_a_new_connection(context, frames, expected):
    with connections(context, then(frames)) as (port, served):
        transport, url = transport_for(port, http2="yes", read_timeout="0.3"), f"https://a.test:{port}/"
        made = [outcome(transport, url) for _ in range(CARRIES + 3)]
        assert [status for status, *_ in made] == [*[200] * CARRIES, expected, 200, 200]
        assert [requests for *_, requests, _ in made] == [1] * len(made)
        assert [len(each.streams) for each in served] == [CARRIES + 1, 2]


def test_a_connection_that_the_server_has_closed_gets_no_request(context):
    def frames(number, stream):
        return page(stream) if number < CARRIES else page(stream) + goaway(stream)

    with connections(context, frames) as (port, served):
        transport, url = transport_for(port, http2="yes"), f"https://a.test:{port}/"
        assert [outcome(transport, url)[0] for _ in range(3 * CARRIES)] == [200] * 3 * CARRIES
        assert [len(each.streams) for each in served] == [CARRIES] * 3


@pytest.mark.parametrize("code", [7, 13])
def test_a_server_that_refuses_every_stream_is_asked_over_http_1(context, code):
    with connections(context, lambda _, stream: reset(code, stream)) as (port, served):
        transport, url = transport_for(port, http2="yes"), f"https://a.test:{port}/"
        assert outcome(transport, url) == (200, "", 3, 2, "GET")
        assert outcome(transport, url) == (200, "", 3, 1, "GET")
        assert [len(each.streams) for each in served] == [1]


@pytest.mark.slow
def test_a_crawl_of_a_server_whose_connections_fall_silent(tmp_path, context):
    """Each connection answers two requests and is silent then, as behind a router that forgets it."""
    pages = 12
    links = b"".join(b"<a href=/%d>x</a>" % number for number in range(pages))

    def frames(number, stream):
        return page(stream, links) if number <= CARRIES else b""

    keys = (
        "fetch.http2=yes",
        "fetch.verify_tls=no",
        "fetch.read_timeout=0.5",
        "fetch.retry_wait=0",
        "crawl.fetchers=1",
    )
    keys += ("politeness.delay=0.05", "traps.same_bytes=0", "duplicates.soft_404=0", "duplicates.exact=no")
    with connections(context, frames) as (port, served):
        options = ("--resolve", f"a.test:{port}:127.0.0.1", "--progress", "none", *(f"--set={key}" for key in keys))
        done = run("crawl", f"https://a.test:{port}/", "-d", tmp_path / "crawl", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    directory = tmp_path / "crawl"
    assert query(directory, "SELECT state, reason, count(*) FROM url GROUP BY 1, 2") == [
        ("fetched", "http 200", pages + 1)
    ]
    sent = sum(len(each.streams) for each in served)
    assert query(directory, "SELECT sum(requests), count(*) FROM visit") == [(sent, sent)]
    assert len(served) >= (pages + 2) // CARRIES
    assert verified(directory) == ""
