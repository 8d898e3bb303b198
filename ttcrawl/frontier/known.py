"""Hosts whose addresses need no look-up."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl import config
from ttcrawl.config import proxy, resolve_map
from ttcrawl.networks import is_address
from ttcrawl.url import split_port


def known_addresses(settings: config.Fetch) -> Callable[[str], tuple[str, ...] | None]:
    """A function from the name of a host to the addresses it is asked at; None: they have to be looked up.

    Known are those that `fetch.resolve` names and that of a host which is one; () where a proxy looks them up.

    >>> known = known_addresses(config.Fetch(resolve="a.test:80:127.0.0.1"))
    >>> known("a.test"), known("[::1]:8080"), known("b.test")
    (('127.0.0.1',), ('::1',), None)
    """
    named, way = resolve_map(settings.resolve), proxy(settings.proxy)
    if way is not None and way.resolves:
        return lambda host: ()

    def known(host: str) -> tuple[str, ...] | None:
        name, port = split_port(host)
        for each in (port,) if port else (80, 443):
            if (name, each) in named:
                return (named[name, each],)
        return (name.strip("[]"),) if is_address(name.strip("[]")) else None

    return known
