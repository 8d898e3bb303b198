"""The frontier's results: turns, and refusals of URLs that must not be requested."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from ttcrawl.frontier.host import ForeignRobots, Host, Probe
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.session import Session
from ttcrawl.frontier.visit import Rereading, Visit
from ttcrawl.vocabulary.reason import Code
from ttcrawl.vocabulary.state import State

#: The host's delay, its origin, and the delay of the address.
Due: TypeAlias = tuple[float, str, float]


class Turn(Struct, frozen=True, kw_only=True):
    """What to do now: a PAGE (the URL `queued` of `host`), the ROBOTS.txt of `asker`, a PROBE, CHECK or LOGIN of
    `host`, or RESOLVE `host`. The state of the host may change before the turn ends.
    """

    kind: str
    host: Host
    url: str
    depth: int = 0
    queued: Queued | None = None
    asker: Host | None = None
    probe: Probe | None = None
    session: Session | None = None
    address: str = ""  # to be requested; "": a proxy knows it, or it is looked up
    due: Due = (0.0, "", 0.0)
    doubted: bool = False  # before the turn, the host's health was in doubt

    @property
    def task(self) -> Queued | Visit | Rereading | Probe | Host | Session | None:
        """The object that the outcome is about; its type decides who processes it. None: it is about no more than the
        state of the host."""
        return _task(self.queued) if self.queued is not None else self.asker or self.probe or self.session

    @property
    def subject(self) -> Queued | Probe | Host | None:
        """The object with what is known of the last request for this URL; all robots.txt on a host count as one."""
        return self.queued or self.probe or (self.host if self.asker else None)


class Refusal(Struct, frozen=True, kw_only=True):
    """Something due at `host` that must not be requested: a queued URL, a probe, or the robots.txt of another host."""

    host: Host
    subject: Queued | Probe | ForeignRobots | Session
    state: State
    reason: Code
    rule: str = ""  # behind the reason, where it is not a key of config.ini

    @property
    def task(self) -> Queued | Visit | Rereading | Probe | ForeignRobots | Session:
        """As in a turn."""
        return _task(self.subject) if isinstance(self.subject, Queued) else self.subject


def _task(queued: Queued) -> Queued | Visit | Rereading:
    """A queued URL, or the visit to one that was answered before."""
    return queued if queued.visit is None else queued.visit
