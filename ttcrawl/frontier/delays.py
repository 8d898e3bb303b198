"""How long a host is left in peace between two exchanges, and why so long."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl import config
from ttcrawl.frontier.host import Host


class Delays:
    """`own_delay(name)` is the delay that config.ini has for a host."""

    def __init__(self, politeness: config.Politeness, own_delay: Callable[[str], float | None]) -> None:
        self._politeness = politeness
        self._own_delay = own_delay

    def of(self, name: str, crawl_delay: float | None) -> tuple[float, str]:
        """The delay in force at a host whose robots.txt asks for this one, seconds, and where it comes from."""
        if not self._politeness.obey_delay:
            return 0.0, "not obeyed"
        if crawl_delay is not None:
            return min(crawl_delay, self._politeness.max_delay), "robots.txt"
        own = self._own_delay(name)
        return (self._politeness.delay, "default") if own is None else (own, "config.ini")

    def set(self, host: Host) -> None:
        host.delay, host.delay_from = self.of(host.name, host.crawl_delay)

    def adapt(self, host: Host, seconds: float) -> None:
        """The delay after an exchange that took so many seconds: a slow server is asked less often."""
        self.set(host)
        wanted = min(self._politeness.delay_factor * seconds, self._politeness.max_delay)
        if self._politeness.obey_delay and wanted > host.delay:
            host.delay, host.delay_from = wanted, "response time"
