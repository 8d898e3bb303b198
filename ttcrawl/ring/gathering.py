"""How long messages gather before the crawl process reads them.

A wake-up costs as much as processing several messages. So while every parse process has enough work, the crawl process
leaves messages in the sockets and reads several at once. They are safe there: if a worker dies, its messages can still
be read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

#: Answers in the queue of a parse process: with slow pages, and at most.
LEAST_AHEAD, MOST_AHEAD = 3, 8

#: Work in the queue of a parse process beyond the least, seconds.
WORK_AHEAD = 0.04

#: Longest wait for more messages, seconds. Each wake-up also costs the other processes their caches: with 4 ms, a page
#: of the documentation sites takes 4 % more processor time in all of them together, 10 % on a busy machine.
LONGEST = 0.024

#: Least weight of one page in the mean time of a page.
WEIGHT = 1 / 32


class Gathering:
    """Estimates the time of a page from the outcomes of parse processes."""

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
