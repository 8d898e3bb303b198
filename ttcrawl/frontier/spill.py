"""Hosts whose queued URLs wait in the database are taken into memory, all in turn."""

from __future__ import annotations

from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.store.sqlite import Store

#: Sites looked at in one go when hosts are taken into memory.
WAKE = 1000

#: Hosts that are taken into memory in one go.
AT_ONCE = 2000


class Spill:
    def __init__(self, store: Store, ledger: Ledger, frontier: Frontier) -> None:
        self._store = store
        self._ledger = ledger
        self._frontier = frontier
        self._woken = 0  # the site up to which hosts were woken in this round

    def resume(self, now: float) -> None:
        """Take up what earlier runs left queued.

        If the last run was killed there have been exchanges that are not in the tables. So that no delay is broken,
        every host is treated as if its last exchange had ended now.
        """
        self._frontier.unknown_until = now
        self._frontier.asleep = True
        self.wake_more()

    def wake_more(self) -> None:
        """Take hosts that have queued URLs into memory, as many as there is room for, all in turn.

        Those of domains that have their share only when a whole round has found no others.
        """
        hosts = self._frontier.hosts
        if hosts.vacancy:
            room = hosts.room(AT_ONCE)
            taken, skipped = self._wake_round(room, alone=False)
            if taken == room:
                return
            more = 0
            if skipped:
                more, skipped = self._wake_round(room - taken, alone=True)
            hosts.relieved, hosts.vacancy = 0, taken + more == room
            self._frontier.asleep = skipped or hosts.vacancy
            return
        room = min(hosts.room(AT_ONCE), hosts.relieved)
        taken, skipped = self._wake_round(room, alone=True)
        hosts.relieved -= taken
        if taken < room:
            hosts.relieved, self._frontier.asleep = 0, skipped

    def _wake_round(self, room: int, *, alone: bool) -> tuple[int, bool]:
        """Hosts taken in one round, at most `room`; and whether some were not, for their domain has its share."""
        hosts, first, taken, skipped, came_round = self._frontier.hosts, self._woken, 0, False, self._woken == 0
        while taken < room:
            rows = self._store.sites_with_queue(self._woken, WAKE)
            for site, name in rows:
                if came_round and site > first > 0:
                    return taken, skipped
                self._woken = site
                if name in hosts:
                    continue
                if hosts.crowded(name, alone=alone):
                    skipped = True
                    continue
                self._ledger.host(name, site)
                taken += 1
                if taken == room:
                    return taken, skipped
            if len(rows) < WAKE:  # after the last site comes the first
                if came_round:
                    return taken, skipped
                self._woken, came_round = 0, True
        return taken, skipped
