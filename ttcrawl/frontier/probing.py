"""URLs that cannot exist, to be requested: those that wait."""

from __future__ import annotations

from ttcrawl.frontier.host import Host, Probe


class Probing:
    """`left`: those that are not processed."""

    def __init__(self) -> None:
        self.left = 0

    def add(self, host: Host, probes: list[Probe]) -> None:
        self.left += len(probes)
        host.probes.extend(probes)

    def again(self, host: Host, probe: Probe, at: float) -> None:
        """One that is under way brought no answer: request it once more, after the others and not before `at`."""
        host.probes.append(probe)
        host.not_before = max(host.not_before, at)

    def settled(self) -> None:
        """One has its outcome."""
        self.left -= 1

    def given_up(self, host: Host) -> list[Probe]:
        """Those of a host that wait, and do so no longer."""
        probes = list(host.probes)
        host.probes.clear()
        self.left -= len(probes)
        return probes
