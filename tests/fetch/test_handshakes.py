"""Handshakes of TLS that fail: the reason says why, the same over both transports; and the lowest version."""

import contextlib
import socket
import ssl
import struct
import warnings

import pytest
from trustme import KeyType

from tests.fetch.proxied import transport_to
from tests.fetch.transports import TRANSPORTS, outcome, over, transport_for
from tests.support.cases import one_in
from tests.support.web.listening import listening
from tests.support.web.proxies import running
from ttcrawl.fetch.tls import of_tls

HELLO = b"\x16\x03\x00\x00\x2a\x02\x00\x00\x26\x03\x00" + bytes(32) + b"\x00\x00\x2f\x00"
#: A ServerHello of TLS 1.2 without the extension of RFC 5746.
LEGACY = b"\x16\x03\x03\x00\x2a\x02\x00\x00\x26\x03\x03" + bytes(32) + b"\x00\xc0\x2f\x00"
DENIED = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 3\r\n\r\nbad"


def alert(number):
    return b"\x15\x03\x01\x00\x02\x02%c" % number


def says(data):
    """A server that reads the first message, and says this before it closes."""

    def serve(connection):
        connection.recv(65536)
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):
            pass

    return serve


def first(data):
    """A server that says this before it reads."""

    def serve(connection):
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):
            pass

    return serve


def resets(connection):
    connection.recv(65536)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


#: Server -> the reason.
SERVERS = {
    "HTTP": (says(DENIED), "tls: not TLS"),
    "HTTP, at once": (first(DENIED), "tls: not TLS"),
    "SSH": (first(b"SSH-2.0-OpenSSH_9.2\r\n"), "tls: not TLS"),
    "mail": (first(b"220 mail ESMTP\r\n"), "tls: not TLS"),
    "a page without a head": (says(b"<html>page</html>"), "tls: not TLS"),
    "zeros": (says(bytes(100)), "tls: not TLS"),
    "SSL 3.0": (says(HELLO), "tls: protocol version"),
    "protocol version": (says(alert(70)), "tls: protocol version"),
    "no certificate": (says(alert(41)), "tls: client certificate"),
    "bad certificate": (says(alert(42)), "tls: client certificate"),
    "certificate required": (says(alert(116)), "tls: client certificate"),
    "handshake failure": (says(alert(40)), "tls: alert handshake failure"),
    "unrecognized name": (says(alert(112)), "tls: alert unrecognized name"),
    "internal error": (says(alert(80)), "tls: alert internal error"),
    "access denied": (says(alert(49)), "tls: alert access denied"),
    "an alert without a name": (says(alert(199)), "tls"),
    "closed": (says(b""), "disconnected"),
    "closed at once": (first(b""), "disconnected"),
    "closed in a record": (says(HELLO[:7]), "disconnected"),
    "reset": (resets, "reset"),
}


def server(serve_one):
    """Calls this with each connection; gives its port."""

    def serve(connection):
        connection.settimeout(10)
        serve_one(connection)

    return listening(serve, threads=False)


def reasons(serve_one, **keys):
    """Transport -> status or reason."""
    found = {}
    for name in TRANSPORTS:
        with server(serve_one) as port, over(name):
            found[name] = outcome(transport_for(port, read_timeout="5", **keys), f"https://a.test:{port}/")[0]
    return found


@pytest.mark.parametrize("case", one_in(2, SERVERS))
def test_servers(case):
    serve_one, reason = SERVERS[case]
    assert reasons(serve_one) == dict.fromkeys(TRANSPORTS, reason)


def secure(context):
    """A server that answers one request, and closes when the client has."""

    def serve(connection):
        with context.wrap_socket(connection.dup(), server_side=True) as secured:
            secured.recv(65536)
            secured.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")

    def served(connection):
        with contextlib.suppress(OSError):
            serve(connection)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):  # a reset would overtake the alert
            pass

    return served


