"""Streams of HTTP/2 that break off."""

import ssl

import pytest

from tests.fetch.http2 import DATA, END_HEADERS, END_STREAM, HEADERS, OK, frame, reset, speaking
from tests.fetch.requests import asked
from tests.fetch.transports import over, slot, transport_for
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.fetch.head import HeadLimits
from ttcrawl.ring.messages import HEAD_ROOM
from ttcrawl.vocabulary.reason import NONE, PROTOCOL, RESET, TRUNCATED

HEAD = frame(HEADERS, END_HEADERS, 1, OK)
PART = frame(DATA, 0, 1, b"part")
INTERNAL, HTTP_1_1_REQUIRED = 2, 13
INTERIM = frame(HEADERS, END_HEADERS, 1, b"\x08\x03103")  # ":status: 103", not of the table

#: Frames -> the reason of the failure, or (why the body is incomplete, the body).
STREAMS = {
    "complete": (HEAD + frame(DATA, END_STREAM, 1, b"part"), (NONE, b"part")),
    "interim": (INTERIM + HEAD + frame(DATA, END_STREAM, 1, b"part"), (NONE, b"part")),
    "trailer": (HEAD + PART + frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\x00\x01x\x01y"), (NONE, b"part")),
    "no body": (frame(HEADERS, END_HEADERS | END_STREAM, 1, OK), (NONE, b"")),
    "reset": (reset(INTERNAL), RESET),
    "reset in the body": (HEAD + PART + reset(INTERNAL), (RESET, b"part")),
    "ended in the body": (HEAD + PART, (TRUNCATED, b"part")),
    "requires HTTP/1.1": (reset(HTTP_1_1_REQUIRED), (NONE, b"one")),
    "a header of HTTP/1.1": (
        frame(HEADERS, END_HEADERS, 1, OK + b"\x00\x11transfer-encoding\x07chunked") + frame(DATA, END_STREAM, 1, b"0"),
        PROTOCOL,
    ),
    "no frame": (b"HTTP/1.1 200 OK\r\n\r\n", PROTOCOL),
}


@pytest.mark.parametrize("case", STREAMS)
def test_streams(ca, case):
    frames, expected = STREAMS[case]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert("a.test").configure_cert(context)
    with speaking(context, frames) as port, over("curl"):
        transport, room = transport_for(port, http2="yes", read_timeout="5"), slot()
        try:
            answer = transport.get(asked(f"https://a.test:{port}/"), room)
        except NotFetched as error:
            assert error.reason == expected, error
        else:
            assert (answer.incomplete, bytes(room[HEAD_ROOM : HEAD_ROOM + answer.body_size])) == expected


@pytest.mark.parametrize("code", ["E_HTTP2", "E_RECV_ERROR", "E_SEND_ERROR"])
def test_a_forbidden_header_is_an_error_of_the_protocol_whatever_else_failed(code):
    """The server may have closed the connection before it is told: libcurl's code depends on who was first."""
    pycurl = pytest.importorskip("pycurl")
    reasons = pytest.importorskip("ttcrawl.fetch.curl.reasons")
    message = "Invalid HTTP header field was received: frame type: 1, stream: 1, name: [te], value: [x]"
    error = reasons.failure(pycurl.Curl(), getattr(pycurl, code), message, HeadLimits(size=1000, lines=10))
    assert (error.reason, error.detail) == (PROTOCOL, message)
