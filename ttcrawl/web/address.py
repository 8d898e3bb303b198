"""Which addresses are public, and which others the user has allowed. Pure: it resolves no names.

The lists are the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890). They do not come from `ipaddress`:
its is_private and is_global differ between Python releases and call 224.0.0.1 global.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import TypeAlias

from msgspec import Struct

from ttcrawl.web.networks import allow_list, is_address

#: (host name, address): the host may be contacted at this address although the address is not public.
Pairs: TypeAlias = frozenset[tuple[str, str]]

IPV4 = {
    IPv4Network(network): kind
    for network, kind in (
        ("0.0.0.0/8", "unspecified"),  # RFC 791 section 3.2
        ("10.0.0.0/8", "private"),  # RFC 1918
        ("100.64.0.0/10", "shared"),  # RFC 6598
        ("127.0.0.0/8", "loopback"),  # RFC 1122 section 3.2.1.3
        ("169.254.0.0/16", "link-local"),  # RFC 3927; includes the metadata services of clouds
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),  # RFC 6890 section 2.1
        ("192.0.2.0/24", "documentation"),  # RFC 5737
        ("192.88.99.0/24", "reserved"),  # RFC 7526
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),  # RFC 2544
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),  # RFC 5771
        ("240.0.0.0/4", "reserved"),  # RFC 1112 section 4; includes 255.255.255.255
    )
}
IPV6 = {
    IPv6Network(network): kind
    for network, kind in (
        ("::1/128", "loopback"),  # RFC 4291 section 2.5.3
        ("fc00::/7", "private"),  # RFC 4193
        ("fe80::/10", "link-local"),
        ("ff00::/8", "multicast"),
        ("2001::/23", "reserved"),  # RFC 2928; includes Teredo, whose addresses contain an IPv4 address
        ("2001:db8::/32", "documentation"),  # RFC 3849
        ("3fff::/20", "documentation"),  # RFC 9637
    )
}
GLOBAL_UNICAST = IPv6Network("2000::/3")  # RFC 4291 section 2.4 and IANA: no other range is assigned
SIXTOFOUR = IPv6Network("2002::/16")  # RFC 3056: the IPv4 address of the router follows the prefix
NAT64 = IPv6Network("64:ff9b::/96")  # RFC 6052: the IPv4 address of the host is at the end


class Allowed(Struct, frozen=True, kw_only=True):
    """The exceptions set by the user: networks, hosts at any address, hosts at one address."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()
    names: frozenset[str] = frozenset()
    pairs: Pairs = frozenset()

    def permits(self, host: str, address: str) -> bool:
        """Whether this host may be contacted at this address. Raises ValueError if `address` is invalid."""
        if not non_public_kind(address):
            return True
        host, reached = _name(host), _reached(address)
        return (
            host in self.names
            or (host, str(reached)) in self.pairs
            or any(reached in network for network in self.networks)
        )


def allowed(allow: str, begun: Pairs, resolve: Mapping[tuple[str, int], str]) -> Allowed:
    """The exceptions from [safety] allow, the hosts of the seeds (as they were when the crawl began) and the addresses
    of (host, port) in [fetch] resolve."""
    networks, names = allow_list(allow)
    resolve_pairs = [(name, address) for (name, _), address in resolve.items()]
    pairs = frozenset((_name(name), str(_reached(address))) for name, address in (*begun, *resolve_pairs))
    return Allowed(networks=networks, names=frozenset(map(_name, names)), pairs=pairs)


def not_public(host: str, addresses: Iterable[str]) -> Pairs:
    """A host paired with each of its addresses that is not public, and therefore needs an exception."""
    return frozenset((host, address) for address in addresses if non_public_kind(address))


def stated(host: str) -> list[str]:
    """The addresses that the host of a canonical URL states in its name, without a look-up (RFC 6761).

    >>> [stated(host) for host in ("[::1]", "10.0.0.1", "a.localhost", "a.test")]
    [['::1'], ['10.0.0.1'], ['127.0.0.1'], []]
    """
    name = _name(host)
    if is_address(name):
        return [name]
    return ["127.0.0.1"] if f".{name}".endswith(".localhost") else []


def non_public_kind(address: str) -> str:
    """Why an address is not public ("loopback", "private" ...), "" if it is. Raises ValueError for an invalid address.

    >>> [non_public_kind(each) for each in ("8.8.8.8", "10.0.0.1", "::ffff:127.0.0.1", "fe80::1%eth0")]
    ['', 'private', 'loopback', 'link-local']
    """
    reached = _reached(address)
    if isinstance(reached, IPv4Address):
        return _kind4(reached)
    for network, kind in IPV6.items():
        if reached in network:
            return kind
    if reached in NAT64:
        return _kind4(IPv4Address(int(reached) & 0xFFFFFFFF))
    if reached in SIXTOFOUR:
        return _kind4(IPv4Address(int(reached) >> 80 & 0xFFFFFFFF))
    return "" if reached in GLOBAL_UNICAST else "reserved"


def _kind4(address: IPv4Address) -> str:
    return next((kind for network, kind in IPV4.items() if address in network), "")


def _reached(address: str) -> IPv4Address | IPv6Address:
    """The actual destination of an address: the system maps 0.0.0.0, :: and ::ffff:0:0/96 to other addresses."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, IPv6Address):
        parsed = parsed.ipv4_mapped or parsed
    if not parsed.is_unspecified:
        return parsed
    return IPv4Address("127.0.0.1") if isinstance(parsed, IPv4Address) else IPv6Address("::1")


def _name(host: str) -> str:
    """The form of a host name used in comparisons: a final dot only disables the system's search list."""
    return host.lower().strip("[]").rstrip(".")
