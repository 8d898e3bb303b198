"""Answers that wait for a parse process, and whose turn it is.

Each registrable domain has its own queue, and of those that wait the one that has used the least time comes first, so
a domain of slow pages has its share of the parse processes and no more (start-time fair queueing: Goyal, Vin, Cheng,
1996). One that waited for nothing meanwhile has saved nothing up.
"""

from __future__ import annotations

from collections import deque

#: Seconds with one page from which on the pages of its domain are slow ones.
SLOW = 0.25

#: A domain is slow until so many quick pages, about: each makes what is expected of the next one less by this factor.
FORGET = 0.9

#: What a page costs at least, seconds: so that domains of quick ones take turns.
TICK = 1e-3

#: Domains of which the time is known; those that have used no more than others are forgotten first.
KNOWN = 10_000


class Waiting:
    """Tokens by domain. Time is what a parse process spent with pages of the domain, in seconds."""

    def __init__(self) -> None:
        self._queues: dict[tuple[str, bool], deque[int]] = {}  # of each domain its long pages and the others
        self._used: dict[str, float] = {}
        self._expected: dict[str, float] = {}  # seconds for the next page, of slow domains
        self._least = 0.0  # what the last domain to have its turn had used

    def __bool__(self) -> bool:
        return bool(self._queues)

    def put(self, domain: str, token: int, *, long: bool = False, first: bool = False) -> None:
        """`long`: the page is slow whatever its domain; `first`: before what waits of the same domain."""
        queue = self._queues.get((domain, long))
        if queue is None:
            queue = self._queues[domain, long] = deque()
            self._used[domain] = max(self._used.get(domain, 0.0), self._least)
        (queue.appendleft if first else queue.append)(token)

    def take(self, *, slow: bool) -> int | None:
        """The next one of those that are expected to be slow, or of the others; None if there is none."""
        places = [each for each in self._queues if (each[1] or each[0] in self._expected) == slow]
        if not places:
            return None
        place = min(places, key=lambda each: self._used[each[0]])
        queue, domain = self._queues[place], place[0]
        token = queue.popleft()
        if not queue:
            del self._queues[place]
        self._least = max(self._least, self._used[domain])
        self._used[domain] += TICK
        return token

    def has(self, *, slow: bool) -> bool:
        """Something of that kind waits."""
        return any((long or domain in self._expected) == slow for domain, long in self._queues)

    def slow(self, domain: str) -> bool:
        """The next page of this domain is expected to take long."""
        return domain in self._expected

    def spent(self, domain: str, seconds: float) -> None:
        """A page of this domain has been read, or was given up."""
        self._used[domain] = self._used.get(domain, self._least) + seconds
        if seconds >= SLOW or domain in self._expected:
            expected = max(seconds, FORGET * self._expected.pop(domain, 0.0))
            if expected >= SLOW:
                self._expected[domain] = expected
        if len(self._used) > KNOWN:
            self._forget()

    def _forget(self) -> None:
        waiting = {domain for domain, _ in self._queues}
        kept = {each: used for each, used in self._used.items() if used > self._least or each in waiting}
        self._used = kept if len(kept) <= KNOWN else {each: kept[each] for each in waiting}
        self._expected = {each: seconds for each, seconds in self._expected.items() if each in self._used}
