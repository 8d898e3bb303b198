"""Which host is next: two clocks, one per host and one per address, and a share for each registrable domain.

A heap orders the hosts by their next moment. A host that is due waits for its address if another host at that address
is locked or was requested a moment ago. So an address with ten thousand hosts is examined once per turn, and not ten
thousand times (as in the workbench of BUbiNG: Boldi, Marino, Santini, Vigna, 2018). A host whose domain has its share
of the requests in flight waits until one of them ends or no other domain has a host that is due. A host that uses up
its slice without a turn, because its URLs are refused, goes behind all others: hosts that are due come first.

Hosts that may be slow have a joint share too, because a request that takes two minutes cannot be ended early for other
hosts. So a quarter of the turns is for hosts that were fast the last time. Look-ups have a limit of their own, and a
domain has a share of it; names whose look-up failed before come behind new ones.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count

from ttcrawl.frontier.host import Address, Domain, Host, RobotsGate
from ttcrawl.frontier.line import Line

#: Searches for a host per host taken from behind, however many others are due.
BEHIND = 16

#: Share of the turns in flight for hosts that may be slow.
DOUBTFUL = 0.75

#: Look-ups in flight: a small name server takes 150 at once.
LOOK_UPS = 128


class Workbench:
    """Hosts that have work and may take one more turn. Moments are seconds since the epoch.

    `address_delay`: seconds between two requests to an address (a host's own delay if that is shorter); 0: none.
    `most`: turns that may be in flight; while others wait, a domain may take `share` of them, and of look-ups. `rank`:
    of the best URL of a host, smaller is better: of the hosts that are due, the best one is next; None: the one that
    is due for the longest time.
    """

    def __init__(
        self, address_delay: float, most: int, share: float, rank: Callable[[Host], int] | None = None
    ) -> None:
        self._delay = address_delay
        self._share = max(1, int(most * share))
        self._most_doubtful = max(1, int(most * DOUBTFUL))
        self._doubtful = 0  # turns in flight of hosts that may be slow
        self._doubted: deque[Host] = deque()  # hosts that may be slow, and wait for one of these to end
        self._look_ups, self._look_up_share = 0, max(1, int(LOOK_UPS * share))
        self._unresolved: tuple[deque[Host], deque[Host]] = deque(), deque()  # names that are new, and others
        self._heap: list[tuple[float, int, Host | Address]] = []
        self._aside: dict[Domain, None] = {}  # domains over their share with hosts that wait, in the order of service
        self._behind: deque[Host] = deque()
        self._due_now: Line[Host | Address] | None = Line(partial(_best, rank)) if rank else None
        self._first: Host | None = None  # it continues before all others
        self._looks = 0
        self._recent: dict[Address, float] = {}  # requested a moment ago: kept until then
        self._serial = count()
        self.waiting = 0  # hosts here

    def rank_hosts(self, rank: Callable[[Host], int]) -> None:
        """Let the smallest rank be next. Call it before there are hosts."""
        self._due_now = Line(partial(_best, rank))

    def put(self, host: Host) -> None:
        """Add a host that wants a turn."""
        if not host.scheduled:
            host.scheduled = True
            self.waiting += 1
            self._push(host.turn_at, host)

    def put_first(self, host: Host) -> None:
        """Let a host continue at once, because its turn took no request."""
        if not host.scheduled:
            assert self._first is None
            host.scheduled = True
            self.waiting += 1
            self._first = host

    def put_behind(self, host: Host, *, first: bool) -> None:
        """Add a host whose work ran out before it had a turn; `first`: before the others behind."""
        host.scheduled = True
        self.waiting += 1
        if first:
            self._behind.appendleft(host)
        else:
            self._behind.append(host)

    def next(self, now: float) -> Host | None:
        """Remove and return a host that may have its turn now."""
        if (host := self._first) is not None:
            self._first = None
            if self._may(host, now, self._share):
                return self._go(host)
        self._looks += 1
        if self._behind and self._looks % BEHIND == 0 and (behind := self._from_behind(now, self._share)) is not None:
            return behind
        while (host := self._due(now)) is not None:
            if self._may(host, now, self._share):
                return self._go(host)
        while self._aside:
            domain = next(iter(self._aside))
            del self._aside[domain]
            host = domain.waiting.popleft()
            if domain.waiting:
                self._aside[domain] = None  # at the end: in turn
            if self._may(host, now, None):
                return self._go(host)
        return self._from_behind(now, None)

    def _from_behind(self, now: float, share: int | None) -> Host | None:
        while self._behind:
            host = self._behind.popleft()
            if self._may(host, now, share):
                return self._go(host)
        return None

    def hold(self, host: Host) -> None:
        """Lock a host that has got a turn."""
        host.locks += 1
        host.domain.in_flight += 1
        if host.doubtful:
            host.doubted += 1
            self._doubtful += 1
        if host.place is not None:
            host.place.locked = True

    def look_up(self, host: Host) -> None:
        """Count a look-up that begins."""
        host.locks += 1
        host.domain.looking_up += 1
        self._look_ups += 1

    def end_look_up(self, host: Host) -> None:
        """Count a look-up that has ended."""
        host.locks -= 1
        domain = host.domain
        domain.looking_up -= 1
        self._look_ups -= 1
        new, again = self._unresolved
        for waiting in (domain.unresolved, new, again):
            if waiting:
                back = waiting.popleft()
                self._push(back.turn_at, back)

    def release(self, host: Host, ended: float) -> None:
        """Unlock a host after the outcome of a turn; its request ended at `ended`."""
        address = host.place
        if address is not None:
            address.ended, address.delay = max(address.ended, ended), min(self._delay, host.delay)
            self._remember(address, ended)
        self.give_back(host)

    def give_back(self, host: Host) -> None:
        """End a turn without a request, as far as the clocks are concerned."""
        host.locks -= 1
        domain, address = host.domain, host.place
        domain.in_flight -= 1
        if host.doubted:
            host.doubted -= 1
            self._doubtful -= 1
            if self._doubted and self._doubtful < self._most_doubtful:
                back = self._doubted.popleft()
                self._push(back.turn_at, back)
        if domain.waiting and domain.in_flight < self._share:
            back = domain.waiting.popleft()
            if not domain.waiting:
                del self._aside[domain]
            self._push(back.turn_at, back)
        if address is not None:
            self.unlock(address)

    def unlock(self, address: Address) -> None:
        """Let hosts have turns at an address."""
        address.locked = False
        self._offer(address)

    def next_moment(self) -> float:
        """Return when `next` may have a host; infinity if only a release can bring one."""
        if self._first is not None or self._aside or self._behind or self._due_now:
            return 0.0
        return self._heap[0][0] if self._heap else float("inf")

    def next_host(self) -> Host | None:
        """Return the host whose next moment is the earliest."""
        first = self._due_now.first if self._due_now else self._heap[0][2] if self._heap else None
        return first.waiting.first if isinstance(first, Address) else first

    def risen(self, host: Host) -> None:
        """Note that a host may have a better URL than before."""
        if self._due_now is not None and host.line is not None:
            host.line.rise(host)
            if host.place is not None and host.place.line is not None:
                host.place.line.rise(host.place)

    def forget(self, hosts: Sequence[Host]) -> None:
        """Take hosts that are leaving out of all lines from which one host comes for each that ends: it would come for
        nothing. In the others, `_may` finds them."""
        lines = [self._doubted, self._behind, *self._unresolved, *(host.domain.unresolved for host in hosts)]
        for line in lines:
            for host in [each for each in line if each.leaving]:
                line.remove(host)
                self._go(host)

    # -- internals ------------------------------------------------------------------------------------------------

    def _remember(self, address: Address, ended: float) -> None:
        """Keep an address in memory for its delay, even if its host leaves, is looked up again or tries another one."""
        self._recent.pop(address, None)
        self._recent[address] = ended + self._delay
        while self._recent[first := next(iter(self._recent))] <= ended:
            del self._recent[first]

    def _push(self, moment: float, entry: Host | Address) -> None:
        heapq.heappush(self._heap, (moment, next(self._serial), entry))

    def _offer(self, address: Address) -> None:
        """Put an address with waiting hosts into the heap, unless it is there or locked."""
        if address.waiting and not address.scheduled and not address.locked:
            address.scheduled = True
            self._push(address.free_at, address)

    def _wait(self, host: Host, address: Address) -> None:
        address.waiting.append(host)
        if address.line is not None:
            address.line.rise(address)
        self._offer(address)

    def _due(self, now: float) -> Host | None:
        """Return the next host that is due, by its own clock or by the clock of the address it waits for."""
        while (entry := self._next_entry(now)) is not None:
            if isinstance(entry, Host):
                if entry.place is None or not entry.place.waiting:
                    return entry
                self._wait(entry, entry.place)  # behind those that have waited longer
                continue
            entry.scheduled = False
            if entry.locked or not entry.waiting:
                continue
            if entry.free_at > now:
                self._offer(entry)
                continue
            host = entry.waiting.popleft()
            self._offer(entry)  # the next one, in case this host does not take its turn
            return host
        return None

    def _next_entry(self, now: float) -> Host | Address | None:
        heap, due_now = self._heap, self._due_now
        if due_now is None:
            return heapq.heappop(heap)[2] if heap and heap[0][0] <= now else None
        while heap and heap[0][0] <= now:
            due_now.append(heapq.heappop(heap)[2])
        return due_now.popleft() if due_now else None

    def _may(self, host: Host, now: float, share: int | None) -> bool:
        """Return whether a host taken from its queue may have a turn; if not, it is put into another queue."""
        if host.leaving:
            self._go(host)
            return False
        if host.turn_at > now:  # its clock has changed meanwhile
            self._push(host.turn_at, host)
            return False
        if host.locks and host.health.slower > 1:  # its release brings it back
            self._go(host)
            return False
        if host.gate is RobotsGate.SHUT and not host.foreign_robots:
            return True  # it will receive no request
        if host.unresolved(now):
            return self._may_look_up(host)
        address = host.place
        if address is not None and (address.locked or address.free_at > now):
            self._wait(host, address)
            return False
        if share is not None and host.domain.in_flight >= share:
            host.domain.waiting.append(host)
            self._aside[host.domain] = None
            return False
        if self._doubtful >= self._most_doubtful and host.doubtful:
            self._doubted.append(host)
            return False
        return True

    def _may_look_up(self, host: Host) -> bool:
        if host.domain.looking_up >= self._look_up_share:
            host.domain.unresolved.append(host)
            return False
        if self._look_ups >= LOOK_UPS:
            self._unresolved[host.lookups > 0].append(host)
            return False
        return True

    def _go(self, host: Host) -> Host:
        host.scheduled = False
        self.waiting -= 1
        return host


def _best(rank: Callable[[Host], int], waiter: Host | Address) -> float:
    """The rank of a host, or of the best host that waits for an address."""
    host = waiter.waiting.first if isinstance(waiter, Address) else waiter
    return rank(host) if host is not None else float("inf")
