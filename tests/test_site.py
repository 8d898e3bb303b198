"""The test web itself, asked through raw sockets and urllib3."""

from __future__ import annotations

import re
import socket
import ssl
import time
from urllib.parse import urljoin

import pytest
import trustme
import urllib3

from tests.support.faults.killing import until
from tests.support.web.certificates import pem
from tests.support.web.mesh import mesh
from tests.support.web.site import HELLO, Answer, Web, at, moved, page, robots

PAGES = {
    ("a.test", "/"): Answer(body=page("/x?q=1&r=2", at("b.test", "/"), title="A < B")),
    ("a.test", "/late"): Answer(body=b"late", delay=0.2),
    ("a.test", "/drip"): Answer(body=b"12345", drip=0.05),
    ("a.test", "/short"): Answer(body=b"12345", length=10),
    ("a.test", "/close"): Answer(fate="close"),
    ("a.test", "/reset"): Answer(fate="reset"),
    ("a.test", "/stall"): Answer(fate="stall"),
    ("a.test", "/half"): Answer(fate="stall", body=b"half"),
    ("a.test", "/endless"): Answer(body=b"begin", more=b"x", times=-1),
    ("a.test", "/three"): Answer(more=b"abc", times=3),
    ("a.test", "/half-reset"): Answer(fate="reset", body=b"half"),
    ("a.test", "/raw-reset"): Answer(fate="raw reset", body=b"HTTP/1.1 2"),
    ("a.test", "/raw-stall"): Answer(fate="raw stall", body=b"HTTP/1.1 2"),
    ("b.test", HELLO): Answer(fate="raw", body=b"no TLS"),
    ("a.test", "/raw"): Answer(fate="raw", body=b"SSH-2.0-what\r\n"),
    ("a.test", "/teapot"): Answer(status=418, headers=(("Content-Type", "text/x-tea"), ("X-Pot", "1"))),
    ("a.test", "/odd"): Answer(status=799),
    ("a.test", "/then"): (Answer(status=503), Answer(body=b"again"), Answer(body=b"for ever")),
    ("b.test", "/"): moved(at("a.test", "/")),
    ("b.test", "/robots.txt"): robots("User-agent: *", "Disallow: /"),
}


@pytest.fixture(scope="module")
def web():
    with Web(PAGES) as running:
        yield running


def ask(web: Web, host: str, path: str, first: float = 60.0, others: float = 60.0) -> bytes:
    """All that comes until the server closes; b"...<timeout>" when nothing more comes for so many seconds."""
    with socket.create_connection((web.address, web.port), first) as peer:
        peer.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{web.port}\r\nUser-Agent: raw/1\r\n\r\n".encode())
        received = b""
        try:
            while data := peer.recv(65536):
                received += data
                peer.settimeout(others)
        except TimeoutError:
            received += b"<timeout>"
        return received


def get(web: Web, host: str, path: str, method: str = "GET") -> urllib3.BaseHTTPResponse:
    pool = urllib3.HTTPConnectionPool(web.address, web.port, retries=False, timeout=60)
    return pool.request(method, path, headers={"Host": host, "User-Agent": "test/1"}, redirect=False)


def test_hosts_are_told_apart(web):
    assert get(web, "a.test", "/").status == 200
    assert get(web, "A.TEST", "/").status == 200
    answer = get(web, "b.test", "/")
    assert (answer.status, answer.headers["Location"]) == (301, web.url("a.test", "/"))
    assert get(web, "b.test", "/missing").status == 404
    assert get(web, "c.test", "/").status == 404
    assert get(web, "a.test", "/robots.txt").status == 404
    robots_txt = get(web, "b.test", "/robots.txt")
    assert (robots_txt.data, robots_txt.headers["Content-Type"]) == (b"User-agent: *\nDisallow: /\n", "text/plain")


def test_page_is_escaped_and_knows_the_port(web):
    text = get(web, "a.test", "/").data.decode()
    assert "<title>A &lt; B</title>" in text
    assert '<a href="/x?q=1&amp;r=2">' in text
    assert f'<a href="{web.url("b.test", "/")}">' in text


def test_headers_status_and_head(web):
    answer = get(web, "a.test", "/teapot")
    assert (answer.status, answer.headers["Content-Type"], answer.headers["X-Pot"]) == (418, "text/x-tea", "1")
    assert get(web, "a.test", "/odd").status == 799
    head = get(web, "a.test", "/late", "HEAD")
    assert (head.headers["Content-Length"], head.data) == ("4", b"")


def test_keep_alive_and_pipelining(web):
    request = f"GET /late HTTP/1.1\r\nHost: a.test:{web.port}\r\n\r\n".encode()
    with socket.create_connection((web.address, web.port), 2) as peer:
        peer.sendall(request + request[:20])
        time.sleep(0.05)
        peer.sendall(request[20:])
        received = b""
        while received.count(b"late") < 2:
            received += peer.recv(65536)
    assert received.count(b"HTTP/1.1 200 OK\r\n") == 2


