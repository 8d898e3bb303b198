"""Which rings may request anything at present: they share the IP addresses of the others. Pure.

A ring that is absent requests nothing: it ends by itself FENCE seconds after it has sent the last status that the
conductor is known to have heard, and its requests in flight end soon after. So the conductor counts it out once it has
heard nothing for longer than that. A ring that the conductor has never asked has borrowed nothing.

Each change begins a term, in which other rings lend: before one lends an address, all that are present have told it
what they hold. A ring enters a term with a question of the conductor that names a status of this process, so one that
was counted out is counted in before it borrows anything.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ttcrawl.cluster.messages import Poll, Status

#: Seconds that rings have for their first answer when a crawl begins, so that they begin with one term.
FIRST = 5.0


class Presence:
    """`last`: seconds after which a ring that has not answered requests nothing any more."""

    def __init__(self, rings: Iterable[int], last: float, now: float, *, fresh: bool) -> None:
        """`fresh`: no ring of another conductor can be left."""
        self._last = last
        self._until = dict.fromkeys(rings, now + (FIRST if fresh else last))  # ring -> when it is absent
        self._statuses: dict[int, Status] = {}
        self.term, self.present = 1, tuple(sorted(self._until))

    def add(self, rings: Iterable[int]) -> None:
        """Rings that join have never begun."""
        for ring in rings:
            self._until.setdefault(ring, float("-inf"))

    def hear(self, status: Status, now: float) -> None:
        """Note that a ring has answered: it may borrow addresses from now on."""
        self._statuses[status.ring] = status
        self._until[status.ring] = now + self._last
        self._update(now)

    def begun(self, ring: int) -> None:
        """A ring has another process, which has answered nothing yet; the one before may live."""
        self._statuses.pop(ring, None)

    def question(self, ring: int, poll: Poll, now: float) -> Poll:
        """Return the question of a wave as it is for one ring."""
        self._update(now)
        if (status := self._statuses.get(ring)) is None:
            return poll
        return replace(poll, life=status.life, heard=status.wave, term=self.term, present=self.present)

    def _update(self, now: float) -> None:
        present = tuple(sorted(ring for ring, until in self._until.items() if now <= until))
        if present != self.present:
            self.term, self.present = self.term + 1, present
