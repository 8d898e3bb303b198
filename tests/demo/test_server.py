"""The demo server, over real sockets."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
import urllib3

from ttcrawl.demo.campus import Campus
from ttcrawl.demo.server import Server
from ttcrawl.demo.site import generate


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server(Campus(seed=5, crawl_delay=0.05)) as server:
        yield server


@pytest.fixture
def pool(server: Server) -> Iterator[urllib3.HTTPConnectionPool]:
    with urllib3.HTTPConnectionPool("127.0.0.1", server.port, retries=False, timeout=5) as pool:
        yield pool


def say(server: Server, text: bytes) -> bytes:
    """Everything that comes back for `text` until the server closes, which it has to."""
    with socket.create_connection((server.address, server.port), timeout=5) as client:
        client.sendall(text)
        answer = b""
        while data := client.recv(1 << 16):
            answer += data
        return answer


@pytest.mark.slow
def test_pages_come_over_one_connection(pool: urllib3.HTTPConnectionPool) -> None:
    site = generate(5)
    for path, body in list(site.pages.items())[:50]:
        answer = pool.request("GET", path)
        assert (answer.status, answer.data) == (200, body)
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert answer.headers["ETag"].startswith('"')
        assert answer.headers["Last-Modified"].endswith("GMT")
    assert pool.num_connections == 1


@pytest.mark.slow
def test_robots_missing_and_forbidden(pool: urllib3.HTTPConnectionPool) -> None:
    site = generate(5)
    assert pool.request("GET", "/robots.txt").data.decode() == site.robots(0.05)
    assert [pool.request("GET", path).status for path in (*site.missing, "/nothing")] == [404] * 5
    assert pool.request("GET", site.forbidden[0]).status == 403
    assert pool.num_connections == 1


@pytest.mark.slow
def test_head_has_the_length_and_no_body(pool: urllib3.HTTPConnectionPool) -> None:
    answer = pool.request("HEAD", "/")
    assert (answer.status, answer.data) == (200, b"")
    assert int(answer.headers["Content-Length"]) == len(generate(5).pages["/"])
    assert pool.request("GET", "/").data == generate(5).pages["/"]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),  # no Host, RFC 9112 section 3.2
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        (b"GET page HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\n\r\n", 405),
        (b"GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505),
        (b"GET /" + b"x" * 70_000, 431),
        (b"GET / HTTP/1.0\r\n\r\n", 200),
        (b"GET http://b.test/robots.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200),
    ],
)
def test_what_cannot_be_read_is_refused_and_closed(server: Server, text: bytes, status: int) -> None:
    assert say(server, text).startswith(f"HTTP/1.1 {status} ".encode())


def test_requests_sent_ahead_are_answered_in_order(server: Server) -> None:
    ahead = (
        b"GET /robots.txt HTTP/1.1\r\nHost: a.test\r\n\r\nGET /no HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n"
    )
    answer = say(server, ahead)
    assert answer.index(b"200 OK") < answer.index(b"404 Not Found")
    assert [(entry.host, entry.path, entry.status) for entry in server.log()[-2:]] == [
        ("a.test", "/robots.txt", 200),
        ("a.test", "/no", 404),
    ]


@pytest.mark.slow
def test_the_log_is_in_order_and_exchanges_are_short() -> None:
    with Server(Campus(seed=5)) as server, urllib3.HTTPConnectionPool("127.0.0.1", server.port) as pool:
        times = [time.time()]
        for path in ["/robots.txt", *list(generate(5).pages)[:300]]:
            pool.request("GET", path)
            times.append(time.time())
        log = server.log()
    assert len(log) == 301
    assert log[0][2:] == (f"127.0.0.1:{server.port}", "/robots.txt", 200)
    for sent, entry, received in zip(times[:-1], log, times[1:], strict=True):
        assert sent <= entry.arrived <= entry.answered <= received
    inside = sorted(entry.answered - entry.arrived for entry in log)
    assert inside[150] < 0.0005


@pytest.mark.slow
def test_a_slow_reader_gets_everything_and_counts_until_it_has_it(server: Server) -> None:
    body, count = generate(5).pages["/"], 600  # more than the buffers of both sockets hold
    with socket.create_connection((server.address, server.port), timeout=5) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: slow\r\n\r\n" * count)
        time.sleep(0.3)
        end = time.monotonic() + 10
        received = bytearray()
        while received.count(body[-200:], -1000) == 0 or received.count(b"HTTP/1.1 200 OK") < count:
            assert time.monotonic() < end
            received += client.recv(1 << 22)
    assert received.count(body) == count
    slow = [entry for entry in server.log() if entry.host == "slow"]
    assert len(slow) == count
    assert max(entry.answered - entry.arrived for entry in slow) > 0.2


@pytest.mark.slow
def test_a_port_in_use_is_an_error(server: Server) -> None:
    with pytest.raises(OSError), Server(Campus(seed=5), port=server.port):
        pass


@pytest.mark.slow
def test_it_ends_with_the_block() -> None:
    children = set(multiprocessing.active_children())
    with Server(Campus(seed=5)) as server:
        (child,) = set(multiprocessing.active_children()) - children
    assert not child.is_alive()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((server.address, server.port), timeout=1)


PARENT = """
import os, time
from ttcrawl.demo.campus import Campus
from ttcrawl.demo.server import Server

if __name__ == "__main__":
    with Server(Campus(seed=5)) as server:
        if os.fork():  # a sibling that holds the pipe open
            print(server.port, flush=True)
        time.sleep(20)
"""


@pytest.mark.slow
def test_it_ends_with_its_parent(tmp_path: object) -> None:
    script = os.path.join(str(tmp_path), "parent.py")
    with open(script, "w") as file:
        file.write(PARENT)
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    with subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True
    ) as parent:
        try:
            assert parent.stdout is not None
            port = int(parent.stdout.readline())
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            parent.kill()
            parent.wait()
            deadline = time.monotonic() + 5
            while time.monotonic() < deadline:
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                except OSError:
                    return
                time.sleep(0.1)
            pytest.fail("the server outlived its parent")
        finally:
            os.killpg(parent.pid, signal.SIGKILL)
