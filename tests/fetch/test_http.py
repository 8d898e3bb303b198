"""One GET against servers of every kind: the reason is right, nothing raises, nothing lasts."""

import socket
import threading
import time

import pytest

from tests.fetch.requests import asked
from tests.fetch.transports import new_transport
from tests.support.web.site import Answer, Web, page
from ttcrawl.config import read
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.ring.messages import HEAD_ROOM, HEADS, ROBOTS

pytestmark = pytest.mark.usefixtures("transports")


def raw(wire, fate="raw", **more):
    return Answer(fate=fate, body=wire, **more)


def chunks(wire, fate="raw", *fields):
    head = b"\r\n".join((b"HTTP/1.1 200 OK", b"Transfer-Encoding: chunked", *fields, b"\r\n"))
    return raw(head + wire, fate)


def one_chunk(size):
    """It says that it closes the connection, or the next request may be under way when it does."""
    return chunks(b"%x\r\n%s\r\n0\r\n\r\n" % (size, b"x" * size), "raw", b"Connection: close")


SIZES = (4095, 4096, 4097)


GOOD_LENGTHS = ("5", "05", "5, 5", " 5 ")
BAD_LENGTHS = ("-5", "+5", "0_5", "0x5", "five", "5.0", "5 5", "5, five", "five, 5", "5, 6", "5,", "\xb2")

PAGES = {
    ("a.test", "/"): Answer(body=page("/x")),
    ("a.test", "/404"): Answer(status=404, body=b"no"),
    ("a.test", "/large"): Answer(body=b"x" * 5000),
    ("a.test", "/large-unsaid"): raw(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 5000),
    ("a.test", "/close"): Answer(fate="close"),
    ("a.test", "/reset"): Answer(fate="reset"),
    ("a.test", "/stall"): Answer(fate="stall"),
    ("a.test", "/drip"): Answer(body=b"x" * 100, drip=0.1),
    ("a.test", "/drip-unsaid"): Answer(more=b"x", times=-1, drip=0.1),
    ("a.test", "/large-in-chunks"): chunks((b"fa0\r\n" + b"x" * 4000 + b"\r\n") * 2 + b"0\r\n\r\n"),
    ("a.test", "/short"): Answer(body=b"x" * 100, length=200),
    ("a.test", "/none-of-it"): Answer(length=200),
    ("a.test", "/stall-in-the-body"): Answer(fate="stall", body=b"x" * 50),
    ("a.test", "/reset-in-the-body"): Answer(fate="reset", body=b"x" * 3000),
    ("a.test", "/reset-in-a-chunk"): chunks(b"32\r\n" + b"x" * 50 + b"\r\n9\r\nxxxxx", fate="raw reset"),
    ("a.test", "/reset-between-chunks"): chunks(b"5\r\nxxxxx\r\n", fate="raw reset"),
    ("a.test", "/reset-in-the-head"): raw(b"HTTP/1.1 200 OK\r\nX: xxxx", fate="raw reset"),
    ("a.test", "/chunks-without-end"): chunks(b"5\r\nxxxxx\r\n5\r\nxxxxx\r\n"),
    ("a.test", "/short-chunk"): chunks(b"5\r\nxxxxx\r\n5\r\nxx"),
    ("a.test", "/no-chunk"): chunks(b"5\r\nxxxxx\r\nfive\r\nxxxxx\r\n"),
    ("a.test", "/chunk-line"): chunks(b"5\r\nxxxxx\r\n5;" + b"y" * 70_000 + b"\r\nxxxxx\r\n"),
    ("a.test", "/trailer-line"): chunks(b"5\r\nxxxxx\r\n0\r\nX: " + b"y" * 70_000 + b"\r\n\r\n"),
    **{("a.test", f"/said/{n}"): Answer(body=b"x" * n) for n in SIZES},
    **{("a.test", f"/end/{n}"): raw(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * n) for n in SIZES},
    **{("a.test", f"/chunks/{n}"): one_chunk(n) for n in SIZES},
    **{
        ("a.test", f"/length/{n}"): Answer(headers=(("Content-Length", said),), body=b"12345")
        for n, said in enumerate((*GOOD_LENGTHS, *BAD_LENGTHS))
    },
    ("a.test", "/noise"): Answer(fate="raw", body=b"\x00\x01\x02 not http\r\n\r\n"),
    ("a.test", "/endless-number"): Answer(
        fate="raw", body=b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999999\r\n\r\nx"
    ),
    ("a.test", "/heads"): Answer(
        fate="raw",
        body=b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: %s\r\n" % (n, b"y" * 60_000) for n in range(20)) + b"\r\n",
    ),
    ("a.test", "/200-headers"): raw(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n"),
    ("a.test", "/201-headers"): raw(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 201 + b"\r\n"),
    ("a.test", "/64k-headers"): raw(b"HTTP/1.1 200 OK\r\nX: " + b"y" * 65_000 + b"\r\n\r\n"),
    ("a.test", "/1m-header"): raw(b"HTTP/1.1 200 OK\r\nX: " + b"y" * (1 << 20) + b"\r\n\r\n"),
    ("a.test", "/100000-headers"): raw(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 100_000 + b"\r\n"),
    ("a.test", "/long-status"): raw(b"HTTP/1.1 200 " + b"y" * (1 << 20) + b"\r\n\r\n"),
    ("a.test", "/long-line"): raw(b"y" * (1 << 20)),
    ("a.test", "/hints"): raw(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" * 100_000),
    ("a.test", "/continue"): raw(b"HTTP/1.1 100 Continue\r\n\r\n" * 100_000),
    ("a.test", "/few-hints"): raw(
        b"HTTP/1.1 100 Continue\r\n\r\n" + b"HTTP/1.1 103 Hints\r\nA: b\r\n\r\n" * 3 + b"HTTP/1.1 200 OK\r\n\r\n"
    ),
    ("a.test", "/slow-head"): raw(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 100, drip=0.05),
}


@pytest.fixture(scope="module")
def web(transports):
    with Web(PAGES) as web:
        yield web


@pytest.fixture(scope="module")
def transport(web, transports):
    settings = {"resolve": " ".join([*web.resolve, "no.test:1:127.0.0.1"]), "max_body": "4096", "read_timeout": "0.3"}
    keys = [(f"fetch.{k}", v) for k, v in {**settings, "total_timeout": "1"}.items()]
    config = read(None, [*keys, ("safety.allow", "127.0.0.0/8")])
    transport = new_transport(config)

    def enforce():
        while True:
            time.sleep(0.05)
            transport.enforce()

    threading.Thread(target=enforce, daemon=True).start()
    return transport


def slot():
    return memoryview(bytearray(HEAD_ROOM + 4096))


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/close", "disconnected"),
        ("/reset", "reset"),
        ("/stall", "timeout: read"),
        ("/noise", "protocol"),
        ("/endless-number", None),
        ("/heads", "headers too large"),
        ("/201-headers", "headers too large"),
        ("/1m-header", "headers too large"),
        ("/100000-headers", "headers too large"),
        ("/long-status", "headers too large"),
        ("/long-line", "headers too large"),
        ("/hints", "headers too large"),
        ("/continue", "headers too large"),
        ("/slow-head", "timeout: total"),
    ],
)
def test_reasons(web, transport, path, reason):
    began = time.time()
    if reason is None:
        answer = transport.get(asked(web.url("a.test", path)), slot())
        assert answer.refused
        return
    with pytest.raises(NotFetched) as failed:
        transport.get(asked(web.url("a.test", path)), slot())
    assert failed.value.reason == reason
    assert began <= failed.value.started and time.time() - began < 8


