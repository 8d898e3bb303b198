"""Through every kind of proxy to the same servers; whose fault a failure is, and whom a proxy is not asked for."""

import contextlib
import socket
import ssl
import threading
import time

import pytest

from tests.fetch.proxied import transport_to
from tests.fetch.requests import asked
from tests.fetch.tls import tls_server
from tests.fetch.transports import new_transport
from tests.support.web.proxies import BASIC, PASSWORD, USER, running
from tests.support.web.site import Answer, Web
from ttcrawl.config import read
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.ring.messages import HEAD_ROOM

pytestmark = pytest.mark.usefixtures("transports")

SCHEMES = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
HERE = ("socks4", "socks5")  # names are looked up by us
LOGIN = "m%C3%A9:p%3Aw@"
assert (USER, PASSWORD) == ("mé", "p:w")


@pytest.fixture(scope="module")
def web(transports):
    with Web(
        {("a.test", "/x%20y?z=%7C"): Answer(body=b"there"), ("b.test", "/"): Answer(status=407, body=b"b")}
    ) as web:
        yield web


def context(ca, *names):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert(*names).configure_cert(made)
    return made


@contextlib.contextmanager
def proxied(scheme, ca, *, login=False, credentials="", **keys):
    """A proxy, and a transport that goes through it; `keys` are of fetch."""
    tls = context(ca, "127.0.0.1") if scheme == "https" else None
    with running(scheme, login=login, tls=tls) as server:
        yield server, transport_to(f"{scheme}://{credentials}127.0.0.1:{server.port}", **keys)


def outcome(transport, url, not_before=0.0, address=""):
    """Status, address and body; or the reason."""
    slot = memoryview(bytearray(HEAD_ROOM + (10 << 20)))
    try:
        answer = transport.get(asked(url, not_before, address=address), slot)
    except NotFetched as error:
        return error.reason, error.detail
    return answer.status, answer.address, bytes(slot[HEAD_ROOM : HEAD_ROOM + answer.body_size])


