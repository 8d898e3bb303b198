"""What the frontier hands out."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.frontier.host import Host, Probe, Queued


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What is to be done now: a PAGE (the URL `queued` of `host`), the ROBOTS.txt of `asker`, a PROBE or CHECK of
    `host`, or to RESOLVE `host`."""

    kind: str
    host: Host
    url: str
    depth: int = 0
    queued: Queued | None = None
    asker: Host | None = None
    probe: Probe | None = None

    @property
    def asked(self) -> Queued | Probe | Host | None:
        """What keeps when this URL was overloaded: every robots.txt on a host counts as one."""
        return self.queued or self.probe or (self.host if self.asker else None)
