"""One GET against servers of every kind: the reason is right, nothing raises, nothing lasts."""

import pickle
import socket
import threading
import time

import pytest

from tests.site import Answer, Web, page
from ttcrawl.config import read
from ttcrawl.fetch.http import NotFetched, Transport
from ttcrawl.messages import HEAD_ROOM, PAGE, ROBOTS, Request


def raw(wire, **more):
    return Answer(fate="raw", body=wire, **more)


GOOD_LENGTHS = ("5", "05", "5, 5", " 5 ")
BAD_LENGTHS = ("-5", "+5", "0_5", "0x5", "five", "5.0", "5 5", "5, five", "five, 5", "5, 6", "5,", "\xb2")

PAGES = {
    ("a.test", "/"): Answer(body=page("/x")),
    ("a.test", "/404"): Answer(status=404, body=b"no"),
    ("a.test", "/large"): Answer(body=b"x" * 5000),
    ("a.test", "/large-unsaid"): Answer(fate="raw", body=b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 5000),
    ("a.test", "/close"): Answer(fate="close"),
    ("a.test", "/reset"): Answer(fate="reset"),
    ("a.test", "/stall"): Answer(fate="stall"),
    ("a.test", "/drip"): Answer(body=b"x" * 100, drip=0.1),
    ("a.test", "/drip-unsaid"): Answer(more=b"x", times=-1, drip=0.1),
    ("a.test", "/short"): Answer(body=b"x" * 100, length=200),
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
def web():
    with Web(PAGES) as web:
        yield web


@pytest.fixture(scope="module")
def transport(web):
    settings = {"resolve": " ".join([*web.resolve, "no.test:1:127.0.0.1"]), "max_body": "4096", "read_timeout": "0.3"}
    keys = [(f"fetch.{k}", v) for k, v in {**settings, "total_timeout": "1"}.items()]
    config = read(None, [*keys, ("safety.allow", "127.0.0.0/8")])
    transport = Transport(config, time.time)

    def enforce():
        while True:
            time.sleep(0.05)
            transport.exchanges.enforce()

    threading.Thread(target=enforce, daemon=True).start()
    return transport


def asked(url, not_before=0.0, kind=PAGE, headers=()):
    return Request(token=1, kind=kind, url=url, depth=0, not_before=not_before, headers=headers)


def slot():
    return memoryview(bytearray(HEAD_ROOM + 4096))


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/close", "disconnected"),
        ("/reset", "reset"),
        ("/stall", "timeout: read"),
        ("/drip", "timeout: total"),
        ("/drip-unsaid", "timeout: total"),  # and not the beginning of it as if it were whole
        ("/short", "truncated"),
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
    assert (answer.status, len(pickle.loads(room[: answer.head_size]).headers)) == (200, headers)


def test_an_answer(web, transport):
    room = slot()
    for _ in range(3):
        answer = transport.get(asked(web.url("a.test", "/")), room)
    head = pickle.loads(room[: answer.head_size])
    assert (answer.status, head.status, head.phrase, answer.address) == (200, 200, "OK", "127.0.0.1")
    assert bytes(room[HEAD_ROOM : HEAD_ROOM + answer.body_size]) == PAGES["a.test", "/"].body
    assert not answer.refused and answer.started < answer.ended
    assert transport.get(asked(web.url("a.test", "/404")), room).status == 404


@pytest.mark.parametrize("path", ["/large", "/large-unsaid"])
def test_a_large_body_is_not_kept_and_the_next_answer_is_right(web, transport, path):
    room = slot()
    answer = transport.get(asked(web.url("a.test", path)), room)
    assert answer.refused and answer.body_size == 0
    assert transport.get(asked(web.url("a.test", "/404")), room).body_size == 2


@pytest.mark.parametrize("path", ["/large", "/large-unsaid"])
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
    assert failed.value.reason == "refused"
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
    assert failed.value.reason == "tls"