@pytest.fixture
def alone():
    """libcurl does not hand requests over to urllib3, whose threads are started when they are needed."""
    before = set(threading.enumerate())
    yield
    started = [each.name for each in threading.enumerate() if each not in before]
    assert not [name for name in started if name.startswith("ThreadPoolExecutor")]


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("login", [False, True], ids=["open", "login"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_plain_and_tls_through_every_proxy(scheme, login, ca, web):
    seen = "127.0.0.1" if scheme in HERE else ""  # the address of the host, never that of the proxy
    user = LOGIN.replace(":p%3Aw", "") if scheme.startswith("socks4") else LOGIN
    with (
        tls_server(context(ca, "a.test"), "127.0.0.1") as port,
        proxied(scheme, ca, login=login, credentials=user if login else "") as (server, transport),
    ):
        url = web.url("a.test", "/x%20y?z=%7C")
        departs = time.time() + 0.1
        assert outcome(transport, url, departs, seen) == (200, seen, b"there")
        assert time.time() >= departs
        assert outcome(transport, url, address=seen) == (200, seen, b"there")  # over a connection that was kept
        assert outcome(transport, f"https://a.test:{port}/", address=seen) == (200, seen, b"ok")
    if scheme.startswith("http"):
        assert server.log == [f"GET {url}"] * 2 + [f"CONNECT a.test:{port}"]
    else:
        version, name = scheme[5], "127.0.0.1" if scheme in HERE else "a.test"
        asked = [each for each in server.log if "::1" not in each]
        assert asked == [f"{version} {name}:{web.port}", f"{version} {name}:{port}"]


class Recorded(threading.Thread):
    """A forwarding proxy that keeps what it is sent, and answers 200 to all of it, also to CONNECT."""

    def __init__(self):
        super().__init__()
        self.server, self.wire = socket.create_server(("127.0.0.1", 0)), []
        self.port = self.server.getsockname()[1]

    def run(self):
        with contextlib.suppress(OSError):
            while True:
                with self.server.accept()[0] as connection:
                    self.wire.append(connection.recv(65536))
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()
        self.join()


def test_what_a_forwarding_proxy_is_sent_is_archived():
    with Recorded() as proxy:
        slot = memoryview(bytearray(HEAD_ROOM + (10 << 20)))
        transport = transport_to(f"http://{LOGIN}127.0.0.1:{proxy.port}")
        answer = transport.get(asked("http://a.test/x?y", headers=(("If-None-Match", '"1"'),)), slot)
    basic = BASIC.encode()
    assert proxy.wire[0].count(basic) == 1 and b"proxy-connection" not in proxy.wire[0].lower()
    assert [answer.head.request] == [each.replace(basic, b"(removed)") for each in proxy.wire]


def test_a_tunnel_is_opened_without_what_is_for_the_host():
    with Recorded() as proxy:
        transport = transport_to(f"http://{LOGIN}127.0.0.1:{proxy.port}", login="a.test=me:secret")
        request = asked("https://a.test/", headers=(("Cookie", "a=1"),))
        with pytest.raises(NotFetched):
            transport.get(request, memoryview(bytearray(HEAD_ROOM + (10 << 20))))
    (connect,) = proxy.wire
    first, *lines = connect.decode().rstrip().split("\r\n")
    assert first.startswith("CONNECT a.test:443 HTTP/1.")
    assert [line for line in lines if line != "Host: a.test:443"] == [f"Proxy-Authorization: {BASIC}"]


def test_addresses_that_socks4_cannot_reach(ca):
    with proxied("socks4", ca) as (server, transport):
        assert outcome(transport, "http://a.test/", address="2600::1")[0] == "proxy" and server.log == []


@pytest.mark.parametrize("scheme", ["http", "https", "socks4a", "socks5h"])
def test_a_silent_proxy_is_to_blame(scheme, ca):
    with proxied(scheme, ca, connect_timeout="0.3", read_timeout="0.3") as (_, transport), enforced(transport):
        assert outcome(transport, "https://stall.test:1/")[0] == "proxy"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_host_that_resets_the_connection_behind_a_proxy(scheme, ca):
    """The proxy has connected to it, and is not to blame."""
    server = socket.create_server(("127.0.0.1", 0))

    def reset():
        for _ in range(2):  # a request is sent again over a new connection
            with contextlib.suppress(OSError), server.accept()[0] as connection:
                connection.recv(1)

    thread = threading.Thread(target=reset, daemon=True)
    thread.start()
    with proxied(scheme, ca) as (_, transport), server:
        url = f"https://a.test:{server.getsockname()[1]}/"
        assert outcome(transport, url, address="127.0.0.1")[0] in ("tls", "connection reset", "network", "disconnected")
        server.shutdown(socket.SHUT_RDWR)
    thread.join()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_certificate_is_that_of_the_host(scheme, ca):
    with tls_server(context(ca, "other.test"), "127.0.0.1") as port, proxied(scheme, ca) as (_, transport):
        assert outcome(transport, f"https://b.test:{port}/")[0] == "tls: name mismatch"


def test_a_proxy_with_a_bad_certificate(ca):
    with running("https", tls=context(ca, "elsewhere.test")) as server:
        transport = transport_to(f"https://127.0.0.1:{server.port}")
        assert [outcome(transport, f"{scheme}://a.test/")[0] for scheme in ("http", "https")] == ["proxy", "proxy"]
        assert server.log == []


@pytest.mark.parametrize("target", ["http", "https"])
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("place", ["127.0.0.1:1", "nowhere.invalid:80"])
def test_a_proxy_that_cannot_be_reached(scheme, target, place):
    assert outcome(transport_to(f"{scheme}://{place}"), f"{target}://a.test/")[0] == "proxy"


@pytest.mark.parametrize("target", ["http", "https"])
@pytest.mark.parametrize("scheme", ["http", "https", "socks5h"])
@pytest.mark.parametrize("credentials", ["", "other:word@"])
def test_a_proxy_that_wants_another_login(scheme, target, credentials, ca):
    with proxied(scheme, ca, login=True, credentials=credentials) as (_, transport):
        reason, detail = outcome(transport, f"{target}://a.test:1/")
        assert reason == "proxy" and ("407" in detail or "SOCKS5" in detail or "authentication" in detail), detail


@pytest.mark.parametrize("scheme", ["socks4a", "socks5h", "http"])
def test_a_host_that_the_proxy_cannot_reach(scheme, ca):
    with proxied(scheme, ca) as (_, transport):
        assert outcome(transport, "https://a.nowhere.test/")[0] == "proxy"
        assert outcome(transport, "https://a.test:1/")[0] == "proxy"  # nobody listens there


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_a_host_behind_a_proxy_that_does_not_speak_tls(scheme, ca):
    """The handshake comes after CONNECT, and its failure is that of the host."""
    with socket.create_server(("127.0.0.1", 0)) as server, proxied(scheme, ca) as (_, transport):

        def answer():
            with server.accept()[0] as connection:
                connection.recv(10_000)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        reason, _ = outcome(transport, f"https://a.test:{server.getsockname()[1]}/", address="127.0.0.1")
        thread.join()
    assert reason == "tls: not TLS"


def test_407_of_a_host_that_no_proxy_forwards(ca, web):
    with proxied("socks5", ca) as (_, transport):
        assert outcome(transport, web.url("b.test", "/"))[0] == 407


@pytest.mark.parametrize(
    ("host", "reason"),
    [
        ("127.0.0.1", "blocked address"),
        ("10.1.2.3", "blocked address"),
        ("[::ffff:7f00:1]", "blocked address"),
        ("localhost", "blocked address"),
        ("x.localhost.", "blocked address"),
        ("localhost.test", 200),
        ("a.test", 200),
        ("127.0.0.2", 200),  # named
    ],
)
@pytest.mark.parametrize("scheme", ["http", "socks5h"])
def test_hosts_whose_name_says_that_they_are_private(scheme, host, reason, ca):
    pages = {(each, "/"): Answer(body=b"x") for each in (host, "other.test")}  # at 127.0.0.1 and 127.0.0.2
    with proxied(scheme, ca) as (server, _), Web(pages) as web:
        config = read(None, [("fetch.proxy", f"{scheme}://127.0.0.1:{server.port}"), ("safety.allow", "127.0.0.2")])
        assert outcome(new_transport(config), web.url(host, "/"))[0] == reason
        assert bool(server.log) == (reason == 200)


@pytest.mark.parametrize("scheme", HERE)
def test_private_addresses_are_refused_when_names_are_looked_up_here(scheme, ca):
    with proxied(scheme, ca) as (server, transport):
        assert outcome(transport, "http://c.test/")[0] == "blocked address" and server.log == []


@pytest.mark.parametrize("host", ["a" * 64 + ".test", "a..test", "a." * 64 + "test"])
def test_names_that_a_socks_proxy_cannot_be_told(host, ca):
    with proxied("socks5h", ca) as (server, transport):
        assert outcome(transport, f"http://{host}/")[0] == "dns" and server.log == []


@contextlib.contextmanager
def enforced(transport):
    """As a fetch process does."""
    stop = threading.Event()

    def enforce():
        while not stop.wait(0.05):
            transport.enforce()

    thread = threading.Thread(target=enforce)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@pytest.mark.parametrize("target", ["http", "https"])
@pytest.mark.parametrize("scheme", ["http", "https", "socks4a", "socks5h"])
def test_a_silent_proxy_meets_the_deadline(scheme, target, ca):
    with proxied(scheme, ca, total_timeout="0.3", connect_timeout="9") as (_, transport), enforced(transport):
        begun = time.monotonic()
        assert outcome(transport, f"{target}://stall.test:1/")[0] == "timeout: total"
        assert time.monotonic() - begun < 8


@pytest.mark.parametrize(
    ("scheme", "begin"), [("http", b"HTTP/1.1 200 OK\r\nX: "), ("socks5h", b"\x05\x00\x05\x00\x00\x03\xff")]
)
def test_a_proxy_that_talks_without_end_meets_it_too(scheme, begin):
    server = socket.create_server(("127.0.0.1", 0))

    def drip():
        with contextlib.suppress(OSError), server.accept()[0] as connection:
            connection.sendall(begin)
            while True:
                connection.sendall(b"x")
                time.sleep(0.05)

    thread = threading.Thread(target=drip)
    thread.start()
    place = f"{scheme}://127.0.0.1:{server.getsockname()[1]}"
    transport = transport_to(place, total_timeout="0.5", connect_timeout="9")
    with server, enforced(transport):
        begun = time.monotonic()
        assert outcome(transport, "https://a.test/")[0] == "timeout: total"
        assert time.monotonic() - begun < 8
    thread.join()


def test_tls_in_tls_that_stalls_is_cut_off(ca):
    """There the connection is no socket (urllib3's SSLTransport), and still ends at its deadline."""
    stop = threading.Event()
    server = socket.create_server(("127.0.0.1", 0))

    def silent():
        with context(ca, "a.test").wrap_socket(server.accept()[0], server_side=True) as connection:
            connection.recv(65536)
            stop.wait(9)

    thread = threading.Thread(target=silent)
    thread.start()
    with proxied("https", ca, total_timeout="0.5", read_timeout="9") as (_, transport), enforced(transport), server:
        begun = time.monotonic()
        assert outcome(transport, f"https://a.test:{server.getsockname()[1]}/")[0] == "timeout: total"
        assert time.monotonic() - begun < 8
    stop.set()
    thread.join()
