"""State that hosts share: their IP address, and their registrable domain, which has one owner."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ttcrawl.frontier.line import Line

if TYPE_CHECKING:
    from ttcrawl.frontier.host import Host


@dataclass(slots=True, kw_only=True, eq=False, weakref_slot=True)
class Address:
    """One IP address: its clock, and the hosts that are due and wait for it."""

    delay: float = 0.0  # seconds from the end of the last request, whatever the host, to the next
    ended: float = float("-inf")  # when that request ended
    locked: bool = False
    scheduled: bool = False  # is in the heap of the workbench
    waiting: Line[Host]  # the longest waiting first, or the one with the best URL
    line: Line[Any] | None = None  # in which it stands itself, if the best URL is first
    ticket: tuple[float, int] = (0.0, 0)

    @property
    def free_at(self) -> float:
        """When it may be requested."""
        return self.ended + self.delay


@dataclass(slots=True, kw_only=True, eq=False, weakref_slot=True)
class Domain:
    """One registrable domain and its share of the crawl."""

    awake: int = 0  # hosts in memory that have work
    in_flight: int = 0  # turns taken and not released, without look-ups
    looking_up: int = 0  # look-ups in flight
    limited: bool = False  # some of its hosts stayed outside memory because it had its maximum
    waiting: Line[Host]  # hosts that are due while it has its share of turns
    unresolved: deque[Host] = field(default_factory=deque)  # hosts to look up while it has its share of look-ups
