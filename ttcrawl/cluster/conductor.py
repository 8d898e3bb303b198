"""The end of a crawl of several rings, and its limits. Pure: it keeps nothing that a new conductor would need.

A crawl has ended when nothing is queued, in flight, unacknowledged or uncommitted in any ring at one moment. The
conductor asks all rings in waves. If all are idle in two waves in a row, and none has posted or received a batch or
was restarted between them, there was such a moment between the waves: a ring that gets work gets it by a batch, and the
sender of a batch under way is not idle.
"""

from __future__ import annotations

from collections.abc import Iterable

from ttcrawl.cluster.messages import Poll, Status
from ttcrawl.config.sections import Crawl


class Waves:
    """The waves of one conductor over a set of rings: `poll`, then `hear` the statuses, then `ended`."""

    def __init__(self, rings: Iterable[int], number: int = 0) -> None:
        """`number`: above those of all waves of earlier conductors."""
        self._rings = frozenset(rings)
        self._number = number
        self._statuses: dict[int, Status] = {}  # of the present wave
        self._last: frozenset[tuple[int, str, int, int]] | None = None  # of the last wave; None: a ring was not idle

    def change(self, rings: Iterable[int]) -> None:
        """From the next wave on there are these rings."""
        self._rings, self._last = frozenset(rings), None

    def poll(self) -> Poll:
        """Begin the next wave; return the question to all rings."""
        self._number += 1
        self._statuses.clear()
        return self.question

    @property
    def question(self) -> Poll:
        """The question of the present wave: a ring may be asked again, because letters get lost."""
        return Poll(wave=self._number)

    def hear(self, status: Status) -> None:
        """Take a status: one of an earlier wave counts for nothing."""
        if status.wave == self._number and status.ring in self._rings:
            self._statuses.setdefault(status.ring, status)

    @property
    def missing(self) -> frozenset[int]:
        """The rings that have not answered in the present wave."""
        return self._rings - self._statuses.keys()

    def ended(self) -> bool:
        """Whether the crawl has ended. Called once in each wave, after it."""
        known = self._statuses.values()
        idle = not self.missing and all(each.idle for each in known)
        now = frozenset((each.ring, each.life, each.activity, each.epoch) for each in known) if idle else None
        ended, self._last = now is not None and now == self._last, now
        return ended


class Silence:
    """For how long a ring has not answered what it was asked."""

    def __init__(self) -> None:
        self._since: float | None = None

    def asked(self, now: float, *, waits: bool) -> float:
        """Return the seconds since the first question without an answer; 0 if it `waits` for its machine."""
        if waits:
            self._since = None
        elif self._since is None:
            self._since = now
        return 0.0 if self._since is None else now - self._since

    def over(self) -> None:
        """It has answered."""
        self._since = None


def reached(limits: Crawl, statuses: Iterable[Status], seconds: float) -> str:
    """Return the limit that the rings have reached together, "" if there is none."""
    known = list(statuses)
    if 0 < limits.max_time <= seconds:
        return "max_time"
    if 0 < limits.max_pages <= sum(each.fetched for each in known):
        return "max_pages"
    if 0 < limits.max_bytes <= sum(each.bytes for each in known):
        return "max_bytes"
    return ""
