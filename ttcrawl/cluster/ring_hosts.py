"""The hosts that the browsers of a ring take, for a visit each, from the rings that keep their clocks.

A take has a number. An answer counts for the number that is wanted at the moment, and for nothing else; a host that
comes under another number is given back at once. Numbers rise in each process of a ring, and begin at random.

When a keeper begins, this ring says which hosts it has, and from then on wants all others under new numbers. So what an
earlier keeper has granted is known to the new one, or counts for nothing. A process asks other rings for nothing before
the conductor has counted it in (see ttcrawl.cluster.presence): a keeper that begins need not wait for it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from ttcrawl.cluster.host_keeper import AGAIN, HostKeeper
from ttcrawl.cluster.messages import GiveHost, HostAnswer, HostMessage, HostsTaken, KeeperBegins, TakeHost
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.host_desk import Desk, Give, Take

#: Seconds after which another ring is asked again for a host.
ASK = 0.25

#: Seconds after which a host that no page has asked for again is not wanted any more.
UNWANTED = 2.0

#: Seconds after which a number is replaced: an answer that was under way for longer counts for nothing.
NUMBER = 10.0

#: Hosts that were given back, of which it is remembered when they are free, if the letter is lost.
REMEMBERED = 10_000


@dataclass(slots=True)
class Taken:
    """A host that a fetch process has."""

    line: int
    number: int
    delay: float


@dataclass(slots=True)
class Wish:
    """A host of another ring that fetch processes wait for."""

    number: int
    numbered: float
    wanted: float = 0.0  # when it was asked for last, by a fetch process
    asked: float = float("-inf")  # when the keeper was asked last
    free_at: float = float("-inf")  # as it has answered
    granted: bool = False


class RingHosts:
    """`owner_of(host)`: the ring that keeps its clock. `longest`: see `HostKeeper`, without the age of a number."""

    def __init__(
        self,
        ring: int,
        owner_of: Callable[[str], int],
        clock: Clock,
        send: Callable[[int, Any], None],
        longest: float,
    ) -> None:
        self._ring = ring
        self._owner_of = owner_of
        self._clock, self._send = clock, send
        self._keeper = HostKeeper(ring, clock, send, longest + NUMBER)
        self._last = secrets.randbits(30) << 32
        self._taken: dict[str, Taken] = {}
        self._wishes: dict[str, Wish] = {}
        self._free_at: dict[int, float] = {}  # number -> when the host is free
        self._counted_in = False
        self._routes: object = None
        #: Rings that this one would ask if it began again now: no other one can take a host from it.
        self.others: Collection[int] = ()

    # -- fetch processes ------------------------------------------------------------------------------------------

    def serve(self, desk: Desk) -> None:
        """Answer what fetch processes ask."""
        for line, request in desk.requests():
            if isinstance(request, Take):
                desk.answer(line, self.take(line, request.host, request.delay))
            elif isinstance(request, Give):
                self.give(line, request.host, request.wait)
            else:
                self.lost(line)

    def take(self, line: int, host: str, delay: float) -> float:
        """Take a host for a fetch process: return 0, or the seconds after which it may ask again."""
        now = self._clock()
        if host in self._taken:
            return AGAIN
        if (wish := self._wishes.get(host)) is not None and wish.granted:
            del self._wishes[host]
            self._taken[host] = Taken(line, wish.number, delay)
            return 0.0
        if (owner := self._owner_of(host)) == self._ring:
            number = self._next()
            wait = self._keeper.take(self._ring, host, number, delay)
            if not wait:
                self._taken[host] = Taken(line, number, delay)
            return wait
        if not self._counted_in:
            return AGAIN
        if wish is None:
            wish = self._wishes[host] = Wish(self._next(), now)
        wish.wanted = now
        if now - wish.asked >= ASK or wish.asked < wish.free_at <= now:
            wish.asked = now
            self._send(owner, TakeHost(sender=self._ring, host=host, number=wish.number, delay=delay))
        return max(AGAIN, wish.free_at - now)

    def give(self, line: int, host: str, wait: float) -> None:
        """Give back a host that is free after `wait` seconds."""
        taken = self._taken.get(host)
        if taken is not None and taken.line == line:
            del self._taken[host]
            self._give(host, taken.number, wait)

    def lost(self, line: int) -> None:
        """Give back all that a fetch process had, which has ended."""
        for host, taken in list(self._taken.items()):
            if taken.line == line:
                self.give(line, host, taken.delay)

    def _next(self) -> int:
        self._last += 1
        return self._last

    def _give(self, host: str, number: int, wait: float) -> None:
        self._note(number, wait)
        if (owner := self._owner_of(host)) == self._ring:
            self._keeper.give(self._ring, host, number, wait)
        else:
            self._send(owner, GiveHost(sender=self._ring, host=host, number=number, wait=wait))

    def _note(self, number: int, wait: float) -> None:
        self._free_at[number] = self._clock() + wait
        if len(self._free_at) > REMEMBERED:
            del self._free_at[next(iter(self._free_at))]

    # -- other rings ----------------------------------------------------------------------------------------------

    def enter(self, present: Collection[int], since: float) -> None:
        """Note which rings may request anything, as the conductor knew after `since`."""
        self._counted_in = self._counted_in or self._ring in present
        if self._routes is not None and since > self._keeper.began:
            self._keeper.excuse(present)

    def receive(self, message: HostMessage) -> None:
        """Process a message of another ring."""
        sender = message.sender
        if isinstance(message, TakeHost):
            if self._routes is not None and sender in self.others and self._owner_of(message.host) == self._ring:
                wait = self._keeper.take(sender, message.host, message.number, message.delay)
                answer = HostAnswer(sender=self._ring, host=message.host, number=message.number, wait=wait)
                self._send(sender, answer)
        elif isinstance(message, GiveHost):
            self._keeper.give(sender, message.host, message.number, message.wait)
        elif isinstance(message, HostAnswer):
            self._answered(message)
        elif isinstance(message, KeeperBegins):
            self._renumber()
            self._send(sender, HostsTaken(sender=self._ring, serial=message.serial, hosts=self._numbers()))
        elif self._routes is not None:
            own = {host: number for host, number in message.hosts.items() if self._owner_of(host) == self._ring}
            self._keeper.hear(sender, message.serial, own)

    def turn(self, routes: object, others: Collection[int]) -> None:
        """Begin to keep hosts when other ones are this ring's (`routes` is another object then); repeat what is due."""
        if routes is not self._routes:
            self._routes = routes
            self._keeper.begin(others)
            self._renumber()
            own = {host: number for host, number in self._numbers().items() if self._owner_of(host) == self._ring}
            self._keeper.hear(self._ring, self._keeper.serial, own)
        now = self._clock()
        for host, wish in list(self._wishes.items()):
            if now - wish.wanted > UNWANTED:
                del self._wishes[host]
                self._give(host, wish.number, 0.0)
            elif not wish.granted and now - wish.numbered > NUMBER:
                self._replace(wish)
        self._keeper.turn()

    def _numbers(self) -> dict[str, int]:
        return {host: taken.number for host, taken in self._taken.items()}

    def _renumber(self) -> None:
        for wish in self._wishes.values():
            self._replace(wish)

    def _replace(self, wish: Wish) -> None:
        """Give a wish another number: what was granted under the one before counts for nothing, and nobody uses it."""
        self._note(wish.number, 0.0)
        wish.number, wish.numbered = self._next(), self._clock()
        wish.granted, wish.asked = False, float("-inf")

    def _answered(self, answer: HostAnswer) -> None:
        taken, wish = self._taken.get(answer.host), self._wishes.get(answer.host)
        if taken is not None and taken.number == answer.number:
            return
        if wish is not None and wish.number == answer.number:
            wish.granted = wish.granted or not answer.wait
            wish.free_at = self._clock() + answer.wait
        elif not answer.wait:
            free_at = self._free_at.get(answer.number)
            wait = None if free_at is None else max(0.0, free_at - self._clock())
            self._send(answer.sender, GiveHost(sender=self._ring, host=answer.host, number=answer.number, wait=wait))
