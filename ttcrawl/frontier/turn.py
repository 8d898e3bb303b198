"""What the frontier hands out: turns, and refusals of what may not be requested."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ttcrawl.frontier.host import ForeignRobots, Host, Probe, Queued
from ttcrawl.vocabulary.reason import Code
from ttcrawl.vocabulary.state import State

#: The delay that was waited for, where that came from, and the delay of the address.
Due: TypeAlias = tuple[float, str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What is to be done now: a PAGE (the URL `queued` of `host`), the ROBOTS.txt of `asker`, a PROBE or CHECK of
    `host`, or to RESOLVE `host`. What holds of the host may be another thing when the turn ends."""

    kind: str
    host: Host
    url: str
    depth: int = 0
    queued: Queued | None = None
    asker: Host | None = None
    probe: Probe | None = None
    address: str = ""  # that is to be requested; "": a proxy knows, or it is looked up
    due: Due = (0.0, "", 0.0)
    doubted: bool = False  # whether its host is well was in doubt before it

    @property
    def asked(self) -> Queued | Probe | Host | None:
        """What keeps when this URL was overloaded: every robots.txt on a host counts as one."""
        return self.queued or self.probe or (self.host if self.asker else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """What is due at `host` and must not be requested: a queued URL, a probe, or a robots.txt that lies elsewhere."""

    host: Host
    subject: Queued | Probe | ForeignRobots
    state: State
    reason: Code
