"""How a request is sent: its URL, target, headers, and the address to connect to. Pure.

What is the same for all requests to a server at an address can be kept: `route`. `to` adds the rest for each of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from ttcrawl.config import Proxy
from ttcrawl.fetch.curl.proxy import forwards
from ttcrawl.fetch.reasons import NotReadable
from ttcrawl.fetch.sent import request_target, sent
from ttcrawl.fetch.settings import Settings
from ttcrawl.ring.messages import Request
from ttcrawl.web.url import split_port

#: What libcurl and urllib3 write alike into the header Host.
PLAIN_AUTHORITY = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9._-]*[A-Za-z0-9_-]|[A-Za-z0-9]|\[[0-9A-Fa-f:.]+\])(?::\d+)?")

#: libcurl would send what follows as another header, or nothing.
UNSENDABLE = re.compile(r"[\r\n\0]|^\s*$")

PORTS = {"http:": 80, "https:": 443}


class Route(Struct, frozen=True, kw_only=True):
    """The options of libcurl for one request; without target and headers, for all requests to a server."""

    url: str  # of the server
    authority: str
    scheme: str  # with its colon
    host: str
    connect_to: str  # "": to the host of the URL, or to the proxy
    target: str = ""
    headers: list[bytes] = []
    forwarded: bool = False  # a proxy reads the request, and its response
    proxy: Proxy | None = None
    peer: str | None = None  # the address behind a proxy, "" if unknown; None: the address of the connection

    @property
    def server(self) -> str:
        """The server that a connection leads to, apart from a proxy."""
        return f"{self.url}{self.connect_to}"

    def request(self, method: str, headers: list[bytes]) -> bytes:
        """The request as it is sent, with these headers."""
        login = self.proxy.login if self.proxy and self.forwarded else None
        first = [f"Proxy-Authorization: {login.basic()}".encode()] if login else []
        return sent(method, self.target, self.authority, first + headers)


class Origin(Struct, frozen=True, kw_only=True):
    """A server, as URLs name it."""

    scheme: str  # with its colon
    authority: str
    host: str  # without brackets
    port: int


def origin(scheme: str, authority: str) -> Origin:
    """The parts of the beginning of a canonical URL. Raises NotReadable if libcurl may write the authority in another
    way."""
    if not PLAIN_AUTHORITY.fullmatch(authority) or scheme not in PORTS:
        raise NotReadable(f"a URL of {scheme}//{authority}")
    host, port = split_port(authority)
    return Origin(scheme=scheme, authority=authority, host=host.strip("[]"), port=port or PORTS[scheme])


def route(server: Origin, address: str, proxy: Proxy | None) -> Route:
    """The route of requests to a server at this address."""
    direct = Route(
        url=f"{server.scheme}//{server.authority}/",
        authority=server.authority,
        scheme=server.scheme,
        host=server.host,
        connect_to=f"::[{address}]:" if ":" in address else f"::{address}:",
    )
    return direct if proxy is None else _through(proxy, direct, address)


def _through(proxy: Proxy, direct: Route, address: str) -> Route:
    if not proxy.resolves:
        return replace(direct, proxy=proxy, peer=address)
    if not forwards(proxy, direct.scheme):
        return replace(direct, proxy=proxy, peer="", connect_to="")
    return replace(direct, proxy=proxy, peer="", connect_to="", forwarded=True)


def to(target: str, request: Request, server: Route, settings: Settings, fixed: list[bytes]) -> Route:
    """The route of a request for a path and query of this server. Raises NotReadable if libcurl cannot send it."""
    target = request_target(target)
    if server.forwarded:
        target = f"{server.scheme}//{server.authority}{target}"  # RFC 9112 section 3.2.2
    return replace(server, target=target, headers=_headers(request, server.authority, settings, fixed))


def _headers(request: Request, authority: str, settings: Settings, fixed: list[bytes]) -> list[bytes]:
    own = settings.own.of(request.url, authority)
    return lines(settings.headers | dict(request.headers) | own) if request.headers or own else fixed


def lines(headers: Mapping[str, str]) -> list[bytes]:
    """Headers as libcurl takes them. Raises NotReadable if it cannot send one of them."""
    if any(map(UNSENDABLE.search, headers.values())):
        raise NotReadable("a header that cannot be sent")
    try:
        return [f"{name}: {value}".encode("iso-8859-1") for name, value in headers.items()]
    except UnicodeError as error:
        raise NotReadable("a header that cannot be sent") from error
