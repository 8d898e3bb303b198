"""Which addresses may be contacted for a host. Each connection resolves its host and connects to one of the permitted
addresses only. A name that changes its addresses between check and connection gains nothing (DNS rebinding)."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import TypeAlias

from msgspec import Struct

from ttcrawl.config import Config, resolve_map
from ttcrawl.web.address import Allowed, Pairs, allowed, non_public_kind, stated
from ttcrawl.web.url import split_port

#: Host name (or address) -> its addresses, best first. Raises socket.gaierror.
LookUp: TypeAlias = Callable[[str], list[str]]


class BlockedAddress(Exception):
    """The host has addresses, and none of them is permitted."""


def look_up(host: str) -> list[str]:
    """The addresses that the system resolver returns. Raises socket.gaierror, also for an invalid host name."""
    try:
        infos = socket.getaddrinfo(host, None, _family(), socket.SOCK_STREAM)
    except UnicodeError as error:
        raise socket.gaierror(socket.EAI_NONAME, f"no host name: {error}") from error
    return list(dict.fromkeys(str(address[0]) for *_, address in infos))


@cache
def _family() -> socket.AddressFamily:
    """AF_INET on a machine without IPv6. As urllib3 decides it, whose import would take the crawl process 0.05 s."""
    with suppress(OSError), socket.socket(socket.AF_INET6) as probe:
        probe.bind(("::1", 0))
        return socket.AF_UNSPEC
    return socket.AF_INET


class AddressBook(Struct, frozen=True, kw_only=True):
    """The address rules of a fetch process; `overrides` maps (host, port) to the address set by the user."""

    overrides: Mapping[tuple[str, int], str]
    allowed: Allowed
    look_up: LookUp

    @classmethod
    def of(cls, config: Config, granted: Pairs, look_up: LookUp) -> AddressBook:
        """The rules of a crawl; `granted`: the seeds' hosts at their addresses that are not public."""
        overrides = resolve_map(config.fetch.resolve)
        return cls(overrides=overrides, allowed=allowed(config.safety.allow, granted, overrides), look_up=look_up)

    def resolve(self, host: str) -> list[str]:
        """The permitted addresses of a host, best first, at least one. Raises gaierror, BlockedAddress."""
        return self._permitted(host, self.look_up(host))

    def of_dns(self, url: str) -> tuple[str, ...]:
        """The permitted addresses for the host of a dns: URL (RFC 4501). Raises gaierror, BlockedAddress."""
        return tuple(self.resolve(split_port(url.removeprefix("dns:"))[0]))

    def addresses(self, host: str, port: int, pinned: str) -> list[str]:
        """Addresses to connect to, best first: the one set by the user, else `pinned`; if that is "", the resolved
        ones.

        Raises socket.gaierror, BlockedAddress.
        """
        override = self.overrides.get((host.lower(), port), pinned)
        return self._permitted(host, [override]) if override else self.resolve(host)

    def _permitted(self, host: str, addresses: list[str]) -> list[str]:
        permitted = [address for address in addresses if self.allowed.permits(host, address)]
        if not permitted:
            raise BlockedAddress(", ".join(f"{address} is {non_public_kind(address)}" for address in addresses))
        return permitted

    def check(self, host: str, address: str) -> None:
        """Raises BlockedAddress unless this host may be contacted at this address."""
        if not self.allowed.permits(host, address):
            raise BlockedAddress(f"{address} is {non_public_kind(address)}")

    def check_stated(self, host: str) -> None:
        """Raises BlockedAddress if the host name itself states a blocked address. If a proxy resolves names, only the
        name is known."""
        for address in stated(host):
            self.check(host, address)
