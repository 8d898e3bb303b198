"""The servers of a piece: they show the pages as they are at the moment, and keep the log of requests."""

from __future__ import annotations

import heapq
import time
from bisect import bisect_right
from collections import defaultdict
from types import TracebackType

from tests.soak.hosts import Hosts, Key
from tests.support.web.site import Hit, Web

#: Seconds by which a change may come too early: its moment is a rounded number.
ROUNDING = 0.01


class Served:
    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts
        self._changes: list[tuple[float, Key]] = []  # a heap of the next ones
        #: page -> (moment before, moment after, edition) of each change; the first one was before all requests
        self._shown: dict[Key, list[tuple[float, float, int]]] = defaultdict(list)

    def __enter__(self) -> Served:
        now, pages = time.time(), dict(self._hosts.answers)
        for key in self._hosts.changing:
            edition = self._hosts.edition(key, now)
            pages[key] = self._hosts.shown(key, edition)
            self._shown[key].append((0.0, now, edition))
            self._changes.append((self._hosts.next_change(key, now), key))
        heapq.heapify(self._changes)
        served = {host: self._hosts.addresses[host] for host in dict.fromkeys(host for host, _ in pages)}
        self._web = Web(pages, port=self._hosts.settings.port, addresses=served)
        self._web.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._web.__exit__(kind, error, trace)

    def log(self) -> list[Hit]:
        return self._web.log()

    def change(self) -> None:
        """Show the editions of this moment."""
        before, due = time.time(), {}
        while self._changes and self._changes[0][0] <= before:
            _, key = self._changes[0]
            due[key] = self._hosts.edition(key, before + ROUNDING)
            heapq.heapreplace(self._changes, (self._hosts.next_change(key, before + ROUNDING), key))
        if due:
            self._web.change({key: self._hosts.shown(key, edition) for key, edition in due.items()})
            for key, edition in due.items():
                self._shown[key].append((before, time.time(), edition))

    def edition(self, key: Key, moment: float) -> int | None:
        """The edition that a page showed; None: it was being changed, or never changes."""
        shown = self._shown.get(key, [])
        place = bisect_right(shown, moment, key=lambda each: each[0]) - 1
        return shown[place][2] if place >= 0 and moment > shown[place][1] else None
