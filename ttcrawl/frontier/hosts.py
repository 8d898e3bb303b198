"""The hosts in memory, and which of them may be there."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from weakref import WeakValueDictionary

from ttcrawl.frontier.host import Gate, Host
from ttcrawl.frontier.place import Address, Domain
from ttcrawl.url import registrable_domain


class Hosts(dict[str, Host]):
    """Hosts by name, at most `most` unless more are wanted at once; `forget(host)` is called for one that leaves.

    A registrable domain has a share: of its hosts of which something is wanted, so many may be here.
    """

    def __init__(self, most: int, share: float, forget: Callable[[Host], None]) -> None:
        super().__init__()
        self._most = most
        self._of_a_domain = max(1, int(most * share))
        self._forget = forget
        self._idle: dict[Host, None] = {}  # nothing is wanted of them; the longest idle first
        # these live as long as one of their hosts is here; an address a little longer, for its delay goes on
        self._domains: WeakValueDictionary[str, Domain] = WeakValueDictionary()
        self._addresses: WeakValueDictionary[str, Address] = WeakValueDictionary()
        self._left: deque[Address | None] = deque(maxlen=max(most, 10_000))
        self.vacancy = True  # it may be worth looking for hosts that could be taken in

    def add(self, site: int, name: str, delay: float, delay_from: str, not_before: float) -> Host:
        owner = registrable_domain(name)
        domain = self._domains.setdefault(owner, Domain())
        domain.awake += 1
        host = self[name] = Host(
            site=site, name=name, domain=domain, delay=delay, delay_from=delay_from, not_before=not_before
        )
        return host

    def place(self, address: str, ended: float, delay: float) -> Address:
        """The clock of an address; `ended` and `delay` are those of one that is not known yet."""
        return self._addresses.get(address) or self._addresses.setdefault(address, Address(ended=ended, delay=delay))

    # -- room -----------------------------------------------------------------------------------------------------

    def room(self, wanted: int) -> int:
        """How many of so many hosts may be taken into memory; for their sake idle ones leave it."""
        while self._idle and len(self) + wanted > self._most:
            self._leave(next(iter(self._idle)))
        return max(0, min(wanted, self._most - len(self)))

    def much_room(self) -> bool:
        """A tenth of the memory for hosts is free or idle, and there may be hosts that want it."""
        return self.vacancy and (self._most - len(self) + len(self._idle)) * 10 >= self._most

    def crowded(self, name: str) -> bool:
        """The domain of a host that is not here has its share; when it has less again there is a vacancy."""
        domain = self._domains.get(registrable_domain(name))
        if domain is None or domain.awake < self._of_a_domain:
            return False
        domain.crowded = True
        return True

    def _leave(self, host: Host) -> None:
        del self._idle[host], self[host.name]
        self._left.append(host.place)
        self._forget(host)

    # -- idle or not ----------------------------------------------------------------------------------------------

    def rest(self, host: Host) -> None:
        """Note whether a host is idle."""
        if host.held or host.known or host.wants() or host.gate is Gate.READING:
            self.rouse(host)
        elif host not in self._idle:
            self._idle[host] = None
            domain = host.domain
            domain.awake -= 1
            if domain.crowded and domain.awake * 10 <= self._of_a_domain * 9:
                domain.crowded, self.vacancy = False, True

    def rouse(self, host: Host) -> None:
        """Something is wanted of a host."""
        if host in self._idle:
            del self._idle[host]
            host.domain.awake += 1
