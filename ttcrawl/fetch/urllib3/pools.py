"""The persistent connections of a fetch process, by origin."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from urllib3 import HTTPConnectionPool, HTTPSConnectionPool

from ttcrawl.config import Proxy
from ttcrawl.config.certificates import Certificate
from ttcrawl.fetch.addresses import AddressBook
from ttcrawl.fetch.urllib3.connection import connection_classes
from ttcrawl.fetch.urllib3.in_flight import Requests
from ttcrawl.fetch.urllib3.proxy import pool_options, through
from ttcrawl.fetch.urllib3.tls import tls_context
from ttcrawl.web.url import split_port

#: Origins with open connections.
MOST = 256


class Pools:
    """The persistent connections of one fetch process, by scheme, host and port; the least recently used are dropped
    first."""

    def __init__(
        self,
        book: AddressBook,
        requests: Requests,
        *,
        threads: int,
        verify_tls: bool,
        tls_minimum: str = "1.2",
        proxy: Proxy | None = None,
        certificates: Mapping[str, Certificate] = {},
    ) -> None:
        self._plain, self._secure = connection_classes(book, requests)
        # shared: loading the CA store takes 20 ms
        self._context = tls_context(verify=verify_tls, minimum=tls_minimum)
        self._own_contexts = {  # of hosts for which the client has a certificate
            host: tls_context(verify=verify_tls, minimum=tls_minimum, certificate=each)
            for host, each in certificates.items()
        }
        self._book, self._proxy = book, proxy
        self._options: dict[str, Any] = {"maxsize": threads}
        self._forwarder: Proxy | None = None  # the proxy, if it forwards plain requests instead of opening a tunnel
        if proxy is not None:
            self._plain, self._secure = through(proxy, self._plain, self._secure, book, requests)
        if proxy is not None and proxy.scheme in ("http", "https"):
            self._forwarder = proxy
            self._options |= pool_options(proxy, self._context)
        self._pools: dict[tuple[str, str], HTTPConnectionPool] = {}

    def of(self, origin: str, address: str) -> HTTPConnectionPool:
        """The pool for an origin as it is in a canonical URL, such as "https://a.test:8443", at one address.

        Raises BlockedAddress if a proxy resolves the host and the name itself states a blocked address.
        """
        if self._proxy is not None and self._proxy.resolves:
            self._book.check_stated(split_port(origin.partition("://")[2])[0])
        origin = self._shared(origin)
        pool = self._pools.pop((origin, address), None) or self._new(origin)
        self._keep(origin, address, pool)
        return pool

    @contextlib.contextmanager
    def renewed(self, origin: str, address: str) -> Iterator[HTTPConnectionPool]:
        """A pool with no connection, which replaces the origin's pool afterwards.

        Until then no other thread has it: one could be faster, and leave it a connection that the server closes. Unused
        connections are closed with their pool when the last thread releases it: a closed pool raises in a thread that
        is about to use it.
        """
        origin = self._shared(origin)
        self._pools.pop((origin, address), None)
        pool = self._new(origin)
        yield pool
        self._keep(origin, address, pool)

    def _keep(self, origin: str, address: str, pool: HTTPConnectionPool) -> None:
        self._pools[origin, address] = pool
        if len(self._pools) > MOST:
            self._drop_oldest()

    def _shared(self, origin: str) -> str:
        """The origin whose pool carries a request: all forwarded requests share one."""
        return "" if self.forwards(origin) else origin

    def target(self, origin: str, path: str) -> str:
        """The request target of the request line (RFC 9112 section 3.2)."""
        return origin + path if self.forwards(origin) else path

    def forwards(self, origin: str) -> bool:
        """Whether the proxy reads requests to an origin, and may answer itself."""
        return self._forwarder is not None and origin.startswith("http://")

    def _new(self, origin: str) -> HTTPConnectionPool:
        if not origin and self._forwarder is not None:
            forwarder = self._forwarder
            origin = f"{forwarder.scheme}://{forwarder.host}:{forwarder.port}"
        scheme, _, authority = origin.partition("://")
        host, port = split_port(authority)
        if scheme == "https":
            context = self._own_contexts.get(authority, self._context)
            secure = HTTPSConnectionPool(host, port, ssl_context=context, **self._options)
            secure.ConnectionCls = self._secure
            return secure
        plain = HTTPConnectionPool(host, port, **self._options)
        plain.ConnectionCls = self._plain
        return plain

    def _drop_oldest(self) -> None:
        # The response that uses a connection closes it when it is done.
        try:
            self._pools.pop(next(iter(self._pools))).close()
        except (KeyError, StopIteration, RuntimeError):
            return  # another thread dropped it