@pytest.mark.parametrize(("path", "headers"), [("/200-headers", 200), ("/64k-headers", 1), ("/few-hints", 0)])
def test_heads_that_fit(web, transport, path, headers):
    room = slot()
    answer = transport.get(asked(web.url("a.test", path)), room)
    assert (answer.status, len(HEADS.decode(room[: answer.head_size]).headers)) == (200, headers)


def test_an_answer(web, transport):
    room = slot()
    for _ in range(3):
        answer = transport.get(asked(web.url("a.test", "/")), room)
    head = HEADS.decode(room[: answer.head_size])
    assert (answer.status, head.status, head.phrase, answer.address) == (200, 200, "OK", "127.0.0.1")
    assert bytes(room[HEAD_ROOM : HEAD_ROOM + answer.body_size]) == PAGES["a.test", "/"].body
    assert not answer.refused and answer.started < answer.ended
    assert transport.get(asked(web.url("a.test", "/404")), room).status == 404


@pytest.mark.parametrize(("path", "size"), [("/large", 0), ("/large-unsaid", 4096), ("/large-in-chunks", 4096)])
def test_of_a_large_body_the_beginning_is_kept_if_it_came_and_the_next_answer_is_right(web, transport, path, size):
    room = slot()
    answer = transport.get(asked(web.url("a.test", path)), room)
    assert (answer.refused, answer.incomplete, answer.body_size) == ("too large", "", size)
    assert room[HEAD_ROOM : HEAD_ROOM + size] == b"x" * size and size <= answer.received <= size + 12
    assert transport.get(asked(web.url("a.test", "/404")), room).body_size == 2


