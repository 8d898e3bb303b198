"""What the main loop needs of a cluster: the crawl of one machine has none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ttcrawl.config import Config
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.output.counters import Counters
from ttcrawl.ring.clock import Clock
from ttcrawl.store.sqlite import Store


class Peers(Protocol):
    """The other crawl processes of a cluster. The methods are called in the main loop."""

    #: The crawl of the whole cluster has ended; None: there are no others, so this process decides.
    finished: bool | None

    def is_foreign(self, name: str) -> bool:
        """Whether a host belongs to another process."""

    def join(
        self, store: Store, ledger: Ledger, bounds: Bounds, config: Config, clock: Clock, stop: Callable[[str], None]
    ) -> None:
        """Take part in a crawl that begins or continues; `stop` ends it."""

    def turn(self, counters: Counters, *, at_rest: bool) -> int:
        """Process what has come from others; return the number of changes to be committed.

        `at_rest`: nothing is queued or in flight here.
        """

    def pack(self) -> None:
        """Store what goes to others, before a commit."""

    def deliver(self) -> None:
        """Send it, after the commit."""


class Alone:
    """The peers of a crawl on one machine."""

    finished: bool | None = None

    def is_foreign(self, name: str) -> bool:
        """All hosts belong to it."""
        return False

    def join(
        self, store: Store, ledger: Ledger, bounds: Bounds, config: Config, clock: Clock, stop: Callable[[str], None]
    ) -> None:
        """Nothing to take part in."""

    def turn(self, counters: Counters, *, at_rest: bool) -> int:
        """Nothing comes."""
        return 0

    def pack(self) -> None:
        """Nothing goes out."""

    def deliver(self) -> None:
        """Nothing goes out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """The part of a crawl in a cluster."""

    peers: Callable[[], Peers]  # new ones for each life, which begins with the last commit
    alarms: Sequence[int]  # open files that can be read as soon as something has come for `Peers.turn`
