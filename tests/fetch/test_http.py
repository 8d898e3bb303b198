"""One GET against servers of every kind: the reason is right, nothing raises, nothing lasts."""

import pickle
import socket
import threading
import time

import pytest

from tests.site import Answer, Web, page
from ttcrawl.config import read
from ttcrawl.fetch.http import NotFetched, Transport
from ttcrawl.messages import HEAD_ROOM

PAGES = {
    ("a.test", "/"): Answer(body=page("/x")),
    ("a.test", "/404"): Answer(status=404, body=b"no"),
    ("a.test", "/large"): Answer(body=b"x" * 5000),
    ("a.test", "/large-unsaid"): Answer(fate="raw", body=b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 5000),
    ("a.test", "/close"): Answer(fate="close"),
    ("a.test", "/reset"): Answer(fate="reset"),
    ("a.test", "/stall"): Answer(fate="stall"),
    ("a.test", "/drip"): Answer(body=b"x" * 100, drip=0.1),
    ("a.test", "/short"): Answer(body=b"x" * 100, length=200),
    ("a.test", "/noise"): Answer(fate="raw", body=b"\x00\x01\x02 not http\r\n\r\n"),
    ("a.test", "/endless-number"): Answer(
        fate="raw", body=b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999999\r\n\r\nx"
    ),
    ("a.test", "/heads"): Answer(
        fate="raw",
        body=b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: %s\r\n" % (n, b"y" * 60_000) for n in range(20)) + b"\r\n",
    ),
    ("a.test", "/many-heads"): Answer(fate="raw", body=b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000 + b"\r\n"),
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


def slot():
    return memoryview(bytearray(HEAD_ROOM + 4096))


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/close", "disconnected"),
        ("/reset", "reset"),
        ("/stall", "timeout: read"),
        ("/drip", "timeout: total"),
        ("/short", "truncated"),
        ("/noise", "protocol"),
        ("/endless-number", None),
        ("/heads", "headers too large"),
        ("/many-heads", "protocol"),
    ],
)
def test_reasons(web, transport, path, reason):
    began = time.time()
    if reason is None:
        answer = transport.get(web.url("a.test", path), slot(), 0.0)
        assert answer.refused
        return
    with pytest.raises(NotFetched) as failed:
        transport.get(web.url("a.test", path), slot(), 0.0)
    assert failed.value.reason == reason
    assert began <= failed.value.started and time.time() - began < 2


def test_an_answer(web, transport):
    room = slot()
    for _ in range(3):
        answer = transport.get(web.url("a.test", "/"), room, 0.0)
    head = pickle.loads(room[: answer.head_size])
    assert (answer.status, head.status, head.phrase, answer.address) == (200, 200, "OK", "127.0.0.1")
    assert bytes(room[HEAD_ROOM : HEAD_ROOM + answer.body_size]) == PAGES["a.test", "/"].body
    assert not answer.refused and answer.started < answer.ended
    assert transport.get(web.url("a.test", "/404"), room, 0.0).status == 404


@pytest.mark.parametrize("path", ["/large", "/large-unsaid"])
def test_a_large_body_is_not_kept_and_the_next_answer_is_right(web, transport, path):
    room = slot()
    answer = transport.get(web.url("a.test", path), room, 0.0)
    assert answer.refused and answer.body_size == 0
    assert transport.get(web.url("a.test", "/404"), room, 0.0).body_size == 2


def test_no_packet_leaves_before_its_moment(web, transport):
    room = slot()
    for wait in (0.0, 0.0005, 0.01, 0.1):
        moment = time.time() + wait
        answer = transport.get(web.url("a.test", "/"), room, moment)
        assert answer.started >= moment
        assert web.log()[-1].arrived >= moment


def test_unknown_and_deaf_hosts(transport):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    with pytest.raises(NotFetched) as failed:
        transport.get(f"http://127.0.0.1:{port}/", slot(), 0.0)
    assert failed.value.reason == "refused"
    with pytest.raises(NotFetched) as failed:
        transport.get("http://nowhere.invalid/", slot(), 0.0)
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
            transport.get(f"https://127.0.0.1:{server.getsockname()[1]}/", slot(), 0.0)
        thread.join()
    assert failed.value.reason == "tls"
