"""What hosts share: the IP address that several of them stand on, and the registrable domain of one owner."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttcrawl.frontier.host import Host


@dataclass(slots=True, kw_only=True, eq=False, weakref_slot=True)
class Address:
    """One IP address: its clock, and the hosts whose own moment has come and that wait for it."""

    delay: float = 0.0  # seconds from the end of the last exchange, whatever the host, to the next
    ended: float = float("-inf")  # when that was
    held: bool = False
    scheduled: bool = False  # stands in the heap of the workbench
    waiting: list[tuple[float, int, Host]] = field(default_factory=list)  # a heap: the longest waiting first

    @property
    def free_at(self) -> float:
        """When it may be asked."""
        return self.ended + self.delay


@dataclass(slots=True, kw_only=True, eq=False, weakref_slot=True)
class Domain:
    """One registrable domain: how much of the crawl it takes."""

    awake: int = 0  # hosts in memory of which something is wanted
    under_way: int = 0  # turns taken and not released, look-ups aside
    looking_up: int = 0  # look-ups under way
    limited: bool = False  # some of its hosts were not taken into memory, for it had as many as it may
    waiting: deque[Host] = field(default_factory=deque)  # hosts that might be asked, were it not over its share
    unresolved: deque[Host] = field(default_factory=deque)  # hosts that might be looked up, were it not over its share
