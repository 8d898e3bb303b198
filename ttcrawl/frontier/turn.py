"""What the frontier hands out."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.frontier.host import Host, Probe, Queued


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What is to be done now: a PAGE (the URL `queued` of `host`), the ROBOTS.txt of `asker`, a PROBE of `host`, or to
    RESOLVE `host`."""

    kind: str
    host: Host
    url: str
    depth: int = 0
    queued: Queued | None = None
    asker: Host | None = None
    probe: Probe | None = None
