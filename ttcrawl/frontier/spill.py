"""Load hosts whose queued URLs wait in the database into memory, in turn."""

from __future__ import annotations

from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.store.sqlite import Store

#: Sites read at once when hosts are loaded.
WAKE = 1000

#: Hosts loaded at once.
AT_ONCE = 2000


class Spill:
    def __init__(self, store: Store, ledger: Ledger, frontier: Frontier) -> None:
        self._store = store
        self._ledger = ledger
        self._frontier = frontier
        self._woken = 0  # the last site loaded in this round

    def resume(self, now: float) -> None:
        """Load the queue of earlier runs.

        If the last run was killed, some of its requests are not in the tables. So that no delay is broken, every host
        is treated as if its last request had ended now.
        """
        self._frontier.unknown_until = now
        self._frontier.asleep = True
        self.wake_more()

    def wake_more(self) -> None:
        """Load hosts that have queued URLs while there is room, in turn.

        Hosts of domains that have their share are loaded only when a complete round has found no others.
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
        """Return the hosts loaded in one round, at most `room`, and whether their domain's share excluded some."""
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
