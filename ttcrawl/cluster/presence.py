"""Which rings may request anything at present: they share the IP addresses of the others. Pure.

A ring that is absent requests nothing. It goes on for FENCE seconds after it has sent the last status that the
conductor is known to have heard, or after it last asked the engine, which named its machine among those that live; its
requests in flight end soon after, within `last` seconds together. So the conductor counts a ring out once it has heard
nothing for longer than that, and the engine has named no machine with its disk for as long. The engine never names a
machine again that it has given up: what comes back is another one, with another process of the ring.

So rings need no conductor to go on. While there is none, nobody counts a ring out; one that begins anew takes all rings
for present. A conductor that does not reach the engine counts nobody out, and a ring that reaches neither ends. Two
conductors cannot be: the lock of the directory stands between them, as a ring's lock does between two processes of that
ring. Who continues a crawl on another machine must know that the first one is off, or has not reached the engine for a
minute: then Ray has ended its actors. Without an engine the conductor alone decides. A ring that it has never asked has
borrowed nothing.

Each change begins a term, in which other rings lend: before one lends an address, all that are present have told it
what they hold. A ring enters a term with a question of the conductor that names a status of this process, so one that
was counted out is counted in before it borrows anything. Terms rise over all conductors of a crawl.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from msgspec.structs import replace

from ttcrawl.cluster.messages import Poll, Status

#: Seconds after which a ring ends that may be counted out.
FENCE = 30.0

#: Seconds that rings have for their first answer when a crawl begins, so that they begin with one term.
FIRST = 5.0


#: Seconds between two answers of the engine in which no machine can come and go.
BLINK = 3.0


class Fence:
    """Until when a ring may go on. Before its first status is heard, it has borrowed no address, and may be busy."""

    def __init__(self, now: float) -> None:
        self._sure = now  # when it was surely not counted out
        self._known = False

    def asked(self, status_sent: float | None, now: float) -> None:
        """Note a question of the conductor, and when the last status was sent that it has heard (None: none was).

        A question alone tells nothing: it may have been under way for long.
        """
        if status_sent is not None:
            self.renew(status_sent)
            self._known = True
        elif not self._known:
            self._sure = now

    def renew(self, asked: float) -> None:
        """Note when the engine was asked that has named the machine of this ring."""
        self._sure = max(self._sure, asked)

    def is_over(self, now: float) -> bool:
        """Whether the ring must end."""
        return now - self._sure > FENCE


class Disks:
    """For how many seconds, at least, the engine has named no machine with the disk of a ring."""

    def __init__(self) -> None:
        self._watched: set[int] = set()
        self._absence: dict[int, float] = {}  # ring -> the first answer without its disk
        self._answered = 0.0

    def answered(self, there: Collection[int], asked: float, now: float) -> None:
        """Note which rings have their disk in a machine that lives."""
        before = self._absence if now - self._answered < BLINK else {}
        self._absence = {ring: before.get(ring, now) for ring in self._watched if ring not in there}
        self._answered = asked

    def absence(self, ring: int, now: float) -> float:
        """Return the seconds between two answers without its disk, if the last one is new."""
        self._watched.add(ring)
        return self._answered - self._absence.get(ring, self._answered) if now - self._answered < BLINK else 0.0


def no_engine(ring: int, now: float) -> float:
    """There is none, so nobody but the conductor knows a ring."""
    return float("inf")


class Presence:
    """`last`: seconds after which a ring requests nothing any more that was not heard.

    `absence(ring, now)`: for how many seconds, at least, the engine has named no machine with its disk.
    """

    def __init__(
        self,
        rings: Iterable[int],
        last: float,
        now: float,
        *,
        fresh: bool,
        term: int = 1,
        absence: Callable[[int, float], float] = no_engine,
    ) -> None:
        """`fresh`: no ring of another conductor can be left. `term`: the first; above those of earlier conductors."""
        self._last, self._absence = last, absence
        self._until = dict.fromkeys(rings, now + (FIRST if fresh else last))  # ring -> when it is absent
        self._borrowers: set[int] = set() if fresh else set(self._until)  # rings that may have borrowed an address
        self._statuses: dict[int, Status] = {}
        self.term, self.present = term, tuple(sorted(self._until))

    def add(self, rings: Iterable[int]) -> None:
        """Rings that join have never begun."""
        for ring in rings:
            self._until.setdefault(ring, float("-inf"))

    def hear(self, status: Status, now: float) -> None:
        """Note that a ring has answered: it may borrow addresses from now on."""
        self._statuses[status.ring] = status
        self._until[status.ring] = now + self._last
        self._borrowers.add(status.ring)
        if status.term > self.term:  # the clock of an earlier conductor was ahead
            self.term = status.term + 1
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
        present = tuple(sorted(ring for ring in self._until if not self._is_absent(ring, now)))
        if present != self.present:
            self.term, self.present = self.term + 1, present

    def _is_absent(self, ring: int, now: float) -> bool:
        return now > self._until[ring] and (ring not in self._borrowers or self._absence(ring, now) > self._last)
