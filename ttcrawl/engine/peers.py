"""What the crawl process needs of a cluster; a crawl on one machine has no peers."""

from __future__ import annotations

import socket
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from msgspec import Struct

from ttcrawl.engine.companion import Companion
from ttcrawl.engine.shared import Shared
from ttcrawl.engine.topic.recall import TargetRecall
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.frontier.robots_relay import Settler


class Peers(Companion, ABC):
    """The other crawl processes of a cluster."""

    @abstractmethod
    def is_foreign(self, name: str) -> bool:
        """Whether a host belongs to another process."""

    @abstractmethod
    def join(self, shared: Shared, bounds: Bounds, robots: Settler, recall: TargetRecall | None = None) -> None:
        """Take part in a crawl that begins or continues. `robots`: who requests a robots.txt for other rings.

        `recall`: how many relevant pages are found, if that limits the crawl.
        """


class Membership(Struct, frozen=True, kw_only=True):
    """The part of a crawl in a cluster."""

    ring: int
    peers: Callable[[], Peers]  # new ones for each life, which begins with the last commit
    alarms: Sequence[int]  # open files that can be read as soon as something has come for `Peers.turn`
    host_clocks: Callable[[], int]  # opens the file in which rings with browsers agree when hosts may be requested
    entrance: socket.socket | None = None  # of the desk (ttcrawl.ring.host_desk), where they ask instead if it is there
