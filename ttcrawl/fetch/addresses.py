"""At which addresses a host may be asked. Looked up for every connection, which is then made to one of these and to
nothing else: a name that changes its addresses between a check and a connection gains nothing (DNS rebinding)."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ttcrawl.web.address import Allowed, refusal, stated

#: Host name (or address) -> its addresses, best first. Raises socket.gaierror.
LookUp: TypeAlias = Callable[[str], list[str]]


class BlockedAddress(Exception):
    """The host has addresses, and we may connect to none of them."""


def look_up(host: str) -> list[str]:
    """The addresses the system finds. Raises socket.gaierror, also for what is no host name."""
    from urllib3.util.connection import allowed_gai_family  # not for a crawl process that looks nothing up

    try:
        found = socket.getaddrinfo(host, None, allowed_gai_family(), socket.SOCK_STREAM)
    except UnicodeError as error:
        raise socket.gaierror(socket.EAI_NONAME, f"no host name: {error}") from error
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressBook:
    """What a fetch process knows of addresses; `named` maps (host, port) to the address the user wants there."""

    named: Mapping[tuple[str, int], str]
    allowed: Allowed
    look_up: LookUp

    def resolve(self, host: str) -> list[str]:
        """The addresses at which a host may be asked, best first, at least one. Raises gaierror, BlockedAddress."""
        return self._permitted(host, self.look_up(host))

    def addresses(self, host: str, port: int, pinned: str) -> list[str]:
        """Where to connect to, best first: what the user named, else `pinned`; looked up where that is "".

        Raises socket.gaierror, BlockedAddress.
        """
        known = self.named.get((host.lower(), port), pinned)
        return self._permitted(host, [known]) if known else self.resolve(host)

    def _permitted(self, host: str, found: list[str]) -> list[str]:
        permitted = [address for address in found if self.allowed.permits(host, address)]
        if not permitted:
            raise BlockedAddress(", ".join(f"{address} is {refusal(address)}" for address in found))
        return permitted

    def check(self, host: str, address: str) -> None:
        """Raises BlockedAddress unless this host may be asked at this address."""
        if not self.allowed.permits(host, address):
            raise BlockedAddress(f"{address} is {refusal(address)}")

    def check_stated(self, host: str) -> None:
        """Raises BlockedAddress when the name of a host says that it may not be asked: all that is known of one that
        a proxy looks up."""
        for address in stated(host):
            self.check(host, address)
