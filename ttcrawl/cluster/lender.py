"""The ring that an IP address hashes to lends it: one ring at a time may request there.

A ring keeps an address until another one wants it. Moments never travel, only ages: the clocks of machines differ.

Lives are numbers that rise with each start of a ring. A lender that starts again has forgotten who holds what: it lends
nothing until all rings that are present have said so. A ring that starts again holds nothing: its last request may have
ended just now. When the rings change that are present, a term begins (see ttcrawl.cluster.presence): addresses have
other lenders, which begin in the same way. What an absent ring held is lent again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ttcrawl.cluster.messages import Grant, Hello, Lease, Return, Revoke, Want, Welcome
from ttcrawl.ring.clock import Clock

#: Seconds for which a ring has an address at least, while others want it.
QUANTUM = 0.25

#: Seconds until a message without an answer is sent again.
AGAIN = 2.0


@dataclass(slots=True, kw_only=True)
class Loan:
    """An address of this lender."""

    ended: float  # when the last request there ended, at the latest
    holder: int = 0  # the ring that has it; 0: none
    serial: int = 0  # of the last grant
    since: float = float("-inf")  # of the grant, or of the last time that it was claimed back
    waiting: list[int] = field(default_factory=list)  # few: an empty deque has 600 bytes, and each address has one


class Lender:
    """`life` of this ring: a number that rises with each life. It lends in a term, once `enter` was called."""

    def __init__(self, ring: int, life: int, clock: Clock, send: Callable[[int, Lease], None]) -> None:
        self._ring = ring
        self._life = life
        self._clock = clock
        self._send = send
        self._term = 0
        self._loans: dict[str, Loan] = {}
        self._contested: set[str] = set()  # lent, and others want them
        self._lives = {ring: life}
        #: Rings that have not yet said what they hold, with this one.
        self.silent: set[int] = set()
        self._serial = life  # rises through all terms
        self._began = clock()  # the moments of requests before that are forgotten

    def enter(self, term: int, present: Iterable[int]) -> None:
        """Begin a term: what was lent in the one before counts when its holder says so."""
        self._term = term
        self.silent = set(present)
        self._began = self._clock()
        self._loans.clear()
        self._contested.clear()

    def hello(self, message: Hello) -> None:
        """Note that a ring begins: it holds nothing."""
        ring, now = message.sender, self._clock()
        if message.life <= self._lives.get(ring, -1):
            return
        self._lives[ring] = message.life
        for address, loan in self._loans.items():
            if ring in loan.waiting:
                loan.waiting.remove(ring)
            if loan.holder == ring:
                loan.holder, loan.ended = 0, now
                self._next(address, loan)

    def welcome(self, message: Welcome) -> None:
        """Note what a ring holds; when all have answered, lend."""
        ring = message.sender
        stale = message.sender_life < self._lives.get(ring, -1)
        if message.life != self._life or ring not in self.silent or stale:
            return
        self.silent.discard(ring)
        self._lives[ring] = message.sender_life
        for address, serial in message.leases.items():
            loan = self._loans.setdefault(address, Loan(ended=self._began))
            loan.holder = ring
            loan.serial = serial
            loan.since = self._clock()
            self._serial = max(self._serial, serial)  # another lender's: later ones are above all that were returned
            if loan.waiting:
                self._contested.add(address)
        if not self.silent:
            self._began = self._clock()  # by then a ring may have returned what it had of the earlier life
            for address, loan in self._loans.items():
                loan.ended = self._began
                self._next(address, loan)

    def want(self, message: Want) -> None:
        """Lend an address, at once or when its holder has returned it."""
        ring = message.sender
        if self._lives.get(ring) != message.life:
            return
        loan = self._loans.setdefault(message.address, Loan(ended=self._began))
        if loan.holder == ring:
            self._grant(message.address, loan)  # the first message was lost
        elif ring not in loan.waiting:
            loan.waiting.append(ring)
            self._next(message.address, loan)

    def returned(self, message: Return) -> None:
        """Lend an address to the next ring."""
        loan = self._loans.get(message.address)
        if loan is None or (loan.holder, loan.serial) != (message.sender, message.serial):
            return
        loan.holder, loan.ended = 0, max(loan.ended, self._clock() - message.age)
        self._next(message.address, loan)

    def turn(self) -> None:
        """Claim addresses back that others want."""
        now = self._clock()
        for address in list(self._contested):
            loan = self._loans[address]
            if not loan.holder or not loan.waiting:
                self._contested.discard(address)
            elif now - loan.since >= QUANTUM:
                loan.since = now
                revoke = Revoke(sender=self._ring, term=self._term, address=address, serial=loan.serial)
                self._send(loan.holder, revoke)

    def _next(self, address: str, loan: Loan) -> None:
        if not self.silent and not loan.holder and loan.waiting:
            self._serial += 1
            loan.holder = loan.waiting.pop(0)
            loan.serial = self._serial
            loan.since = self._clock()
            self._grant(address, loan)
        if loan.holder and loan.waiting:
            self._contested.add(address)

    def _grant(self, address: str, loan: Loan) -> None:
        grant = Grant(
            sender=self._ring,
            term=self._term,
            life=self._life,
            holder_life=self._lives[loan.holder],
            address=address,
            serial=loan.serial,
            age=self._clock() - loan.ended,
        )
        self._send(loan.holder, grant)
