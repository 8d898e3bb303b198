"""The IP addresses that a ring may request: it borrows each from the ring that the address hashes to."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias
from weakref import WeakValueDictionary

from ttcrawl.cluster.lender import AGAIN, Lender
from ttcrawl.cluster.messages import Grant, Hello, Lease, Return, Revoke, Want, Welcome
from ttcrawl.frontier.host import Address
from ttcrawl.ring.clock import Clock

#: The age of a request that was too long ago to matter, seconds.
LONG_AGO = 1e9

Send: TypeAlias = Callable[[int, Lease], None]

#: Rings -> (address -> the ring of them that lends it).
Lenders: TypeAlias = Callable[[Collection[int]], Callable[[str], int]]


class Leases:
    """Borrows nothing before the first `enter`.

    `lenders(rings)`: who of them lends which address. `unlock`: lets hosts request at an address. `delay`:
    address_delay, seconds.
    """

    def __init__(
        self,
        ring: int,
        lenders: Lenders,
        clock: Clock,
        send: Send,
        unlock: Callable[[Address], None],
        delay: float,
    ) -> None:
        self._ring = ring
        self._lenders = lenders
        self._clock = clock
        self._outside = send
        self._unlock, self._delay = unlock, delay
        self._began = clock()  # requests of an earlier life may have ended just then
        self._life = int(self._began * 1e6)
        self._lender = Lender(ring, self._life, clock, self._send)
        self._term, self._owner_of = 0, lenders([ring])
        self._lives: dict[int, int] = {ring: self._life}  # of the lenders
        self._unwelcomed: dict[int, float] = {}  # rings without an answer -> when they were greeted
        self._addresses: WeakValueDictionary[str, Address] = WeakValueDictionary()
        self._leases: dict[str, int] = {}  # address -> serial
        self._returned: dict[str, tuple[int, float]] = {}  # address -> serial, when the last request there ended
        self._wanted: dict[str, float] = {}  # address -> when it was asked for
        self._claimed: set[str] = set()  # to be returned when no request is under way
        self._unused: set[str] = set()  # returned while no host waited for them

    @property
    def term(self) -> int:
        """The present term, 0 before the first."""
        return self._term

    def enter(self, term: int, present: Collection[int]) -> None:
        """Begin a later term: other rings lend, so what this one holds is told to them, and what it wants asked again.

        Grants of earlier terms count no more, so nothing is held in this term that its lender does not know.
        """
        if term <= self._term or self._ring not in present:
            return
        self._term, self._owner_of = term, self._lenders(present)
        self._lender.enter(term, present)
        self._unwelcomed = dict.fromkeys(present, float("-inf"))
        self._wanted = dict.fromkeys(self._wanted, float("-inf"))
        self._returned.clear()
        self._claimed.clear()
        self._began = self._clock()

    def borrow(self, name: str, address: Address) -> None:
        """Lock an address that is new in memory, unless the ring has it."""
        self._addresses[name] = address
        if name in self._leases:
            return
        address.locked = True
        self._unused.discard(name)
        if name not in self._wanted:
            self._want(name)

    def receive(self, message: Lease) -> None:
        """Process a message of a borrower or a lender. One of another term counts for nothing: it comes again."""
        if message.term != self._term:
            return
        if isinstance(message, Hello):
            self._greeted(message)
        elif isinstance(message, Welcome):
            self._lender.welcome(message)
            if message.sender not in self._lender.silent:  # else it has begun again since it wrote this
                self._unwelcomed.pop(message.sender, None)
        elif isinstance(message, Want):
            self._lender.want(message)
        elif isinstance(message, Return):
            self._lender.returned(message)
        elif isinstance(message, Grant):
            self._granted(message)
        else:
            self._revoked(message)

    def turn(self) -> None:
        """Return what is claimed, and repeat what was not answered."""
        now = self._clock()
        if not self._term:
            return
        for ring, since in list(self._unwelcomed.items()):
            if now - since >= AGAIN:
                self._unwelcomed[ring] = now
                self._send(ring, Hello(sender=self._ring, term=self._term, life=self._life))
        for name in list(self._claimed):
            self._give_back(name)
        for name in list(self._unused):
            self._want_if_used(name)
        for name, since in list(self._wanted.items()):
            if now - since >= AGAIN:
                self._want(name)
        self._lender.turn()

    # -- messages -------------------------------------------------------------------------------------------------

    def _send(self, ring: int, message: Lease) -> None:
        if ring == self._ring:
            self.receive(message)
        else:
            self._outside(ring, message)

    def _want(self, name: str) -> None:
        self._wanted[name] = self._clock() if self._term else float("-inf")
        if self._term:
            want = Want(sender=self._ring, term=self._term, life=self._life, address=name)
            self._send(self._owner_of(name), want)

    def _greeted(self, message: Hello) -> None:
        """Tell a ring that begins what we have of its addresses. Its earlier grants count no more."""
        self._lender.hello(message)
        if message.life < self._lives.get(message.sender, 0):
            return
        self._lives[message.sender] = message.life
        leases = {name: serial for name, serial in self._leases.items() if self._owner_of(name) == message.sender}
        welcome = Welcome(sender=self._ring, term=self._term, sender_life=self._life, life=message.life, leases=leases)
        self._send(message.sender, welcome)

    def _granted(self, grant: Grant) -> None:
        name = grant.address
        if grant.holder_life != self._life or grant.life < self._lives.get(grant.sender, 0):
            return
        if self._leases.get(name) == grant.serial or grant.serial <= self._returned.get(name, (0, 0.0))[0]:
            return
        self._lives[grant.sender] = grant.life
        self._leases[name] = grant.serial
        self._wanted.pop(name, None)
        address = self._addresses.get(name)
        if address is not None:
            address.ended = max(address.ended, self._clock() - grant.age)
            address.delay = max(address.delay, self._delay)
            self._unlock(address)

    def _revoked(self, message: Revoke) -> None:
        name = message.address
        if self._leases.get(name) == message.serial:
            self._claimed.add(name)
            self._give_back(name)
            return
        serial, ended = self._returned.get(name, (0, self._began))
        if serial < message.serial:  # the grant is under way or lost: from now on it counts for nothing
            self._returned[name] = message.serial, ended
        self._say_returned(name, message.serial)

    def _give_back(self, name: str) -> None:
        """Return an address, unless a request is under way there; want it again if hosts wait for it."""
        address = self._addresses.get(name)
        if address is not None and address.locked:
            return
        self._claimed.discard(name)
        serial = self._leases.pop(name)
        self._returned[name] = serial, address.ended if address is not None else float("-inf")
        if address is not None:
            address.locked = True
        self._say_returned(name, serial)
        self._want_if_used(name)  # behind the others

    def _want_if_used(self, name: str) -> None:
        """Want a returned address as soon as a host waits for it."""
        address = self._addresses.get(name)
        if address is None or address.waiting:
            self._unused.discard(name)
        else:
            self._unused.add(name)
        if address is not None and address.waiting:
            self._want(name)

    def _say_returned(self, name: str, serial: int) -> None:
        age = min(self._clock() - self._returned[name][1], LONG_AGO)
        returned = Return(sender=self._ring, term=self._term, address=name, serial=serial, age=age)
        self._send(self._owner_of(name), returned)
