"""Which parse process takes the next answer, when the crawl process must hurry for it, and how long messages gather."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from ttcrawl.ring.clock import Clock
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.pool import Worker
from ttcrawl.ring.sizes import Demand
from ttcrawl.ring.waiting import SLOW, Waiting

#: A parse process with fewer answers gets the next one at once.
HUNGRY = 2

#: Answers in the queue of a parse process: with slow pages, and at most.
LEAST_AHEAD, MOST_AHEAD = 3, 64

#: Work in the queue of a parse process beyond the least, seconds.
WORK_AHEAD = 0.04

#: Longest wait for more messages, seconds. Each wake-up also costs the other processes their caches: with 4 ms, a page
#: of the documentation sites takes 4 % more processor time in all of them together, 10 % on a busy machine.
LONGEST = 0.024

#: Least weight of one page in the mean time of a page.
WEIGHT = 1 / 32

T = TypeVar("T")


class Gathering:
    """How long messages gather, by the time of a page in the outcomes of parse processes.

    A wake-up costs as much as processing several messages. So while every parse process has enough work, the crawl
    process leaves messages in the sockets and reads several at once. If a worker dies, its messages can still be
    read.
    """

    def __init__(self) -> None:
        self._mean = WORK_AHEAD  # seconds of a page: before the first outcome, pages count as slow
        self._weight = 1.0  # of the next page

    def parsed(self, seconds: float) -> None:
        """Note the processor time of a page. Elapsed time would include waits for its turn, which are the longer the
        longer messages gather. Beyond a limit it does not count, or one slow page would outweigh a hundred."""
        self._mean += self._weight * (min(seconds, WORK_AHEAD) - self._mean)
        self._weight = max(WEIGHT, self._weight / (1 + self._weight))  # the mean of all of the first pages

    @property
    def ahead(self) -> int:
        """The number of answers in the queue of a parse process, so that it never waits for the next one."""
        return max(LEAST_AHEAD, min(MOST_AHEAD, int(WORK_AHEAD / max(self._mean, 1e-6))))

    def seconds(self, queues: Sequence[int]) -> float:
        """Return how long messages may gather. `queues`: answers in the queue of each parse process.

        The first answer of a queue may be almost parsed. The others take their mean time, less its standard deviation:
        some pages are much quicker than others, so times of pages count as exponentially distributed.
        """
        if self._weight == 1.0:
            return 0.0  # nothing is known
        others = max(0, min(queues, default=0) - 1)
        return min(LONGEST, (others - math.sqrt(others)) * self._mean)


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
        least = self._least(self._regular)
        if least is None and all(self.occupied(each) for each in self._regular):
            least = self._least(self._additional)  # they know less of the crawl, so they cost more
        return least

    def _least(self, parsers: Sequence[Worker]) -> Worker | None:
        """Return the process with the fewest answers, of those that would parse a page soon."""
        return next(filter(self._takes, sorted(parsers, key=lambda each: len(each.tokens))), None)

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
