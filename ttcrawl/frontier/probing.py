"""Probes that wait: URLs that cannot exist, to be requested."""

from __future__ import annotations

from ttcrawl.frontier.host import Host, Probe


class Probing:
    """The probes of all hosts. `left`: those not processed yet."""

    def __init__(self) -> None:
        self.left = 0

    def add(self, host: Host, probes: list[Probe]) -> None:
        self.left += len(probes)
        host.probes.extend(probes)

    def again(self, host: Host, probe: Probe, at: float) -> None:
        """Request a probe without an answer once more, after the others and not before `at`."""
        host.probes.append(probe)
        host.not_before = max(host.not_before, at)

    def settled(self) -> None:
        """Count a processed probe."""
        self.left -= 1

    def given_up(self, host: Host) -> list[Probe]:
        """Remove the waiting probes of a host, and return them."""
        probes = list(host.probes)
        host.probes.clear()
        self.left -= len(probes)
        return probes
