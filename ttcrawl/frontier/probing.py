"""URLs that cannot exist, to be asked for: those that wait, and whether they may be."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.frontier.host import Gate, Host, Probe
from ttcrawl.vocabulary.reason import ROBOTS, Code
from ttcrawl.web.robots import Rules


class Probing:
    """`drop(host, probe, reason)` is called for one that is not to be asked for. `left`: those that are not settled."""

    def __init__(self) -> None:
        self.left = 0
        self.drop: Callable[[Host, Probe, Code], None]  # set by the crawl

    def add(self, host: Host, probes: list[Probe]) -> None:
        self.left += len(probes)
        host.probes.extend(probes)

    def again(self, host: Host, probe: Probe, at: float) -> None:
        """One that is held brought no answer: ask once more, after the others and not before `at`."""
        host.probes.append(probe)
        host.not_before = max(host.not_before, at)

    def give_up(self, host: Host, reason: Code) -> None:
        """None of those that wait is asked for."""
        while host.probes:
            self._dropped(host, host.probes.popleft(), reason)

    def _dropped(self, host: Host, probe: Probe, reason: Code) -> None:
        self.left -= 1
        self.drop(host, probe, reason)

    def next(self, host: Host, rules: Rules | None) -> Probe | None:
        """The next one of a host whose robots.txt is known; its rules, if it has any."""
        while host.probes:
            probe = host.probes.popleft()
            if host.gate is Gate.SHUT:
                reason = host.verdict[1]
            elif rules is not None and not rules.allows(probe.url):
                reason = ROBOTS
            else:
                return probe
            self._dropped(host, probe, reason)
        return None
