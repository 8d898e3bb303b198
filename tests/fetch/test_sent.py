"""Requests for the archive: what a proxy and a server over TLS were sent, without the password of the proxy."""

import base64
import contextlib
import ssl

import pytest
from msgspec.msgpack import Decoder

from tests.fetch.proxied import transport_to
from tests.fetch.requests import asked
from tests.fetch.tls import tls_connections
from tests.fetch.transports import Chosen, transport_for
from tests.support.web.proxies import PASSWORD, USER, running
from tests.support.web.site import Answer, Web
from ttcrawl.ring.messages import HEAD_ROOM, Head

pytestmark = pytest.mark.usefixtures("transports")

LOGIN = "m%C3%A9:p%3Aw@"
BASIC = base64.b64encode(f"{USER}:{PASSWORD}".encode())


def head(transport, url, **fields):
    slot = memoryview(bytearray(HEAD_ROOM + 4096))
    answer = transport.get(asked(url, **fields), slot)
    assert answer.status == 200
    return Decoder(Head).decode(slot[: answer.head_size])


@contextlib.contextmanager
def tls_log(ca):
    """(Port, the requests that a server over TLS was sent)."""
    context, log = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), []
    ca.issue_cert("a.test").configure_cert(context)

    def answer(secured):
        log.append(secured.recv(65536))
        secured.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")

    with tls_connections(context, "127.0.0.1", answer) as port:
        yield port, log


def test_over_tls_version_and_cipher_are_known_to_urllib3(ca):
    with tls_log(ca) as (port, log):
        kept = head(transport_for(port), f"https://a.test:{port}/x", headers=(("If-None-Match", '"1"'),))
    assert [kept.request] == log and b'\r\nIf-None-Match: "1"\r\n' in kept.request
    known = ("tls/1.3", "TLS_") if Chosen.name == "urllib3" else ("", "")
    assert (kept.tls, kept.cipher[:4]) == known


@pytest.mark.parametrize("scheme", ["http", "socks5h"])
def test_the_password_of_a_proxy_is_not_kept(scheme, ca):
    with running(scheme, login=True) as server, Web({("a.test", "/x"): Answer(body=b"there")}) as web:
        transport = transport_to(f"{scheme}://{LOGIN}127.0.0.1:{server.port}")
        url = web.url("a.test", "/x")
        for _ in range(2):  # the second over a connection that was kept
            plain = head(transport, url).request
        with tls_log(ca) as (port, log):
            tunneled = head(transport, f"https://a.test:{port}/y").request
    assert [tunneled] == log and tunneled.startswith(b"GET /y HTTP/1.1\r\n")
    if scheme == "http":
        assert plain.startswith(b"GET %b HTTP/1.1\r\n" % url.encode())
        assert b"\r\nProxy-Authorization: (removed)\r\n" in plain
    else:
        assert plain.startswith(b"GET /x HTTP/1.1\r\n") and b"uthorization" not in plain
    assert BASIC not in plain + tunneled


def test_head_and_get():
    with Web({("a.test", "/x"): Answer(body=b"there")}) as web:
        url = web.url("a.test", "/x")
        transport = transport_for(int(url.split(":")[2].split("/")[0]), head_first="yes")
        assert head(transport, url).request.startswith(b"GET /x HTTP/1.1\r\n")
