"""What a proxy is asked to connect to, and whose fault a failure is."""

from __future__ import annotations

import http
import socket

from ttcrawl.config import Proxy
from ttcrawl.fetch.addresses import AddressBook

#: Longest host name that PySocks can send, characters: it writes the length as a character in UTF-8.
MAX_NAME = 127


class ProxyFailed(Exception):
    """The proxy could not be reached, or did not connect to the host."""


def check_login(status: int) -> None:
    """Raises ProxyFailed if this status of a forwarded response comes from the proxy itself."""
    if status == http.HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
        raise ProxyFailed("407: the proxy wants another user or password")


def destinations(proxy: Proxy, book: AddressBook, name: str, port: int, pinned: str) -> list[str]:
    """Names or addresses of the host, best first, at least one.

    Raises socket.gaierror, BlockedAddress, and ProxyFailed if the proxy reaches none of them.
    """
    if proxy.resolves:
        book.check_stated(name)
        return [_tellable(name) if proxy.scheme.startswith("socks") else name]
    addresses = book.addresses(name, port, pinned)
    reached = [each for each in addresses if proxy.scheme != "socks4" or ":" not in each]
    if not reached:
        raise ProxyFailed("socks4 proxy: SOCKS4 reaches no IPv6 addresses")
    return reached


def _tellable(name: str) -> str:
    """A name that SOCKS can carry. Raises socket.gaierror."""
    try:
        if len(name.encode("idna")) <= MAX_NAME:
            return name
    except UnicodeError:
        pass
    raise socket.gaierror(socket.EAI_NONAME, "no host name that a SOCKS proxy can be told")
