"""Connections through a proxy that connect to the proxy only.

urllib3 itself supports http and https proxies. PySocks connects to SOCKS proxies, over a socket that is registered with
the request from the start, so that its deadline applies; urllib3.contrib.socks creates its sockets internally.
"""

from __future__ import annotations

import http.client
import socket
import ssl
from typing import Any

import socks
from urllib3.connection import HTTPConnection, HTTPSConnection, ProxyConfig
from urllib3.exceptions import NameResolutionError
from urllib3.util import Url

from ttcrawl.config import Proxy
from ttcrawl.fetch.addresses import AddressBook, look_up
from ttcrawl.fetch.destination import ProxyFailed, destinations
from ttcrawl.fetch.urllib3.in_flight import Requests


def tunnels(proxy: Proxy, requests: Requests) -> type:
    """A mixin for urllib3's connections, placed before them, for an http or https proxy."""

    class ToProxy:
        peer: str

        def _new_conn(self) -> socket.socket:
            requests.depart()
            sock = HTTPConnection._new_conn(self)  # type: ignore[arg-type] # to the proxy, at any address
            self.peer = ""  # only the proxy knows the host's address
            requests.using(sock, self.peer)
            return sock

        def _tunnel(self) -> None:
            try:
                super()._tunnel()  # type: ignore[misc]
            except (OSError, http.client.HTTPException) as error:
                raise ProxyFailed(f"{proxy.scheme} proxy: {error}") from error

    return ToProxy


def sockets(proxy: Proxy, requests: Requests, book: AddressBook) -> type:
    """A mixin for urllib3's connections, placed before them, for a SOCKS proxy."""

    class ToProxy:
        peer: str
        host: str
        port: int
        timeout: float | None
        _dns_host: str

        def _new_conn(self) -> socket.socket:
            requests.depart()
            try:
                hosts = destinations(proxy, book, self._dns_host.strip("[]"), self.port, requests.pinned)
            except socket.gaierror as error:
                raise NameResolutionError(self.host, self, error) from error  # type: ignore[arg-type]
            last = ""
            for host in hosts:
                try:
                    for address in look_up(proxy.host.strip("[]")):
                        try:
                            return self._through(address, host)
                        except OSError as error:
                            last = str(error)
                except socket.gaierror as error:
                    last = str(error)
            raise ProxyFailed(f"{proxy.scheme} proxy: {last}")

        def _through(self, address: str, host: str) -> socket.socket:
            """A connection to the host through the proxy at one of the proxy's addresses. Raises OSError."""
            sock: socket.socket = socks.socksocket(socket.AF_INET6 if ":" in address else socket.AF_INET)
            try:
                sock.settimeout(self.timeout)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                kind = socks.SOCKS4 if proxy.scheme.startswith("socks4") else socks.SOCKS5
                login = (proxy.login.user, proxy.login.password) if proxy.login else (None, None)
                sock.set_proxy(kind, address, proxy.port, proxy.resolves, *login)  # type: ignore[attr-defined]
                self.peer = "" if proxy.resolves else host
                requests.using(sock, self.peer)
                sock.connect((host, self.port))
            except BaseException:
                sock.close()
                raise
            return sock

    return ToProxy


def through(
    proxy: Proxy, plain: type[HTTPConnection], secure: type[HTTPSConnection], book: AddressBook, requests: Requests
) -> tuple[type[HTTPConnection], type[HTTPSConnection]]:
    """Subclasses of these two connection classes that connect to the proxy."""
    mixin = sockets(proxy, requests, book) if proxy.scheme.startswith("socks") else tunnels(proxy, requests)
    return type("Plain", (mixin, plain), {}), type("Secure", (mixin, secure), {})


def pool_options(proxy: Proxy, context: ssl.SSLContext) -> dict[str, Any]:
    """Options of urllib3's pools for an http or https proxy."""
    return {
        "_proxy": Url(scheme=proxy.scheme, host=proxy.host, port=proxy.port),
        "_proxy_headers": {"Proxy-Authorization": proxy.login.basic()} if proxy.login else {},
        "_proxy_config": ProxyConfig(context, False, None, None),
    }
