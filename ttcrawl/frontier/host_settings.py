"""The settings of single hosts in config.ini: addresses that need no look-up, and delays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from ttcrawl import config
from ttcrawl.config import HostSection, resolve_map
from ttcrawl.config.proxies import proxy_rules, resolves
from ttcrawl.web.networks import is_address
from ttcrawl.web.scope.patterns import covers
from ttcrawl.web.url import split_port


def fixed_addresses(settings: config.Fetch) -> Callable[[str], tuple[str, ...] | None]:
    """Return a function from the name of a host to its addresses; None: they must be looked up.

    Addresses in `fetch.resolve` are known, and the address of a host whose name is one; () if a proxy looks them up.

    >>> known = fixed_addresses(config.Fetch(resolve="a.test:80:127.0.0.1"))
    >>> known("a.test"), known("[::1]:8080"), known("b.test")
    (('127.0.0.1',), ('::1',), None)
    """
    overrides, rules = resolve_map(settings.resolve), proxy_rules(settings.proxy)

    def addresses_of(host: str) -> tuple[str, ...] | None:
        if rules and resolves(rules, host):
            return ()
        name, port = split_port(host)
        for each in (port,) if port else (80, 443):
            if (name, each) in overrides:
                return (overrides[name, each],)
        return (name.strip("[]"),) if is_address(name.strip("[]")) else None

    return addresses_of


def own_delays(sections: Sequence[HostSection]) -> Callable[[str], float | None]:
    """Return a function from the name of a host to its delay in the last section [host:NAME] that covers it, seconds.

    >>> own_delays([HostSection(name="*.a.test", delay=5.0)])("www.a.test")
    5.0
    """
    delays = [(section.name, section.delay) for section in reversed(sections) if section.delay >= 0]

    @lru_cache(maxsize=10_000)
    def own(host: str) -> float | None:
        return next((delay for name, delay in delays if covers(name, host)), None)

    return own if delays else lambda host: None
