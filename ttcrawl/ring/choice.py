"""Which parse process takes the next answer, and when the crawl process must hurry for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from ttcrawl.ring.clock import Clock
from ttcrawl.ring.demand import Demand
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.gathering import Gathering
from ttcrawl.ring.pool import Worker
from ttcrawl.ring.waiting import SLOW, Waiting

#: A parse process with fewer answers gets the next one at once.
HUNGRY = 2

T = TypeVar("T")


class ParserChoice(Generic[T]):
    """Both sequences of processes may grow: regular ones, and additional ones for slow pages."""

    def __init__(
        self,
        flights: Mapping[int, Flight[T]],
        regular: Sequence[Worker],
        additional: Sequence[Worker],
        waiting: Waiting,
        clock: Clock,
    ) -> None:
        self._flights = flights
        self._regular, self._additional = regular, additional
        self._waiting = waiting
        self._clock = clock
        self._long: set[int] = set()  # tokens of flights that are long
        self._gathering, self._slow_pages = Gathering(), Demand(SLOW)

    # -- facts ----------------------------------------------------------------------------------------------------

    def expect_long(self, token: int) -> None:
        """Note a flight that is likely to take long."""
        self._long.add(token)

    def landed(self, token: int) -> None:
        self._long.discard(token)

    def parsed(self, flight: Flight[T], seconds: float, processor: float) -> None:
        """Note the time of a page, and its processor time."""
        self._waiting.spent(flight.domain, seconds, long=flight.long)
        self._gathering.parsed(processor)

    # -- decisions ------------------------------------------------------------------------------------------------

    @property
    def _others(self) -> Sequence[Worker]:
        """All but the first."""
        return [*self._regular[1:], *self._additional]

    def free(self, *, slow: bool) -> Worker | None:
        """Return the process that takes the next answer, slow or quick.

        The first process is reserved for answers that are likely to be quick.
        """
        if slow:  # another process must remain for quick ones
            free = [each for each in reversed(self._others) if not self.occupied(each)]
            remaining = len(free) > 1 or not self.occupied(self._regular[0])
            return min(free, key=lambda each: len(each.tokens), default=None) if remaining else None
        takes = [each for each in self._regular if self._takes(each)]
        if not takes and all(self.occupied(each) for each in self._regular):
            # additional ones know less of the crawl, so they cost more
            takes = [each for each in self._additional if self._takes(each)]
        return min(takes, key=lambda each: len(each.tokens), default=None)

    def hungry(self) -> bool:
        """Whether a process will soon have nothing to parse."""
        return any(len(each.tokens) < HUNGRY and not self.occupied(each) for each in self._regular)

    def pause(self) -> float:
        """Return the seconds for which messages may gather."""
        return self._gathering.seconds([len(each.tokens) for each in self._regular if not self.occupied(each)])

    def needs_more(self) -> bool:
        """Whether slow pages occupy all processes, or have occupied those for slow pages while others waited."""
        full = bool(self._waiting) and all(self.occupied(each) for each in self._others)
        waited = self._slow_pages.lasts(waiting=full and self._waiting.has(slow=True), now=self._clock())
        return waited or (full and self.late(self._regular[0], SLOW))

    def _takes(self, parser: Worker) -> bool:
        """Whether it would parse a page soon, as far as can be predicted."""
        return not parser.tokens or (len(parser.tokens) < self._gathering.ahead and not self.occupied(parser))

    def occupied(self, parser: Worker) -> bool:
        """Whether it has a slow page."""
        if self.late(parser, SLOW):
            return True
        if not (self._long or self._waiting.expects_slow):
            return False
        flights = (self._flights[token] for token in parser.tokens)
        return any(each.long or self._waiting.slow(each.domain) for each in flights)

    def late(self, worker: Worker, limit: float) -> bool:
        """Whether it has worked on its first item for longer than `limit` seconds."""
        return bool(worker.tokens) and self._clock() - self._flights[worker.tokens[0]].since > limit