def context(ca, version, ciphers="DEFAULT:@SECLEVEL=0", host="a.test", **options):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.set_ciphers(ciphers)
    ca.issue_cert(host, **options).configure_cert(made)
    with warnings.catch_warnings(action="ignore"):  # these versions are old
        made.minimum_version = made.maximum_version = version
    return made


V = ssl.TLSVersion
VERSIONS = {"1.0": V.TLSv1, "1.1": V.TLSv1_1, "1.2": V.TLSv1_2, "1.3": V.TLSv1_3}


@pytest.mark.parametrize("lowest", VERSIONS)
@pytest.mark.parametrize("spoken", VERSIONS)
def test_the_lowest_version(ca, spoken, lowest):
    expected = 200 if spoken >= lowest else "tls: protocol version"
    found = reasons(secure(context(ca, VERSIONS[spoken])), tls_minimum=lowest)
    assert found == dict.fromkeys(TRANSPORTS, expected)


#: Ciphers of a server -> what comes of them with the default, and with 1.0.
CIPHERS = {
    "ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA": (200, 200),
    "AES128-SHA": (200, 200),
    "ADH-AES128-SHA": ("tls: alert handshake failure", "tls: alert handshake failure"),
}


@pytest.mark.parametrize("ciphers", CIPHERS)
def test_ciphers(ca, ciphers):
    """Both transports offer the same."""
    made = context(ca, V.TLSv1_2, ciphers + ":@SECLEVEL=0", key_type=KeyType.RSA)
    for lowest, expected in zip(("1.2", "1.0"), CIPHERS[ciphers], strict=True):
        assert reasons(secure(made), tls_minimum=lowest) == dict.fromkeys(TRANSPORTS, expected)


@pytest.mark.parametrize(
    ("version", "reason"), [(V.TLSv1_2, "tls: alert handshake failure"), (V.TLSv1_3, "tls: client certificate")]
)
def test_a_server_that_wants_a_certificate(ca, version, reason):
    """In TLS 1.3 the alert comes behind the request; in TLS 1.2 OpenSSL's does not say what is missing."""
    wanting = context(ca, version)
    wanting.verify_mode = ssl.CERT_REQUIRED
    ca.configure_trust(wanting)
    assert reasons(secure(wanting)) == dict.fromkeys(TRANSPORTS, reason)


@pytest.mark.parametrize(("lowest", "reason"), [("1.0", 502), ("1.2", "proxy")])
@pytest.mark.parametrize("name", TRANSPORTS)
def test_an_https_proxy(ca, name, lowest, reason):
    """502: it was reached, and reaches nothing."""
    with running("https", tls=context(ca, V.TLSv1, host="127.0.0.1")) as proxy, over(name):
        transport = transport_to(f"https://127.0.0.1:{proxy.port}", tls_minimum=lowest)
        assert outcome(transport, "http://b.test:1/")[0] == reason


@pytest.mark.parametrize(("lowest", "reason"), [("1.0", "disconnected"), ("1.2", "tls: weak")])
def test_servers_from_before_secure_renegotiation(lowest, reason):
    """With 1.0 the handshake goes on, here to the end of the connection."""
    assert reasons(says(LEGACY), tls_minimum=lowest) == dict.fromkeys(TRANSPORTS, reason)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("error:0A00018A:SSL routines::dh key too small", "tls: weak"),
        ("[SSL: UNSAFE_LEGACY_RENEGOTIATION_DISABLED] unsafe legacy renegotiation disabled (_ssl.c:1006)", "tls: weak"),
        ("[SSL: TLSV1_ALERT_INTERNAL_ERROR] tlsv1 alert internal error (_ssl.c:1006)", "tls: alert internal error"),
        ("TLS connect error: error:0A0003E8:SSL routines::reason(1000)", "tls"),
        ("[SSL: BAD_SIGNATURE] bad signature (_ssl.c:1006)", "tls"),
        ("", "tls"),
    ],
)
def test_messages_of_openssl(message, reason):
    assert of_tls(message) == reason
