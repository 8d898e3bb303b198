"""Hosts that are one server under several names: www. is stripped, and aliases are followed to the end."""

from __future__ import annotations

from collections.abc import Mapping

from ttcrawl.web.url import registrable_domain

#: Maximum characters of a host with its port: a longer one has no address (RFC 1035 section 2.3.4), and takes too long
#: to process.
LONGEST = 260


def canonical_origin(origin: str, strip: bool, aliases: Mapping[str, str]) -> str:
    """The unique name of an origin (scheme, and host with its port): a fixed point of stripping and aliases.

    An alias of a host applies to both schemes and keeps the scheme; an alias of an origin takes precedence.

    >>> canonical_origin("http://www.a.test", True, {"a.test": "b.test:8080", "http://b.test:8080": "https://b.test"})
    'https://b.test'
    """
    seen: dict[str, None] = {}
    while origin not in seen:
        seen[origin] = None
        scheme, _, host = origin.partition("//")
        bare = without_www(host) if strip else host
        alias = aliases.get(f"{scheme}//{bare}") or aliases.get(bare, bare)
        origin = alias if "//" in alias else f"{scheme}//{alias}"
    names = list(seen)
    return min(names[names.index(origin) :])  # names in a cycle are one server: always take the same one


def without_www(host: str) -> str:
    """Does not strip a registrable domain: www.co.uk is a name of its own, as is www.com."""
    if len(host) > LONGEST:
        return host
    start = 0
    while host.startswith("www.", start) and not host.startswith(".", start + 4):
        bare = host[start:]
        if registrable_domain(bare) == bare.partition(":")[0].rstrip("."):
            break
        start += 4
    return host[start:]
