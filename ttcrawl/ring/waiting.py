"""Answers that wait for a parse process, and their order.

Each registrable domain has its own queue. The waiting domain that has used the least time comes first, so a domain of
slow pages has only its share of the parse processes (start-time fair queueing: Goyal, Vin, Cheng, 1996). A domain gains
no credit while it has no answers waiting.
"""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush, heapreplace
from itertools import count
from typing import TypeAlias

#: Seconds for one page that make its domain a slow one.
SLOW = 0.25

#: Factor by which each page reduces the expected time of the next one in a slow domain, unless it takes longer itself.
FORGET = 0.9

#: Least cost of a page, seconds, so that domains of quick pages take turns.
TICK = 1e-3

#: Domains with a known time; those that have used no more than others are forgotten first.
MAX_DOMAINS = 10_000

#: A queue: the domain, and whether the queue has its long pages.
Key: TypeAlias = tuple[str, bool]
#: Time used by the domain, number in the order of beginning to wait, queue.
Entry: TypeAlias = tuple[float, int, Key]


class Waiting:
    """Tokens by domain. Time is the time that parse processes spent on pages of the domain, in seconds.

    The next domain is at the top of a heap, also while thousands wait. The time of a domain only increases, so an entry
    with an earlier one is corrected when it is at the top.
    """

    def __init__(self, max_domains: int = MAX_DOMAINS) -> None:
        self._max_domains = max_domains
        self._queues: dict[Key, deque[int]] = {}  # two per domain: long pages and others
        self._heaps: tuple[list[Entry], list[Entry]] = ([], [])  # of quick queues, of slow ones
        self._entries: dict[Key, Entry] = {}  # the valid one of each queue
        self._numbers = count()
        self._used: dict[str, float] = {}
        self._expected: dict[str, float] = {}  # seconds for the next page, of slow domains
        self._least = 0.0  # the time used by the domain that had the last turn

    def __bool__(self) -> bool:
        return bool(self._queues)

    def put(self, domain: str, token: int, *, long: bool = False, first: bool = False) -> None:
        """Add an answer. `long`: the page is slow whatever its domain; `first`: before the others of its domain."""
        key = (domain, long)
        queue = self._queues.get(key)
        if queue is None:
            queue = self._queues[key] = deque()
            self._used[domain] = max(self._used.get(domain, 0.0), self._least)
            self._enter(key, next(self._numbers))
        (queue.appendleft if first else queue.append)(token)

    def _enter(self, key: Key, number: int) -> None:
        domain, long = key
        entry = self._entries[key] = (self._used[domain], number, key)
        heappush(self._heaps[long or domain in self._expected], entry)

    def take(self, *, slow: bool) -> int | None:
        """Remove and return the next answer that is expected to be slow, or quick; None if there is none."""
        key = self._first(self._heaps[slow])
        if key is None:
            return None
        queue, domain = self._queues[key], key[0]
        token = queue.popleft()
        if not queue:
            del self._queues[key], self._entries[key]
        self._least = max(self._least, self._used[domain])
        self._used[domain] += TICK
        return token

    def _first(self, heap: list[Entry]) -> Key | None:
        """The queue of the domain that has used the least time; of several the one that has waited longest."""
        while heap:
            entry = used, number, key = heap[0]
            if self._entries.get(key) is not entry:
                heappop(heap)
            elif used != (now := self._used[key[0]]):
                self._entries[key] = (now, number, key)
                heapreplace(heap, self._entries[key])
            else:
                return key
        return None

    def has(self, *, slow: bool) -> bool:
        """Whether an answer of this kind waits."""
        return self._first(self._heaps[slow]) is not None

    def slow(self, domain: str) -> bool:
        """Whether the next page of this domain is expected to be slow."""
        return domain in self._expected

    @property
    def expects_slow(self) -> bool:
        """Whether pages of any domain are expected to be slow."""
        return bool(self._expected)

    def spent(self, domain: str, seconds: float, *, long: bool = False) -> None:
        """Add the time of a page that was parsed or given up. A `long` page says nothing about others of its domain."""
        self._used[domain] = self._used.get(domain, self._least) + seconds
        was_slow = domain in self._expected
        if not long and (seconds >= SLOW or was_slow):
            expected = max(seconds, FORGET * self._expected.pop(domain, 0.0))
            if expected >= SLOW:
                self._expected[domain] = expected
            if (expected >= SLOW) != was_slow and (entry := self._entries.get((domain, False))) is not None:
                self._enter((domain, False), entry[1])
        if len(self._used) > self._max_domains:
            self._forget()

    def _forget(self) -> None:
        waiting = {domain for domain, _ in self._queues}
        recent = {each: used for each, used in self._used.items() if used > self._least or each in waiting}
        self._used = recent if len(recent) <= self._max_domains else {each: recent[each] for each in waiting}
        self._expected = {each: seconds for each, seconds in self._expected.items() if each in self._used}
