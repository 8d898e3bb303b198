"""What odd servers send: the same answer or failure follows over each transport, field by field."""

import gzip

import pytest

from tests.fetch.ends import CLOSED, ORDERLY, RESET, SILENT, ending
from tests.fetch.requests import asked
from tests.fetch.transports import TRANSPORTS, over, slot, transport_for
from tests.support.cases import one_in
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.ring.messages import HEAD_ROOM, HEADS, PAGE, ROBOTS
from ttcrawl.vocabulary.reason import KEPT_CLOSED

MOST = 4096
FULL = b"x" * MOST
LARGE = FULL + b"x"
GZIP = gzip.compress(b"<p>page</p>" * 9)
CHUNKS = b"4\r\npage\r\n0\r\n\r\n"
IMAGE = b"Content-Type: image/png"


def page(*fields, body=b"page", status=b"HTTP/1.1 200 OK"):
    return b"".join(b"%b\r\n" % line for line in (status, b"Content-Type: text/html", *fields)) + b"\r\n" + body


def length(number, *fields, **more):
    return page(f"Content-Length: {number}".encode(), *fields, **more)


def status(line, *fields, body=b"page"):
    return length(len(body), *fields, status=b"HTTP/1.1 " + line, body=body)


def first(line):
    return length(4, status=line)


def coding(value, *fields, body=CHUNKS):
    return page(f"Transfer-Encoding: {value}".encode(), *fields, body=body)


def chunks(*parts):
    """Each with its end of line; the page comes in one chunk."""
    return coding("chunked", body=b"\r\n".join(parts))


