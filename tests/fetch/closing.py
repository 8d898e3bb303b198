"""A server that closes connections which its answers say it keeps; and a log of what each of them carried."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.support.web.listening import listening

PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s"

#: Sent to a client that waited too long with its request: RFC 9110 section 15.5.9.
TIMED_OUT = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

#: Path -> page.
Pages = Callable[[str], bytes]


@dataclass(slots=True, kw_only=True)
class Manner:
    """How it closes; it may change, for connections that come then."""

    carries: int = 1 << 30  # requests a connection, each of which is answered
    reads: bool = False  # it reads one more, and does not answer that
    idle: float = 60.0  # seconds without a request, then it closes
    reset: bool = False  # with RST
    last: bytes = b""  # what it says before
    more: bytes = b""  # what comes a moment behind each answer


@dataclass(slots=True, kw_only=True)
class Log:
    port: int = 0
    paths: list[list[str]] = field(default_factory=list)  # of the requests that were read, one list a connection
    times: list[float] = field(default_factory=list)  # when each was read

    @property
    def read(self) -> list[str]:
        return [path for connection in self.paths for path in connection]


@contextlib.contextmanager
def closing(manner: Manner, pages: Pages = lambda path: b"page", tls: ssl.SSLContext | None = None) -> Iterator[Log]:
    """One thread a connection."""
    log = Log()

    def serve(plain: socket.socket) -> None:
        paths: list[str] = []
        log.paths.append(paths)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = tls.wrap_socket(plain, server_side=True) if tls else plain
        _converse(connection, manner, paths, pages, log.times)
        connection.sendall(manner.last)
        if manner.reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    with listening(serve) as log.port:
        yield log


def _converse(connection: socket.socket, manner: Manner, paths: list[str], pages: Pages, times: list[float]) -> None:
    received, carries = b"", manner.carries
    while len(paths) < carries + manner.reads:
        connection.settimeout(manner.idle)
        while b"\r\n\r\n" not in received:
            try:
                data = connection.recv(65536)
            except TimeoutError:
                return
            if not data:
                return
            received += data
        request, _, received = received.partition(b"\r\n\r\n")
        method, target, _ = request.split(b" ", 2)
        paths.append(target.decode())
        times.append(time.time())
        if len(paths) <= carries:
            page = pages(target.decode())
            connection.sendall(PAGE % (len(page), b"" if method == b"HEAD" else page))
            if manner.more:
                time.sleep(0.02)
                connection.sendall(manner.more)


def site(count: int) -> Pages:
    """A start page with links to so many pages; there is no robots.txt."""
    links = b"".join(b'<a href="/%d">%d</a>\n' % (number, number) for number in range(count))
    return lambda path: links if path == "/" else b"User-agent: *\n" if path == "/robots.txt" else path.encode()
