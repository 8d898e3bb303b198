"""What the end of a connection says about a body (RFC 9112 sections 6.3 and 9.8): one table for both transports."""

import gzip
import ssl
import zlib

import brotli
import pytest

from tests.fetch.ends import ALERT, CLOSED, ORDERLY, RESET, ending
from tests.fetch.http2 import DATA, END_HEADERS, END_STREAM, HEADERS, OK, frame
from tests.fetch.proxied import transport_to
from tests.fetch.requests import asked
from tests.fetch.transports import TRANSPORTS, over, slot, transport_for
from tests.support.cases import one_in
from tests.support.web.proxies import running
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.ring.messages import HEAD_ROOM, ROBOTS
from ttcrawl.web.coding.inflate import zstd

BODY = b"<title>page</title>" + b"<p>word</p>" * 20
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def answer(*fields, body=BODY):
    return HEAD + b"".join(field.encode() + b"\r\n" for field in fields) + b"\r\n" + body, body


def coded(coding, body, wrong=0):
    return answer(f"Content-Encoding: {coding}", f"Content-Length: {len(BODY) + wrong}", body=body)


CHUNKED, CHUNK = "Transfer-Encoding: chunked", b"%x\r\n%s\r\n" % (len(BODY), BODY)


def chunks(wire, *fields):
    return answer(CHUNKED, *fields, body=wire)[0], BODY


def stream(*frames, length=None):
    """Of HTTP/2; the length in HPACK is a literal with the name of index 28 of the static table."""
    stated = b"" if length is None else b"\x0f\x0d%c%d" % (len(str(length)), length)
    return b"".join((frame(HEADERS, END_HEADERS, 1, OK + stated), *frames)), BODY


PART = frame(DATA, 0, 1, BODY)
GZIP, DEFLATE = gzip.compress(BODY), zlib.compress(BODY)

#: What follows from each end: why the body is incomplete, and whether it is complete by assumption only.
COMPLETE = dict.fromkeys((ORDERLY, CLOSED, RESET, ALERT), ("", False))
TRUNCATED = {ORDERLY: ("truncated", False), CLOSED: ("truncated", False), RESET: ("reset", False)}
TRUNCATED[ALERT] = TRUNCATED[RESET]
ASSUMED = TRUNCATED | {ORDERLY: ("", False), CLOSED: ("", True)}

#: Framing -> (what is sent, the body that is kept), what follows.
BODIES = {
    "length": (answer(f"Content-Length: {len(BODY)}"), COMPLETE),
    "length twice": (answer(*[f"Content-Length: {len(BODY)}"] * 2), COMPLETE),
    "longer length": (answer(f"Content-Length: {len(BODY) + 9}"), TRUNCATED),
    "shorter length": ((answer("Content-Length: 9")[0], BODY[:9]), COMPLETE),
    "chunks": (chunks(CHUNK + b"0\r\n\r\n"), COMPLETE),
    "chunks and a length": (chunks(CHUNK + b"0\r\n\r\n", "Content-Length: 9"), COMPLETE),
    "no trailer": (chunks(CHUNK + b"0\r\n"), COMPLETE),
    "no last chunk": (chunks(CHUNK), TRUNCATED),
    "in a chunk": (chunks(b"fff\r\n" + BODY), TRUNCATED),
    "to the close": (answer(), ASSUMED),
    "gzip to the close": (answer("Content-Encoding: gzip", body=GZIP), ASSUMED),
    "identity and a length": (answer("Transfer-Encoding: identity", f"Content-Length: {len(BODY)}"), COMPLETE),
    "identity and a longer length": (answer("Transfer-Encoding: identity", "Content-Length: 999"), TRUNCATED),
    "identity to the close": (answer("Transfer-Encoding: identity"), ASSUMED),
    "gzip, length of the page": (coded("gzip", GZIP), COMPLETE),
    "x-gzip, length of the page": (coded("x-gzip", GZIP), COMPLETE),
    "deflate, length of the page": (coded("deflate", DEFLATE), COMPLETE),
    "raw deflate, length of the page": (coded("deflate", DEFLATE[2:-4]), COMPLETE),
    "br, length of the page": (coded("br", brotli.compress(BODY)), COMPLETE),
    "zstd, length of the page": (coded("zstd", zstd.compress(BODY)), COMPLETE),
    "gzip twice, length of the page": (coded("gzip, gzip", gzip.compress(GZIP)), COMPLETE),
    "gzip, another length": (coded("gzip", GZIP, 1), TRUNCATED),
    "gzip, cut": (coded("gzip", GZIP[:-4]), TRUNCATED),
    "a false coding": (coded("gzip", BODY, 9), TRUNCATED),
}
STREAMS = {
    "stream": (stream(frame(DATA, END_STREAM, 1, BODY)), COMPLETE),
    "length without the end of the stream": (stream(PART, length=len(BODY)), COMPLETE),
    "no end of the stream": (stream(PART), TRUNCATED),
    "longer length in the stream": (stream(PART, length=len(BODY) + 9), TRUNCATED),
}

