"""Hosts that wait: in the order in which they came, or the one with the best URL first."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count
from typing import Any, Generic, Protocol, TypeVar


class Waiter(Protocol):
    """Something that stands in one line at a time. The line sets both."""

    line: Line[Any] | None
    ticket: tuple[float, int]  # its key, and the order of arrival


T = TypeVar("T", bound=Waiter)


class Line(Generic[T]):
    """Who comes first: the smallest `key`, and of equal ones the one that came first."""

    def __init__(self, key: Callable[[T], float]) -> None:
        self._key = key
        self._heap: list[tuple[float, int, T]] = []  # with outdated entries of those that have risen
        self._tickets = count(1)
        self._waiting = 0

    def __len__(self) -> int:
        return self._waiting

    @property
    def first(self) -> T | None:
        heap = self._heap
        while heap and not self._is_valid(heap[0]):
            heapq.heappop(heap)
        return heap[0][2] if heap else None

    def append(self, waiter: T) -> None:
        self._waiting += 1
        waiter.line = self
        self._enter(waiter, self._key(waiter))

    def popleft(self) -> T:
        """Remove and return the first one. Raises IndexError."""
        while True:
            entry = heapq.heappop(self._heap)
            if self._is_valid(entry):
                break
        waiter = entry[2]
        waiter.line = None
        self._waiting -= 1
        return waiter

    def rise(self, waiter: T) -> None:
        """Note that the key of one in the line may have become smaller."""
        if (key := self._key(waiter)) < waiter.ticket[0]:
            self._enter(waiter, key)

    def _enter(self, waiter: T, key: float) -> None:
        waiter.ticket = (key, next(self._tickets))
        heapq.heappush(self._heap, (*waiter.ticket, waiter))

    def _is_valid(self, entry: tuple[float, int, T]) -> bool:
        return entry[2].line is self and entry[2].ticket == entry[:2]
