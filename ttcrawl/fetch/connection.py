"""urllib3 connections that go to permitted addresses only and tell the exchange which socket they use."""

from __future__ import annotations

import http.client
import socket
import ssl
from typing import Any

import urllib3
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError

from ttcrawl.fetch.addresses import AddressBook
from ttcrawl.fetch.exchange import Exchanges


class FinalResponse(http.client.HTTPResponse):
    """The final response: http.client skips 100 before it, but no other interim one (RFC 9110 section 15.2)."""

    def _read_status(self) -> tuple[str, int, str]:
        while True:
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if not 100 < status < 200 or status == 101:
                return version, status, reason
            http.client.parse_headers(self.fp)


def connection_classes(book: AddressBook, exchanges: Exchanges) -> tuple[type[HTTPConnection], type[HTTPSConnection]]:
    """The connection classes of one fetch process, which connect to what `book` permits."""

    class Watched:
        """Mixed into urllib3's connections, in front of them."""

        sock: socket.socket | None
        host: str
        port: int
        _dns_host: str
        peer = ""

        def _new_conn(self) -> socket.socket:
            exchanges.depart()
            name = self._dns_host.strip("[]")
            try:
                addresses = book.addresses(name, self.port)
            except socket.gaierror as error:
                raise NameResolutionError(self.host, self, error) from error  # type: ignore[arg-type]
            sock = self._first_of(addresses)
            try:
                self.peer = sock.getpeername()[0]
                book.check(name, self.peer)
            except BaseException:
                sock.close()
                raise
            exchanges.using(sock, self.peer)
            return sock

        def _first_of(self, addresses: list[str]) -> socket.socket:
            """Connected to the first address that answers. Raises as urllib3 does for the last one."""
            name = self._dns_host
            try:
                for place, address in enumerate(addresses, start=1):
                    self._dns_host = address
                    try:
                        sock: socket.socket = super()._new_conn()  # type: ignore[misc]
                        return sock
                    except (ConnectTimeoutError, NewConnectionError):
                        if place == len(addresses):
                            raise
            finally:
                self._dns_host = name  # the name stays that of the certificate and of Host
            raise AssertionError("a host without addresses")

        def send(self, data: Any) -> None:
            if self.sock is not None:
                exchanges.using(self.sock, self.peer)
            exchanges.depart()
            super().send(data)  # type: ignore[misc]

    class Plain(Watched, HTTPConnection):
        response_class = FinalResponse

    class Secure(Watched, HTTPSConnection):
        response_class = FinalResponse

    return Plain, Secure


class Pools:
    """The kept-alive connections of one fetch process, by scheme, host and port; the least recently used go first."""

    def __init__(
        self, book: AddressBook, exchanges: Exchanges, *, threads: int, verify_tls: bool, kept: int = 256
    ) -> None:
        self._plain, self._secure = connection_classes(book, exchanges)
        self._context = tls_context(verify_tls)  # one for all: loading the CA store takes 20 ms
        self._threads = threads
        self._kept = kept
        self._pools: dict[str, HTTPConnectionPool] = {}

    def of(self, origin: str) -> HTTPConnectionPool:
        """The pool of an origin as it stands in a canonical URL, such as "https://a.test:8443"."""
        pool = self._pools.pop(origin, None) or self._new(origin)
        self._pools[origin] = pool
        if len(self._pools) > self._kept:
            self._drop_oldest()
        return pool

    def _new(self, origin: str) -> HTTPConnectionPool:
        scheme, _, authority = origin.partition("://")
        host, port = split_port(authority)
        if scheme == "https":
            secure = HTTPSConnectionPool(host, port, maxsize=self._threads, ssl_context=self._context)
            secure.ConnectionCls = self._secure
            return secure
        plain = HTTPConnectionPool(host, port, maxsize=self._threads)
        plain.ConnectionCls = self._plain
        return plain

    def _drop_oldest(self) -> None:
        # Connections in use are closed by the response that uses them, when it is done.
        try:
            self._pools.pop(next(iter(self._pools))).close()
        except (KeyError, StopIteration, RuntimeError):
            return  # another thread was faster


def tls_context(verify: bool) -> ssl.SSLContext:
    """The system's CA store (or what SSL_CERT_FILE names) and all checks, or none of them."""
    context = ssl.create_default_context()
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)  # the user knows, and asked for it
    return context


def split_port(authority: str) -> tuple[str, int | None]:
    """("a.test", 8080) of "a.test:8080"; the port is None where it is the scheme's own."""
    if authority.startswith("["):
        host, _, rest = authority.partition("]")
        return host + "]", int(rest[1:]) if rest else None
    host, colon, port = authority.partition(":")
    return host, int(port) if colon else None
