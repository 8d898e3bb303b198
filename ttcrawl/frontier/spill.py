"""Load hosts whose queued URLs wait in the database into memory, in turn."""

from __future__ import annotations

from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.store.sqlite import Store

#: Sites read at once when hosts are loaded.
WAKE = 1000

#: Hosts loaded at once.
BATCH = 2000


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
        if not self._frontier.visits_only:
            self._frontier.asleep = True
            self.wake_more()

    def wake_more(self) -> None:
        """Load hosts that have queued URLs while there is room, in turn.

        Hosts of domains that have their share are loaded only when a complete round has found no others.
        """
        hosts = self._frontier.hosts
        if hosts.vacancy:
            room = hosts.room(BATCH)
            woken, skipped = self._wake_round(room, alone=False)
            if woken == room:
                return
            others = 0
            if skipped:
                others, skipped = self._wake_round(room - woken, alone=True)
            hosts.relieved, hosts.vacancy = 0, woken + others == room
            self._frontier.asleep = skipped or hosts.vacancy
            return
        room = min(hosts.room(BATCH), hosts.relieved)
        woken, skipped = self._wake_round(room, alone=True)
        hosts.relieved -= woken
        if woken < room:
            hosts.relieved, self._frontier.asleep = 0, skipped

    def _wake_round(self, room: int, *, alone: bool) -> tuple[int, bool]:
        """Return the hosts loaded in one round, at most `room`, and whether their domain's share excluded some."""
        hosts, first, woken, skipped, is_second_round = self._frontier.hosts, self._woken, 0, False, self._woken == 0
        while woken < room:
            rows = self._store.sites.with_queue(self._woken, WAKE)
            for site, name in rows:
                if is_second_round and site > first > 0:
                    return woken, skipped
                self._woken = site
                if name in hosts or self._frontier.departures.leaves(name):
                    continue
                if hosts.crowded(name, alone=alone):
                    skipped = True
                    continue
                self._ledger.host(name, site)
                woken += 1
                if woken == room:
                    return woken, skipped
            if len(rows) < WAKE:  # after the last site comes the first
                if is_second_round:
                    return woken, skipped
                self._woken, is_second_round = 0, True
        return woken, skipped
