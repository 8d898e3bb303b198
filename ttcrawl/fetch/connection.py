"""urllib3 connections that know the addresses named by the user and tell the exchange which socket they use."""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Mapping
from typing import Any

from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

from ttcrawl.fetch.exchange import Exchanges


class FinalResponse(http.client.HTTPResponse):
    """The final response: http.client skips 100 before it, but no other interim one (RFC 9110 section 15.2)."""

    def _read_status(self) -> tuple[str, int, str]:
        while True:
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if not 100 < status < 200 or status == 101:
                return version, status, reason
            http.client.parse_headers(self.fp)


def connection_classes(
    resolve: Mapping[tuple[str, int], str], exchanges: Exchanges
) -> tuple[type[HTTPConnection], type[HTTPSConnection]]:
    """The connection classes of one fetch process: `resolve` maps (host, port) to the address to connect to."""

    class Watched:
        """Mixed into urllib3's connections, in front of them."""

        sock: socket.socket | None
        port: int
        _dns_host: str
        peer = ""

        def _new_conn(self) -> socket.socket:
            exchanges.depart()
            name, port = self._dns_host, self.port
            self._dns_host = resolve.get((name.lower(), port), name)
            try:
                sock: socket.socket = super()._new_conn()  # type: ignore[misc]
            finally:
                self._dns_host = name  # the name stays that of the certificate and of Host
            self.peer = sock.getpeername()[0]
            exchanges.using(sock, self.peer)
            return sock

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
        self, resolve: Mapping[tuple[str, int], str], exchanges: Exchanges, threads: int, kept: int = 256
    ) -> None:
        self._plain, self._secure = connection_classes(resolve, exchanges)
        self._context = ssl.create_default_context()  # one for all: loading the CA store takes 20 ms
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


def split_port(authority: str) -> tuple[str, int | None]:
    """("a.test", 8080) of "a.test:8080"; the port is None where it is the scheme's own."""
    if authority.startswith("["):
        host, _, rest = authority.partition("]")
        return host + "]", int(rest[1:]) if rest else None
    host, colon, port = authority.partition(":")
    return host, int(port) if colon else None
