"""Rates between two snapshots of a crawl, and over the last seconds."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from msgspec import Struct

from ttcrawl.output.counters import Snapshot


class Rates(Struct, frozen=True, kw_only=True):
    """Per second, between two snapshots; None before time has passed, and of visits where there are none."""

    pages: float | None = None
    visits: float | None = None
    requests: float | None = None
    robots_only: bool = False  # every request was for a robots.txt, as at the start of a crawl of many hosts


def rates(before: Snapshot, now: Snapshot) -> Rates:
    passed = now.seconds - before.seconds
    if passed <= 0:
        return Rates()
    requests = now.requests - before.requests
    return Rates(
        pages=(now.pages - before.pages) / passed,
        visits=None if now.visits is None else (now.visits - (before.visits or 0)) / passed,
        requests=requests / passed,
        robots_only=0 < requests == now.robots_requests - before.robots_requests,
    )


class Recent:
    """The rates since the snapshot of `span` seconds ago, or the last one before."""

    def __init__(self, span: float, first: Snapshot) -> None:
        self._span = span
        # a resumed crawl begins with the pages of earlier runs, but all requests are of this one
        self._past = deque([replace(first, requests=0, robots_requests=0)])

    def until(self, now: Snapshot) -> Rates:
        while len(self._past) > 1 and now.seconds - self._past[1].seconds >= self._span:
            self._past.popleft()
        result = rates(self._past[0], now)
        self._past.append(now)
        return result
