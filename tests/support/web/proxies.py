"""Proxies on loopback: real sockets, and a log of what they were asked.

Names that they look up end in .test. All are at 127.0.0.1, but for stall.test, about which they are silent for ever,
and those of .nowhere.test, which do not exist.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import http.server
import socket
import socketserver
import ssl
import struct
import threading
import time
from collections.abc import Iterator
from typing import Any

USER, PASSWORD = "mé", "p:w"
BASIC = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()


def find(name: str) -> str:
    """Raises OSError."""
    if name == "stall.test":
        time.sleep(60)
    if name.endswith(".nowhere.test"):
        raise OSError("unknown host")
    return "127.0.0.1" if name.endswith(".test") else name.strip("[]")


def pump(one: Any, other: Any) -> None:
    with contextlib.suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    for each in (one, other):
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


def join(one: Any, other: socket.socket) -> None:
    """Both ways, to the end of one of them."""
    back = threading.Thread(target=pump, args=(other, one))
    back.start()
    pump(one, other)
    back.join()
    other.close()


class Http(http.server.BaseHTTPRequestHandler):
    """Absolute form and CONNECT (RFC 9110 section 9.3.6, RFC 9112 section 3.2.2)."""

    protocol_version = "HTTP/1.1"
    server: Any

    def do_GET(self) -> None:
        if not self.welcome():
            return
        assert self.path.startswith("http://") and self.headers["Host"] == self.path.split("/")[2]
        authority, _, path = self.path.removeprefix("http://").partition("/")
        name, _, port = authority.rpartition(":")
        head = {name: value for name, value in self.headers.items() if not name.startswith("Proxy-")}
        try:
            upstream = http.client.HTTPConnection(find(name), int(port), timeout=10)
            upstream.request("GET", "/" + path, headers=head)
            answer = upstream.getresponse()
            body = answer.read()
        except OSError as error:
            self.send_error(502, str(error))
            return
        upstream.close()
        self.send_response_only(answer.status, answer.reason)
        for each in answer.getheaders():
            self.send_header(*each)
        self.end_headers()
        self.wfile.write(body)

    def do_CONNECT(self) -> None:
        if not self.welcome():
            return
        name, _, port = self.path.rpartition(":")
        try:
            upstream = socket.create_connection((find(name), int(port)), 10)
        except OSError as error:
            self.send_error(502, str(error))
            return
        self.send_response_only(200, "Connection established")
        self.end_headers()
        self.close_connection = True
        join(self.connection, upstream)

    def welcome(self) -> bool:
        self.server.log.append(f"{self.command} {self.path}")
        if self.server.login and self.headers["Proxy-Authorization"] != BASIC:
            self.send_error(407)
            return False
        return True

    def log_message(self, *about: Any) -> None:
        pass


class Socks(socketserver.StreamRequestHandler):
    """SOCKS 4, 4a and 5 (RFC 1928, RFC 1929), CONNECT alone."""

    server: Any

    def handle(self) -> None:
        with contextlib.suppress(OSError):
            asked = self.five() if self.rfile.read(1) == b"\x05" else self.four()
            if asked is None:
                return
            version, name, port = asked
            self.server.log.append(f"{version} {name}:{port}")
            try:
                upstream = socket.create_connection((find(name), port), 10)
            except OSError:
                self.wfile.write(b"\x05\x04\x00\x01" + bytes(6) if version == 5 else b"\x00\x5b" + bytes(6))
                return
            self.wfile.write(b"\x05\x00\x00\x01" + bytes(6) if version == 5 else b"\x00\x5a" + bytes(6))
            join(self.connection, upstream)

    def five(self) -> tuple[int, str, int] | None:
        offered = self.rfile.read(self.rfile.read(1)[0])
        method = 2 if self.server.login else 0
        if method not in offered:
            self.wfile.write(b"\x05\xff")
            return None
        self.wfile.write(bytes((5, method)))
        if method == 2:
            self.rfile.read(1)
            user, password = (self.rfile.read(self.rfile.read(1)[0]) for _ in range(2))
            welcome = (user.decode(), password.decode()) == (USER, PASSWORD)
            self.wfile.write(b"\x01\x00" if welcome else b"\x01\x01")
            if not welcome:
                return None
        kind = self.rfile.read(4)[3]
        if kind == 3:
            name = self.rfile.read(self.rfile.read(1)[0]).decode()
        else:
            family, size = (socket.AF_INET, 4) if kind == 1 else (socket.AF_INET6, 16)
            name = socket.inet_ntop(family, self.rfile.read(size))
        return 5, name, struct.unpack(">H", self.rfile.read(2))[0]

    def four(self) -> tuple[int, str, int] | None:
        port, address = struct.unpack(">xH4s", self.rfile.read(7))
        user = b"".join(iter(lambda: self.rfile.read(1), b"\0")).decode()
        name = socket.inet_ntoa(address)
        if address.startswith(b"\0\0\0"):
            name = b"".join(iter(lambda: self.rfile.read(1), b"\0")).decode()
        return (4, name, port) if not self.server.login or user == USER else None


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 100
    block_on_close = False

    def handle_error(self, *about: Any) -> None:
        pass  # a client that has had enough


@contextlib.contextmanager
def running(scheme: str, *, login: bool = False, tls: ssl.SSLContext | None = None) -> Iterator[Any]:
    """A proxy of this scheme: `port`, and `log` of what it was asked."""
    server: Any = _Server(("127.0.0.1", 0), Socks if scheme.startswith("socks") else Http)
    server.log, server.login, server.port = [], login, server.server_address[1]
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