@pytest.mark.parametrize(
    ("path", "reason", "least", "most"),
    [
        ("/drip", "timeout: total", 3, 20),
        ("/drip-unsaid", "timeout: total", 3, 20),  # and not the beginning of it as if it were whole
        ("/short", "truncated", 100, 100),
        ("/none-of-it", "truncated", 0, 0),
        ("/stall-in-the-body", "timeout: read", 50, 50),
        ("/reset-in-the-body", "reset", 3000, 3000),
        ("/reset-in-a-chunk", "reset", 55, 55),
        ("/reset-between-chunks", "reset", 5, 5),
        ("/chunks-without-end", "truncated", 10, 10),
        ("/short-chunk", "truncated", 7, 7),
        ("/no-chunk", "truncated", 5, 5),
        ("/chunk-line", "protocol", 5, 5),
        ("/trailer-line", "protocol", 5, 5),
    ],
)
def test_what_came_of_a_body_that_breaks_off(web, transport, path, reason, least, most):
    """Every byte of it, whatever ended it, and no byte of it is counted as nothing."""
    room = slot()
    answer = transport.get(asked(web.url("a.test", path)), room)
    assert (answer.status, answer.refused, answer.incomplete) == (200, "", reason)
    size = answer.body_size
    assert least <= size <= most and room[HEAD_ROOM : HEAD_ROOM + size] == b"x" * size
    framing = answer.received - size
    assert (framing > 0) == ("chunk" in path or "trailer" in path) and framing <= 70_000
    assert transport.get(asked(web.url("a.test", "/404")), room).body_size == 2


def test_bytes_of_heads_that_break_off(web, transport):
    for path, least, most in (("/1m-header", 65_000, 70_000), ("/reset-in-the-head", 17, 24), ("/noise", 0, 40)):
        with pytest.raises(NotFetched) as failed:
            transport.get(asked(web.url("a.test", path)), slot())
        assert least <= failed.value.received <= most, path


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("form", ["said", "chunks", "end"])
def test_bodies_that_just_fit(web, transport, size, form):
    answer = transport.get(asked(web.url("a.test", f"/{form}/{size}")), slot())
    fits = size <= 4096
    assert (answer.refused, answer.body_size) == (("", size) if fits else ("too large", 0 if form == "said" else 4096))


@pytest.mark.parametrize("path", ["/large", "/large-unsaid", "/large-in-chunks"])
def test_the_beginning_of_a_large_body(web, transport, path):
    room = slot()
    room[HEAD_ROOM:] = bytes(4096)
    answer = transport.get(asked(web.url("a.test", path), kind=ROBOTS), room)
    assert answer.refused == "too large" and room[HEAD_ROOM : HEAD_ROOM + answer.body_size] == b"x" * 4096
    assert transport.get(asked(web.url("a.test", "/404"), kind=ROBOTS), room).body_size == 2


def test_lengths_that_are_no_number(web, transport):
    """RFC 9112 section 6.3: such an answer is discarded."""
    for n, said in enumerate((*GOOD_LENGTHS, *BAD_LENGTHS)):
        url, got = web.url("a.test", f"/length/{n}"), ""
        try:
            assert transport.get(asked(url), slot()).body_size == 5, said
        except NotFetched as failed:
            got = failed.reason
        assert got == ("" if said in GOOD_LENGTHS else "protocol"), said


def test_no_packet_leaves_before_its_moment(web, transport):
    room = slot()
    for wait in (0.0, 0.0005, 0.01, 0.1):
        moment = time.time() + wait
        answer = transport.get(asked(web.url("a.test", "/"), moment), room)
        assert answer.started >= moment
        assert web.log()[-1].arrived >= moment


def test_unknown_and_deaf_hosts(transport):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    with pytest.raises(NotFetched) as failed:
        transport.get(asked(f"http://127.0.0.1:{port}/"), slot())
    assert failed.value.reason == "connection refused"
    with pytest.raises(NotFetched) as failed:
        transport.get(asked("http://nowhere.invalid/"), slot())
    assert failed.value.reason in ("dns", "dns: temporary")


def test_tls_to_a_server_without_it(transport):
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer():
            connection = server.accept()[0]
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.recv(10_000)
            connection.close()

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(NotFetched) as failed:
            transport.get(asked(f"https://127.0.0.1:{server.getsockname()[1]}/"), slot())
        thread.join()
    assert failed.value.reason == "tls: not TLS"