#: libcurl may report an alert as the end of a stream, and a reset after it as an error.
CHANCE = {("stream", RESET), ("no end of the stream", ALERT), ("longer length in the stream", ALERT)}

#: Bytes of a head -> the reason of the failure.
NOTHING = {ORDERLY: "disconnected", CLOSED: "disconnected", RESET: "reset", ALERT: "tls: alert bad record mac"}
BROKEN = {ORDERLY: "truncated", CLOSED: "truncated", RESET: "reset", ALERT: "reset"}
HEADS = {"nothing": (b"", NOTHING), "a part of the head": (HEAD, BROKEN)}

ENDS = [
    *((protocol, end) for protocol in ("TLSv1_2", "TLSv1_3") for end in COMPLETE),
    ("plain", ORDERLY),
    ("plain", RESET),
]


@pytest.fixture(scope="module")
def contexts(ca):
    """Version of TLS, or plain -> of a server."""
    made = {"plain": None}
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        context = made[version.name] = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        ca.issue_cert("a.test").configure_cert(context)
        context.minimum_version = context.maximum_version = version
    return made


def outcomes(wire, end, context, **keys):
    """Transport -> (why the body is incomplete, whether its end is assumed), the body; or the reason of the failure."""
    found = {}
    for name in TRANSPORTS:
        with ending(lambda path: (wire, end), context) as log, over(name):
            transport, room = transport_for(log.port, read_timeout="5", **keys), slot()
            try:
                got = transport.get(asked(f"{'https' if context else 'http'}://a.test:{log.port}/"), room)
                body = bytes(room[HEAD_ROOM : HEAD_ROOM + got.body_size])
                found[name] = (got.incomplete, got.unclosed), body
            except NotFetched as error:
                found[name] = error.reason
    return found


@pytest.mark.parametrize(("protocol", "end"), ENDS)
@pytest.mark.parametrize("case", one_in(2, BODIES))
def test_bodies(contexts, case, protocol, end):
    (wire, body), follows = BODIES[case]
    kept = GZIP if case == "gzip to the close" else body
    assert outcomes(wire, end, contexts[protocol]) == dict.fromkeys(TRANSPORTS, (follows[end], kept))


@pytest.mark.parametrize(
    ("case", "end"), [(case, end) for case in STREAMS for end in COMPLETE if (case, end) not in CHANCE]
)
def test_streams(contexts, case, end):
    (wire, body), follows = STREAMS[case]
    context = contexts["TLSv1_3"]
    context.set_alpn_protocols(["h2"])
    try:
        with ending(lambda path: (wire, end), context) as log, over("curl"):
            transport, room = transport_for(log.port, read_timeout="5", http2="yes"), slot()
            got = transport.get(asked(f"https://a.test:{log.port}/"), room)
    finally:
        context.set_alpn_protocols(["http/1.1"])
    assert ((got.incomplete, got.unclosed), bytes(room[HEAD_ROOM : HEAD_ROOM + got.body_size])) == (follows[end], body)


@pytest.mark.parametrize(("protocol", "end"), ENDS)
@pytest.mark.parametrize("case", HEADS)
def test_heads(contexts, case, protocol, end):
    wire, follows = HEADS[case]
    assert outcomes(wire, end, contexts[protocol]) == dict.fromkeys(TRANSPORTS, follows[end])


@pytest.mark.parametrize("end", [ORDERLY, CLOSED])
@pytest.mark.parametrize("name", TRANSPORTS)
@pytest.mark.parametrize("scheme", ["http", "https", "socks5"])
def test_behind_a_proxy(ca, contexts, scheme, name, end):
    wire, body = BODIES["to the close"][0]
    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert("127.0.0.1").configure_cert(own)
    tls = own if scheme == "https" else None
    with ending(lambda path: (wire, end), contexts["TLSv1_3"]) as log, running(scheme, tls=tls) as proxy, over(name):
        transport, room = transport_to(f"{scheme}://127.0.0.1:{proxy.port}"), slot()
        got = transport.get(asked(f"https://a.test:{log.port}/", address="127.0.0.1"), room)
    assert (got.incomplete, got.unclosed, bytes(room[HEAD_ROOM : HEAD_ROOM + got.body_size])) == (
        "",
        end == CLOSED,
        body,
    )


@pytest.mark.parametrize("name", TRANSPORTS)
def test_a_robots_txt_is_not_decoded_beyond_what_a_body_may_have(name):
    body = brotli.compress(bytes(5000))
    wire = answer("Content-Encoding: br", "Content-Length: 5000", body=body)[0]
    with ending(lambda path: (wire, ORDERLY)) as log, over(name):
        url = f"http://a.test:{log.port}/robots.txt"
        got = [transport_for(log.port, max_body=most).get(asked(url, kind=ROBOTS), slot()) for most in ("5000", "4999")]
    assert [each.incomplete for each in got] == ["", "truncated"]
