"""The delay between two requests to a host, and its origin."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl import config
from ttcrawl.frontier.host import Host

#: Seconds for twice as slow, where no delay is obeyed: four times as many for four times as slow, and so on.
SHORT = 1 / 16


class Delays:
    """Delays of hosts. `own_delay(name)` is the delay of a host in config.ini."""

    def __init__(self, politeness: config.Politeness, own_delay: Callable[[str], float | None]) -> None:
        self._politeness = politeness
        self._own_delay = own_delay

    def of(self, name: str, crawl_delay: float | None) -> tuple[float, str]:
        """Return the delay in force at a host whose robots.txt has this Crawl-delay, seconds, and its origin."""
        if not self._politeness.obey_delay:
            return 0.0, "not obeyed"
        if crawl_delay is not None:
            return min(crawl_delay, self._politeness.max_delay), "robots.txt"
        own = self._own_delay(name)
        return (self._politeness.delay, "default") if own is None else (own, "config.ini")

    def set(self, host: Host) -> None:
        host.delay, host.delay_from = self.of(host.name, host.robots.crawl_delay)

    def adapt(self, host: Host, seconds: float) -> None:
        """Set the delay after a request that took `seconds`: slow servers, and those that limit the rate, get fewer."""
        self.set(host)
        wanted = min(self._politeness.delay_factor * seconds, self._politeness.max_delay)
        if self._politeness.obey_delay and wanted > host.delay:
            host.delay, host.delay_from = wanted, "response time"
        if (factor := host.health.slower) > 1:
            slower = min(host.delay * factor or SHORT * (factor / 2) ** 2, self._politeness.max_delay)
            host.delay, host.delay_from = max(host.delay, slower), "rate limit"
