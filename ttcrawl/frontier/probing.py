"""Probes that wait: URLs that cannot exist, to be requested."""

from __future__ import annotations

from ttcrawl.frontier.host import Host, Probe


class Probing:
    """The probes of all hosts. `remaining`: those not processed yet."""

    def __init__(self) -> None:
        self.remaining = 0

    def add(self, host: Host, probes: list[Probe]) -> None:
        self.remaining += len(probes)
        host.probes.extend(probes)

    def again(self, host: Host, probe: Probe, moment: float) -> None:
        """Request a probe without an answer once more, after the others and not before `moment`."""
        host.probes.append(probe)
        host.not_before = max(host.not_before, moment)

    def processed(self) -> None:
        """Count a processed probe."""
        self.remaining -= 1

    def give_up(self, host: Host) -> list[Probe]:
        """Remove the waiting probes of a host, and return them."""
        probes = list(host.probes)
        host.probes.clear()
        self.remaining -= len(probes)
        return probes
