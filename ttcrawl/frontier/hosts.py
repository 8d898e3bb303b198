"""The hosts in memory, and which hosts may be there."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from weakref import WeakValueDictionary

from ttcrawl.frontier.host import Address, Domain, Host, RobotsGate
from ttcrawl.frontier.line import Line
from ttcrawl.web.url import registrable_domain

#: Hosts that together always may have their most URLs in memory: while there are fewer, each of them has more.
FEW = 100


class Hosts(dict[str, Host]):
    """Hosts by name, at most `most` unless more have work at once; `forget(host)` is called when one leaves.

    `urls_each`: queued URLs that a host may have in memory now. To read those of a host from the database costs as much
    as what waits to be written, whatever their number, so few hosts share the memory of `FEW`.
    While other domains wait, a registrable domain may have at most `share` of `most` hosts with work in memory. When no
    other domain waits, it may use all of them except such a share.
    """

    def __init__(
        self,
        most: int,
        urls_per_host: int,
        share: float,
        forget: Callable[[Host], None],
        rank: Callable[[Host], int] | None = None,
    ) -> None:
        """`rank`: of the best URL of a host, smaller is better; None: hosts go on in the order in which they came."""
        super().__init__()
        self._urls_per_host, self._urls_of_few = urls_per_host, urls_per_host * min(most, FEW)
        self.urls_each = self._urls_of_few
        self._of_domain: Callable[[Host], float] = rank or _all_alike
        self._of_address: Callable[[Host], float] = rank or attrgetter("turn_at")
        self._most = most
        self._share = max(1, int(most * share))
        self._most_of_one = max(self._share, most - self._share)
        self._forget = forget
        self._idle: dict[Host, None] = {}  # hosts without work, the longest idle first
        # these live as long as one of their hosts is here; an address longer, while the workbench keeps its clock
        self._domains: WeakValueDictionary[str, Domain] = WeakValueDictionary()
        self._addresses: WeakValueDictionary[str, Address] = WeakValueDictionary()
        self.on_new_address: Callable[[str, Address], None] | None = None  # set in a cluster
        self.vacancy = True  # hosts of domains below their share may wait for memory
        self.relieved = 0  # hosts of limited domains that have become idle since then

    def rank_hosts(self, rank: Callable[[Host], float]) -> None:
        """Let the smallest rank of a domain, or at an address, be next. Call it before there are hosts."""
        self._of_domain = self._of_address = rank

    def add(self, site: int, name: str, delay: float, delay_from: str, not_before: float) -> Host:
        owner = registrable_domain(name)
        domain = self._domains.get(owner)
        if domain is None:
            domain = self._domains[owner] = Domain(waiting=Line(self._of_domain))
        domain.awake += 1
        host = self[name] = Host(
            site=site, name=name, domain=domain, delay=delay, delay_from=delay_from, not_before=not_before
        )
        self.urls_each = max(self._urls_per_host, self._urls_of_few // len(self))
        return host

    def address_of(self, address: str, ended: float, delay: float) -> Address:
        """Return the clock of an address; `ended` and `delay` are the values for a new one."""
        known = self._addresses.get(address)
        if known is None:
            known = self._addresses[address] = Address(ended=ended, delay=delay, waiting=Line(self._of_address))
            if self.on_new_address is not None:
                self.on_new_address(address, known)
        return known

    # -- room -----------------------------------------------------------------------------------------------------

    def room(self, wanted: int) -> int:
        """Return how many of `wanted` hosts fit into memory, after idle ones have left it for them."""
        while self._idle and len(self) + wanted > self._most:
            self._leave(next(iter(self._idle)))
        return max(0, min(wanted, self._most - len(self)))

    def much_room(self) -> bool:
        """Whether a tenth of the memory for hosts is free or idle, and hosts may wait for it.

        Hosts of limited domains are looked for only when there are some to take, not whenever a host leaves.
        """
        if len(self._idle) == len(self):
            self.vacancy = True  # all hosts are idle, so domains that were limited have room
        wanted = self.vacancy or self.relieved * 10 >= self._share
        return wanted and (self._most - len(self) + len(self._idle)) * 10 >= self._most

    def crowded(self, name: str, *, alone: bool = False) -> bool:
        """Whether the domain of a host outside memory has its share; with `alone`, its limit when no other waits."""
        domain = self._domains.get(registrable_domain(name))
        limit = self._most_of_one if alone else self._share
        if domain is None or domain.awake < limit:
            return False
        domain.limited = True
        return True

    def remove(self, host: Host) -> None:
        """Let a host leave that has no turn in flight, whatever it has to do."""
        self.rouse(host)
        host.domain.awake -= 1
        self._idle[host] = None
        self._leave(host)

    def _leave(self, host: Host) -> None:
        del self._idle[host], self[host.name]
        self.urls_each = max(self._urls_per_host, self._urls_of_few // max(len(self), 1))
        self._forget(host)

    # -- idle or not ----------------------------------------------------------------------------------------------

    def rest(self, host: Host) -> None:
        """Note whether a host is idle."""
        # a scheduled host may have no work left: its turn will show
        if (
            host.locks
            or host.queue.known
            or host.scheduled
            or host.wants()
            or host.login.waits
            or host.gate is RobotsGate.READING
            or host.leaving
        ):
            self.rouse(host)
        elif host not in self._idle:
            self._idle[host] = None
            host.domain.awake -= 1
            self.relieved += host.domain.limited

    def rouse(self, host: Host) -> None:
        """Note that a host has work."""
        if host in self._idle:
            del self._idle[host]
            host.domain.awake += 1
            self.relieved = max(0, self.relieved - host.domain.limited)


def _all_alike(host: Host) -> float:
    return 0.0
