"""Hosts that another ring of the cluster is to own: they get no more turns, and leave memory when none is in flight."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from ttcrawl.frontier.host import ForeignRobots, Host
from ttcrawl.frontier.hosts import Hosts
from ttcrawl.frontier.probing import Probing
from ttcrawl.frontier.workbench import Workbench


class Departures:
    """Part of the frontier. `leaves(name)`: whether a host is to leave."""

    def __init__(self, hosts: Hosts, bench: Workbench, probing: Probing) -> None:
        self._hosts = hosts
        self._bench = bench
        self._probing = probing
        self.leaves: Callable[[str], bool] = _stays
        self._in_flight: list[Host] = []

    def hold_back(self, leaves: Callable[[str], bool]) -> None:
        """Begin nothing more at hosts for which `leaves` holds, nor at others of that kind that come into memory."""
        self.leaves = leaves
        held = [host for host in self._hosts.values() if leaves(host.name)]
        for host in held:
            host.leaving = True
            self._hosts.rouse(host)
        self._in_flight = [host for host in held if host.locks]

    @property
    def ready(self) -> bool:
        """Whether none of them has a request in flight."""
        self._in_flight = [host for host in self._in_flight if host.locks]
        return not self._in_flight

    def let_go(self) -> list[ForeignRobots]:
        """Remove them from memory; return the robots.txt that waited for a turn there."""
        departed = [host for host in self._hosts.values() if host.leaving]
        waiting = [each for host in departed for each in host.foreign_robots if not each.asker.leaving]
        self._bench.forget(departed)
        for host in departed:
            self.remove(host)
        for host in self._hosts.values():
            if host.foreign_robots:
                host.foreign_robots = deque(each for each in host.foreign_robots if not each.asker.leaving)
        return waiting

    def remove(self, host: Host) -> None:
        """Remove a host without a request in flight from memory: its row has all that stays known."""
        host.leaving = True
        self._probing.give_up(host)
        self._hosts.remove(host)

    def over(self) -> None:
        """Hold back nothing more."""
        self.leaves = _stays


def _stays(name: str) -> bool:
    return False