def test_answers_in_turn(web):
    answers = [get(web, "a.test", "/then") for _ in range(4)]
    assert [answer.status for answer in answers] == [503, 200, 200, 200]
    assert [answer.data for answer in answers[1:]] == [b"again", b"for ever", b"for ever"]


@pytest.mark.slow
def test_broken_answers(web):
    assert ask(web, "a.test", "/close") == b""
    with pytest.raises(ConnectionResetError):
        ask(web, "a.test", "/reset")
    assert ask(web, "a.test", "/stall", first=0.3) == b"<timeout>"
    assert ask(web, "a.test", "/raw") == b"SSH-2.0-what\r\n"
    short = ask(web, "a.test", "/short")
    assert b"Content-Length: 10\r\n" in short and short.endswith(b"\r\n\r\n12345")
    half = ask(web, "a.test", "/half", others=0.3)
    assert b"Content-Length: 5\r\n" in half and half.endswith(b"\r\n\r\nhalf<timeout>")


def test_answers_in_parts_and_without_end(web):
    three = ask(web, "a.test", "/three")
    assert three.endswith(b"\r\n\r\nabcabcabc") and b"Content-Length" not in three
    assert ask(web, "a.test", "/raw-stall", others=0.3) == b"HTTP/1.1 2<timeout>"
    for path in ("/half-reset", "/raw-reset"):
        with pytest.raises(ConnectionResetError):
            ask(web, "a.test", path)
    with socket.create_connection((web.address, web.port), 2) as peer:
        peer.sendall(b"GET /endless HTTP/1.1\r\nHost: a.test\r\n\r\n")
        received = b""
        while len(received) < 10 << 20:
            received += peer.recv(1 << 20)
    assert received.partition(b"\r\n\r\n")[2].startswith(b"beginxxx")
    assert ask(web, "a.test", "/raw") == b"SSH-2.0-what\r\n", "the server goes on"


def test_tls_is_greeted_by_name_and_shows_certificates(web, tmp_path):
    with pytest.raises(ssl.SSLError), socket.create_connection((web.address, web.port), 2) as peer:
        ssl.create_default_context().wrap_socket(peer, server_hostname="b.test")
    assert web.log()[-1].host == "b.test"
    ca = trustme.CA()
    context = ssl.create_default_context(cadata=ca.cert_pem.bytes().decode())
    certificates = {host: pem("good", ca, host, tmp_path) for host in ("a.test", "b.test")}
    with Web({("b.test", "/"): Answer(body=b"b")}, certificates=certificates) as secure:
        for host, body in (("a.test", b"404"), ("b.test", b"b")):
            with socket.create_connection((secure.address, secure.port), 2) as peer:
                tls = context.wrap_socket(peer, server_hostname=host)
                tls.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
                assert body in tls.recv(65536)


def test_delay_and_drip_are_in_the_log(web):
    before, since = time.time(), len(web.log())
    get(web, "a.test", "/late")
    get(web, "a.test", "/drip")
    after = time.time()
    ask(web, "a.test", "/stall", first=0.1)
    until(lambda: len(web.log()) == since + 3)
    late, drip, stall = web.log()[since:]
    assert (late.host, late.path, late.status, late.agent) == ("a.test", "/late", 200, "test/1")
    assert before < late.arrived < late.arrived + 0.199 < late.answered < drip.arrived
    assert drip.arrived + 0.199 < drip.answered <= after
    assert (stall.answered, stall.status, stall.agent) == (None, 0, "raw/1")


@pytest.mark.slow
def test_answered_is_never_later_than_the_client_has_it(web):
    since, ended = len(web.log()), []
    for _ in range(200):
        get(web, "a.test", "/")
        ended.append(time.time())
    hits = web.log()[since:]
    assert all(hit.arrived <= hit.answered <= end for hit, end in zip(hits, ended, strict=True))


def test_port_in_use_is_said(web):
    with pytest.raises(RuntimeError, match="could not start"), Web({}, port=web.port):
        pass


def test_resolve_names_every_host(web):
    assert web.resolve == [f"a.test:{web.port}:127.0.0.1", f"b.test:{web.port}:127.0.0.2"]


def test_mesh_is_connected_and_repeatable():
    hosts = ["a.test", "b.test", "c.test"]
    pages = mesh(hosts, 40, seed=5)
    assert pages == mesh(hosts, 40, seed=5) != mesh(hosts, 40, seed=6)
    links = {
        key: re.findall(r'href="([^"]+)"', answer.body.decode()) + [value for _, value in answer.headers]
        for key, answer in pages.items()
    }
    seen, front = {("a.test", "/")}, [("a.test", "/")]
    while front:
        host, path = front.pop()
        if path.startswith("/private/"):
            continue
        for href in links.get((host, path), []):
            url = urljoin(f"http://{host}{path}", href.replace(":@PORT@", "").partition("#")[0])
            key = (url.split("/")[2], "/" + url.split("/", 3)[3])
            if key not in seen:
                seen.add(key)
                front.append(key)
    assert seen == {key for key in pages if key[1] != "/robots.txt"}
    kinds = [path.split("/")[1] for _, path in sorted(seen)]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "": 3, "p": 117, "old": 12, "away": 12, "gone": 12, "private": 12
    }  # fmt: skip
