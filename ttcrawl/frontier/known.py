"""What config.ini knows of hosts by their names: addresses that need no look-up, delays of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from ttcrawl import config
from ttcrawl.config import HostSection, covers, proxy, resolve_map
from ttcrawl.web.networks import is_address
from ttcrawl.web.url import split_port


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


def own_delays(sections: Sequence[HostSection]) -> Callable[[str], float | None]:
    """A function from the name of a host to the delay that a section [host:NAME] has for it, seconds; the last counts.

    >>> own_delays([HostSection(name="*.a.test", delay=5.0)])("www.a.test")
    5.0
    """
    delays = [(section.name, section.delay) for section in reversed(sections) if section.delay >= 0]

    @lru_cache(maxsize=10_000)
    def own(host: str) -> float | None:
        return next((delay for name, delay in delays if covers(name, host)), None)

    return own if delays else lambda host: None
