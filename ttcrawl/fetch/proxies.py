"""The proxies of a fetch process: each request takes the next one that is not dead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count

from ttcrawl.config import Proxy
from ttcrawl.config.proxies import ProxyRule
from ttcrawl.web.scope.chosen import pattern_of

#: Seconds for which a proxy that failed has no turn while there are others.
AWAY = 60.0


class Proxies:
    """Threads may share it. Raises ConfigError for a password that is missing."""

    def __init__(self, rules: Sequence[ProxyRule], environment: Mapping[str, str]) -> None:
        self._rules = [
            (
                pattern_of(rule.pattern) if rule.pattern else None,
                tuple(_revealed(each, environment) for each in rule.proxies),
                count(),
            )
            for rule in rules
        ]
        self._away_until: dict[Proxy | None, float] = {}

    def of(self, url: str, now: float) -> Proxy | None:
        """Return the proxy for a request at this moment; None: none."""
        for pattern, proxies, turns in self._rules:
            if pattern is not None and not pattern.search(url):
                continue
            alive = [each for each in proxies if self._away_until.get(each, now) <= now] or proxies
            return alive[next(turns) % len(alive)]
        return None

    def failed(self, proxy: Proxy | None, now: float) -> None:
        """Note that a proxy could not be reached, or did not connect to a host."""
        self._away_until[proxy] = now + AWAY


def _revealed(proxy: Proxy | None, environment: Mapping[str, str]) -> Proxy | None:
    """Return it with its password."""
    if proxy is None or proxy.login is None:
        return proxy
    return replace(proxy, login=proxy.login.revealed("[fetch] proxy", environment))
