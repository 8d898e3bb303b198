"""Which non-public addresses the seeds permit."""

from __future__ import annotations

from collections.abc import Sequence

from ttcrawl.config import Config, resolve_map
from ttcrawl.config.proxies import proxy_rules, resolves
from ttcrawl.errors import CrawlFailedError
from ttcrawl.fetch.addresses import look_up
from ttcrawl.fetch.lookups import TooLate, all_of
from ttcrawl.output.display import tell
from ttcrawl.web.address import Pairs, not_public, stated
from ttcrawl.web.scope.redirects import other_name
from ttcrawl.web.url import host, split_port


def granted_by(config: Config, seeds: Sequence[str]) -> Pairs:
    """Return the hosts of the seeds with their non-public addresses: naming them as seeds permits these addresses.

    At least one of these hosts must have an address, or there is nothing to crawl: raises CrawlFailedError.
    """
    overrides = resolve_map(config.fetch.resolve)
    origins = {(*split_port(host(url)), 443 if url.startswith("https") else 80) for url in seeds}
    rules = proxy_rules(config.fetch.proxy)

    def find(name: str) -> list[str]:
        return stated(name) if rules and resolves(rules, name) else look_up(name)

    names = sorted({name for name, port, usual in origins if (name, port or usual) not in overrides})
    unknown = {}
    granted: set[tuple[str, str]] = set()
    results = all_of([name.strip("[]") for name in names], find, config.fetch.dns_timeout)
    for name in names:
        addresses = results[name.strip("[]")]
        if isinstance(addresses, list):
            granted |= not_public(name.strip("[]"), addresses)
        elif isinstance(addresses, OSError | TooLate):
            unknown[name] = getattr(addresses, "strerror", "") or str(addresses)
        else:
            raise addresses
    lines = [f"the host {name} does not resolve ({why})" for name, why in unknown.items()]
    if lines and {name for name, _, _ in origins} <= unknown.keys():
        raise CrawlFailedError(f"{lines[0]}: check the seed's spelling and the network")
    for line in lines:
        tell(f"{line}; continuing with the other seeds")
    if config.scope.redirected_seeds != "never":  # a.example may redirect to www.a.example at the same address
        granted |= {(other, address) for name, address in granted if (other := other_name(name)) != name}
    return frozenset(granted)
