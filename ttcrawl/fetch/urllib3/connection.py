"""urllib3's connections, which connect to permitted addresses only and report their socket."""

from __future__ import annotations

import socket
import ssl
from typing import Any, TypeAlias

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError
from urllib3.util.ssltransport import SSLTransport

from ttcrawl.fetch.addresses import AddressBook
from ttcrawl.fetch.unsent import discard_unsent
from ttcrawl.fetch.urllib3.in_flight import Requests
from ttcrawl.fetch.urllib3.received import received_by

#: For http, for https.
Classes: TypeAlias = tuple[type[HTTPConnection], type[HTTPSConnection]]


class Watched:
    """A mixin for urllib3's connections, placed before them. They connect to addresses that `book` permits, register
    their socket with the request in flight, and receive its response. What is unsent ends with them."""

    book: AddressBook
    requests: Requests
    host: str
    port: int
    sock: socket.socket | SSLTransport | None
    _dns_host: str
    peer = ""
    _carried: Any = None  # the socket of the last request
    response_class: Any

    def _new_conn(self) -> socket.socket:
        self.requests.depart()
        name = self._dns_host.strip("[]")
        try:
            addresses = self.book.addresses(name, self.port, self.requests.pinned)
        except socket.gaierror as error:
            raise NameResolutionError(self.host, self, error) from error  # type: ignore[arg-type]
        sock = self._first_of(addresses)
        try:
            self.peer = sock.getpeername()[0]
            self.book.check(name, self.peer)
        except BaseException:
            sock.close()
            raise
        self.requests.using(sock, self.peer)
        return sock

    def _first_of(self, addresses: list[str]) -> socket.socket:
        """Connect to the first address that accepts. If all fail, raises as urllib3 does for the last one."""
        name = self._dns_host
        try:
            for number, address in enumerate(addresses, start=1):
                self._dns_host = address
                try:
                    sock: socket.socket = super()._new_conn()  # type: ignore[misc]
                    return sock
                except (ConnectTimeoutError, NewConnectionError):
                    if number == len(addresses):
                        raise
        finally:
            self._dns_host = name  # the certificate and the Host header use the name
        raise AssertionError("a host without addresses")

    def send(self, data: Any) -> None:
        in_flight = self.requests.current
        if in_flight.requested:
            in_flight.sent = in_flight.sent or data
        if self.sock is not None:
            # TLS within a proxy's TLS is not a socket, but contains one
            self.requests.using(self.sock.socket if isinstance(self.sock, SSLTransport) else self.sock, self.peer)
        self.requests.depart()
        super().send(data)  # type: ignore[misc]

    def endheaders(self, *args: Any, **options: Any) -> None:
        in_flight = self.requests.current
        in_flight.requested = True
        in_flight.exchange.reused = self.sock is not None and self.sock is self._carried
        super().endheaders(*args, **options)  # type: ignore[misc]
        self._carried = self.sock
        in_flight.exchange.requests += 1
        in_flight.response.tls, in_flight.response.cipher = _security(self.sock)

    def close(self) -> None:
        discard_unsent(self.sock.fileno() if self.sock is not None else -1)
        super().close()  # type: ignore[misc]


def connection_classes(book: AddressBook, requests: Requests) -> Classes:
    """The connection classes of one fetch process."""
    own = {"book": book, "requests": requests, "response_class": received_by(requests)}
    return type("Plain", (Watched, HTTPConnection), own), type("Secure", (Watched, HTTPSConnection), own)


def _security(sock: socket.socket | SSLTransport | None) -> tuple[str, str]:
    """(Version of TLS as in WARC-Protocol, name of the cipher suite in the registry of IANA); "" if it has none."""
    if not isinstance(sock, ssl.SSLSocket | SSLTransport):
        return "", ""
    version = (sock.version() or "").removeprefix("TLSv")
    cipher = (sock.cipher() or ("",))[0]
    # before TLS 1.3 OpenSSL has names of its own
    return f"tls/{version}" if version else "", cipher if cipher.startswith("TLS_") else ""