STATUSES = (200, 203, 204, 205, 206, 226, 299, 300, 304, 400, 404, 408, 416, 429, 500, 503, 600, 999)
LOCATIONS = (200, 201, 300, 301, 303, 304, 305, 307, 308, 399)
FIRST_LINES = (
    *(
        b"HTTP/1.1 200",
        b"HTTP/1.1 200 ",
        b"HTTP/1.1 200 \xe9",
        b"HTTP/1.0 200 OK",
        b"HTTP/1.2 200 OK",
        b"HTTP/2 200 OK",
    ),
    *(b"HTTP/2.0 200 OK", b"ICY 200 OK", b"http/1.1 200 OK", b" HTTP/1.1 200 OK", b"\r\nHTTP/1.1 200 OK"),
    *(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK", b"HTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK"),
    *(b"HTTP/1.1 099 x", b"HTTP/1.1 199 x", b"HTTP/1.1 20 x", b"HTTP/1.1 2000 x"),
)
FIELDS = (
    *(b"a: 1\r\nB: 2\r\nA: 3\r\nC:\r\nD:  x  ", b"A: 1\r\n 2", b"nonsense", b"A : 1", b": 1", b"A: \0", b"A: 1\r2"),
    *(b"A: 1\r", b"A: \x01\x7f", b"A: \xe9", "A: é".encode(), b"\r\n".join([b"A: b"] * 198)),
    *(b"\r\n".join([b"A: b"] * 199), b"A: " + b"b" * 66_000, b"A: " + b"b" * 200_000),
    *(b"Set-Cookie: a=b\r\nset-cookie: c=d", b"Retry-After: 7\r\nRetry-After: 8"),
)
LENGTHS = (
    *("4", " 4 ", "04", "+4", "-4", "4.0", "4 4", "4,4", "4, 4", "4, 5", "4,", ",4", "x", "", "0x4", "4;", "4_0"),
    *("9" * 30, "0" * 40 + "4", "3", "5", "0", "00", "0, 0"),
)
CODINGS = (
    *("chunked", "Chunked", "gzip, chunked", "chunked, gzip", "chunked, chunked", "identity", "identity, chunked"),
    *("chunked, identity", "x", "chunked;q=1", "", "gzip", "gzip;a, chunked"),
    *("gzip\r\nTransfer-Encoding: chunked", "chunked\r\nTransfer-Encoding: gzip"),
)
CHUNKED = (
    *(b"", b"0\r\n\r\n", b"0\n\n", b"0\r\n", b"0", b"4\r\npage\r\n", b"4\r\npa", b"4\r\npage", b"4\r\npage\r"),
    *(b"4\r\npage0\r\n\r\n", b"4\npage\n0\n\n", b"\r\n4\r\npage\r\n0\r\n\r\n", b"4\r\npage\r\n\r\n"),
    *(b"4\r\npage\r\n0\r\n\r\nmore", b"4\r\npage\r\n0\r\nA: b\r\n\r\n", b"4\r\npage\r\n0\r\nA: b"),
    *(b"4\r\npage\r\n0\r\nnonsense\r\n\r\n", b"ffffffffffffffff\r\npage", b"7fffffffffffffff\r\npage"),
    b"4;" + b"a" * 20_000 + b"\r\npage\r\n0\r\n\r\n",
    b"4;" + b"a" * 70_000 + b"\r\npage\r\n0\r\n\r\n",
    b"4\r\npage\r\n0\r\nA: " + b"a" * 70_000 + b"\r\n\r\n",
    b"4\r\npage\r\n0\r\n" + b"A: bbbbbbbbbbbbb\r\n" * 9000 + b"\r\n",
    b"1000\r\n%b\r\n0\r\n\r\n" % FULL,
    b"1000\r\n%b\r\n1\r\nx\r\n0\r\n\r\n" % FULL,
    b"1001\r\n%b\r\n0\r\n\r\n" % LARGE,
    b"1001\r\n",
)
SIZES = ("4 ", " 4", "0x4", "+4", "-4", "4;a=b", "4 ;a", "four", "0004", "4_0", "00000000000000004", "A")

WIRES = {
    **{f"status {number}": status(b"%d x" % number) for number in STATUSES},
    **{f"location {number}": status(b"%d x" % number, b"Location: /x") for number in LOCATIONS},
    **{f"first line {line!r}": first(line) for line in FIRST_LINES},
    **{f"fields {field[:20]!r} {len(field)}": length(4, field) for field in FIELDS},
    **{f"length {value[:9]!r} {len(value)}": length(value) for value in LENGTHS},
    **{f"coding {value!r}": coding(value) for value in CODINGS},
    **{f"coding {value!r} and a length": coding(value, b"Content-Length: 4") for value in CODINGS},
    **{f"chunks {wire[-20:]!r} {len(wire)}": coding("chunked", body=wire) for wire in CHUNKED},
    **{f"chunk size {size!r}": coding("chunked", body=f"{size}\r\npage\r\n0\r\n\r\n".encode()) for size in SIZES},
    "101": page(status=b"HTTP/1.1 101 Switching"),
    "an interim response": b"HTTP/1.1 103 Hints\r\nLink: x\r\n\r\n",
    "another protocol": b"SSH-2.0-x\r\n\r\n",
    "another protocol in a part of a line": b"SSH-2.0-x",
    "a page without a head": b"<html><p>page</p>\n</html>",
    "a status line": b"HTTP/1.1 200 OK\r\n",
    "nothing": b"",
    "a line end": b"\r\n",
    "no type": b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage",
    "LF": length(4).replace(b"\r\n", b"\n"),
    "a field before all": b"HTTP/1.1 200 OK\r\n x\r\nContent-Length: 4\r\n\r\npage",
    "retry": status(b"503 x", b"Retry-After: 7"),
    "unwanted": length(4, IMAGE),
    "unwanted, bad length": length("x", IMAGE),
    "unwanted, large": length(9999, IMAGE),
    "unwanted, empty": length(0, IMAGE, body=b""),
    "unwanted 204": page(IMAGE, status=b"HTTP/1.1 204 x", body=b""),
    "unwanted 404": status(b"404 x", IMAGE),
    "to the close": page(),
    "to the close, nothing": page(body=b""),
    "to the close over HTTP/1.0": page(status=b"HTTP/1.0 200 OK"),
    "kept over HTTP/1.0": length(4, b"Connection: keep-alive", status=b"HTTP/1.0 200 OK"),
    "two lengths": length(4, b"Content-Length: 4"),
    "two other lengths": length(4, b"Content-Length: 5"),
    "a bad length of 404": length("x", status=b"HTTP/1.1 404 x"),
    "a bad length of 204": length("x", status=b"HTTP/1.1 204 x", body=b""),
    "a bad length of 304": length("x", status=b"HTTP/1.1 304 x", body=b""),
    "a length of 304": length(9, status=b"HTTP/1.1 304 x", body=b""),
    "a bad length and chunks": coding("chunked", b"Content-Length: x"),
    "two lengths and chunks": coding("chunked", b"Content-Length: 4, 5"),
    "gzip, length of the page": length(99, b"Content-Encoding: gzip", body=GZIP),
    "gzip, another length": length(98, b"Content-Encoding: gzip", body=GZIP),
    "full": length(MOST, body=FULL),
    "full to the close": page(body=FULL),
    "large": length(MOST + 1, body=LARGE),
    "large, cut": length(MOST + 1),
    "large, full": length(MOST + 1, body=FULL),
    "large 404": length(MOST + 1, body=LARGE, status=b"HTTP/1.1 404 x"),
    "large to the close": page(body=LARGE),
    "large identity": coding("identity", body=LARGE),
}

#: How each is requested, and how its connection ends: end, whether with TLS, kind, whether HEAD comes first.
OTHERS = {
    "robots.txt": (ORDERLY, False, ROBOTS, "no"),
    "HEAD first": (ORDERLY, False, PAGE, "yes"),
    "reset": (RESET, False, PAGE, "no"),
    "TLS without its end": (CLOSED, True, PAGE, "no"),
    "silence": (SILENT, False, ROBOTS, "no"),
}

#: What these may change. Silence takes time: so it has those in which it follows something else than the end.
BODIES = [case for case in WIRES if not case.startswith(("status", "location", "first", "fields"))]
SILENCES = ("length '0, 0'", "length '00'", "coding 'chunked, gzip'", "chunk size '0x4'", "large, full", "101")
SILENT_ONES = [case for case in BODIES if case.startswith(SILENCES)]
CASES = [(way, case) for way in OTHERS for case in (SILENT_ONES if way == "silence" else BODIES)]

#: Of a head that is no answer libcurl shows as much as it has read; the end of a line of framing it keeps to itself.
ANSWER = ("status", "address", "body_size", "retry_after", "refused", "incomplete", "unclosed", "method", "set_cookies")


def followed(name, wire, tls, end, kind, head_first):
    """What follows from a response over a transport."""
    keys = {"types": "text/*", "head_first": head_first, "cookies": "host", "verify_tls": "no", "max_headers": "200"}
    keys["read_timeout"] = "0.3" if end == SILENT else "20"  # a busy machine is not silent
    with ending(lambda path: (wire, end), tls) as log, over(name):
        room = slot(MOST)
        url = f"{'https' if tls else 'http'}://a.test:{log.port}/"
        transport = transport_for(log.port, **keys)
        try:
            answer = transport.get(asked(url, kind=kind), room)
        except NotFetched as failed:
            if failed.reason != KEPT_CLOSED:
                return failed.reason, failed.received > 0 or end == RESET
            answer = transport.get(asked(url, kind=kind, renew=True), room)  # the server serves one request each
    head = HEADS.decode(room[: answer.head_size])
    headers = [(name, " ".join(value.split())) for name, value in head.headers]  # libcurl has one space for a fold
    raw = head.raw if b"\r\n 2" not in wire else b""
    facts = {field: getattr(answer, field) for field in ANSWER}
    received = answer.received if not (answer.incomplete or end == RESET) else None  # which discards what was sent
    body = bytes(room[HEAD_ROOM : HEAD_ROOM + answer.body_size])
    return facts, received, (head.status, head.phrase, head.version, headers, raw), body


@pytest.mark.parametrize("case", one_in(3, WIRES))
def test_a_page(case):
    first, second = (followed(name, WIRES[case], None, ORDERLY, PAGE, "no") for name in TRANSPORTS)
    assert first == second


@pytest.mark.slow
@pytest.mark.parametrize(("way", "case"), CASES)
def test_other_requests_and_ends(tls, way, case):
    end, secure, kind, head_first = OTHERS[way]
    context = tls if secure else None
    first, second = (followed(name, WIRES[case], context, end, kind, head_first) for name in TRANSPORTS)
    assert first == second
