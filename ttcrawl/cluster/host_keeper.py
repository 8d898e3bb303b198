"""The ring that owns a host keeps its clock: pages of any ring whose scripts request the host take it there.

Pages of this ring take it, too, so all gaps are measured by one clock. Moments never travel, only seconds: a host that
a ring gives back is free so many seconds after that has arrived, which is never too early.

A host is taken until it is given back. Letters may be lost, so the keeper sometimes repeats its answer to the ring that
has a host: who does not know the number any more gives it back. The host of a ring that answers nothing is free after
`longest`, in which all requests of a page surely end, and one delay.

A keeper that begins, because its process does or because hosts have come to it, has forgotten or never known who has
which host. It lets nobody take one before all rings that may request anything have said what they have (`RingHosts`).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from ttcrawl.cluster.messages import HostAnswer, KeeperBegins, Message
from ttcrawl.ring.clock import Clock

#: Seconds until a host that is taken is asked for again.
AGAIN = 0.02

#: Seconds until a ring that was asked what it has is asked again, and until a ring that has a host is.
REPEAT = 2.0

#: Seconds after which a ring that has not asked again for a host has lost its place among those that wait for it.
STALE = 1.0

#: The holder of a host that is not taken.
NOBODY = (0, 0)


@dataclass(slots=True)
class HostClock:
    """`waiting`: rings that want the host, the first that has asked first, and when each has asked last."""

    free_at: float = float("-inf")
    holder: tuple[int, int] = NOBODY  # ring, number of its take
    since: float = 0.0  # of the take
    delay: float = 0.0  # seconds, by its taker
    waiting: dict[int, float] = field(default_factory=dict)

    def free(self, free_at: float) -> None:
        self.holder, self.free_at = NOBODY, max(self.free_at, free_at)

    def is_next(self, ring: int, now: float) -> bool:
        """Note that a ring asks; return whether no other one has waited longer."""
        self.waiting[ring] = now
        self.waiting = {each: asked for each, asked in self.waiting.items() if now - asked <= STALE}
        return next(iter(self.waiting)) == ring


class HostKeeper:
    """`longest`: seconds in which all requests of a page surely end that has taken a host. Call `begin` first."""

    def __init__(self, ring: int, clock: Clock, send: Callable[[int, Message], None], longest: float) -> None:
        self._ring = ring
        self._clock, self._send = clock, send
        self._longest = longest
        self._clocks: dict[str, HostClock] = {}
        self._repeated = float("-inf")

    def begin(self, others: Collection[int]) -> None:
        """Ask all other rings what they have."""
        self.serial = secrets.randbits(62)
        self.began, self._opened = self._clock(), float("inf")
        self._silent = {self._ring, *others}
        self._repeated = float("-inf")

    def excuse(self, present: Collection[int]) -> None:
        """Wait for no ring that surely requests nothing since this one has begun."""
        self._silent.intersection_update(present)

    def hear(self, ring: int, serial: int, hosts: Mapping[str, int]) -> None:
        """Note what a ring has: host -> number of its take. What it says later may be older than what it takes now."""
        if serial != self.serial or ring not in self._silent:
            return
        now = self._clock()
        self._silent.discard(ring)
        for name, clock in self._clocks.items():
            if clock.holder[0] == ring and clock.holder[1] != hosts.get(name):
                clock.free(now + clock.delay)
        for name, number in hosts.items():
            clock = self._clocks.setdefault(name, HostClock())
            clock.holder, clock.since = (ring, number), now

    def take(self, ring: int, host: str, number: int, delay: float) -> float:
        """Let a ring take a host: return 0, or the seconds after which it may ask again.

        `delay`: seconds from the last visit to the next one if the last one is unknown.
        """
        now = self._clock()
        if not self._is_open(now):
            return AGAIN
        clock = self._clocks.setdefault(host, HostClock())
        if clock.holder == (ring, number):
            return 0.0
        is_next = clock.is_next(ring, now)
        if clock.holder[0] not in (0, self._ring) and now - clock.since > self._longest:
            clock.free(clock.since + self._longest + max(delay, clock.delay))
        free_at = max(clock.free_at, self._opened + delay)
        if clock.holder != NOBODY or free_at > now or not is_next:
            return max(AGAIN, free_at - now)
        del clock.waiting[ring]
        clock.holder, clock.since = (ring, number), now
        clock.delay = delay
        return 0.0

    def give(self, ring: int, host: str, number: int, wait: float | None) -> None:
        """Take a host back that is free after `wait` seconds; None: after its delay."""
        clock = self._clocks.get(host)
        if clock is not None and clock.holder == (ring, number):
            clock.free(self._clock() + (clock.delay if wait is None else wait))

    def turn(self) -> None:
        """Repeat what may be lost, and forget the hosts that are free."""
        now = self._clock()
        self._is_open(now)
        if now - self._repeated < REPEAT:
            return
        self._repeated = now
        for ring in self._silent:
            self._send(ring, KeeperBegins(sender=self._ring, serial=self.serial))
        for name, clock in list(self._clocks.items()):
            ring, number = clock.holder
            if ring not in (0, self._ring):
                self._send(ring, HostAnswer(sender=self._ring, host=name, number=number, wait=0.0))
            elif not ring and max((clock.free_at, *clock.waiting.values())) < now - STALE:
                del self._clocks[name]

    def _is_open(self, now: float) -> bool:
        """Whether it is known who has which host: all have said it, or whoever has not has none any more."""
        if self._opened > now and (not self._silent or now - self.began > self._longest):
            self._opened = now  # the last visits may have ended just now
        return self._opened <= now
