"""At any moment one ring at most may request at an address, whatever the carrier does, and each has its turn."""

import random
from dataclasses import dataclass, field
from itertools import pairwise

import pytest

from ttcrawl.cluster.leases import Leases
from ttcrawl.cluster.messages import Grant, Hello, Revoke, Welcome
from ttcrawl.frontier.line import Line
from ttcrawl.frontier.shared import Address

DELAY, STEP, REQUEST = 0.2, 0.01, 0.05
NAMES = ("192.0.2.1", "192.0.2.2")


@dataclass
class Net:
    """Three rings that always want both addresses; ring 1 lends one of them, ring 2 the other."""

    chance: random.Random
    lost: float = 0.0
    now: float = 1000.0
    under_way: list = field(default_factory=list)
    log: list = field(default_factory=list)  # (address, begin, end, ring)
    sent: list = field(default_factory=list)

    def __post_init__(self):
        self.rings = {number: Ring(number, self) for number in (1, 2, 3)}

    def send(self, ring, message):
        self.sent.append(message)
        if self.chance.random() >= self.lost:
            self.under_way += [(ring, message)] * self.chance.choice([1, 1, 2])

    def run(self, seconds, *, restarts=0.0):
        end = self.now + seconds
        while self.now < end:
            self.now += STEP
            self.chance.shuffle(self.under_way)
            arriving, self.under_way = self.under_way[::2], self.under_way[1::2]
            for ring, message in arriving:
                self.rings[ring].leases.receive(message)
            for ring in self.rings.values():
                ring.turn()
            if self.chance.random() < restarts:
                self.chance.choice(list(self.rings.values())).begin()


class Ring:
    def __init__(self, number, net):
        self.number, self.net, self.requests = number, net, {}
        self.begin()

    def begin(self):
        """A new process: requests of the old one end with it."""
        for name, started in self.requests.items():
            self.net.log.append((name, started, self.net.now, self.number))
        self.requests = {}
        lender = dict(zip(NAMES, (1, 2), strict=True)).__getitem__
        arguments = (self.number, (1, 2, 3), lender, lambda: self.net.now, self.net.send, self.unlock, DELAY)
        self.leases = Leases(*arguments)
        self.addresses = {name: Address(delay=DELAY, waiting=Line(id)) for name in NAMES}
        for name, address in self.addresses.items():
            address.waiting.append(Address(waiting=Line(id)))  # a host that is due
            self.leases.borrow(name, address)

    def unlock(self, address):
        address.locked = False

    def turn(self):
        self.leases.turn()
        for name, address in self.addresses.items():
            if name in self.requests and self.net.now >= self.requests[name] + REQUEST:
                self.net.log.append((name, self.requests.pop(name), self.net.now, self.number))
                address.ended, address.locked = self.net.now, False
            elif not address.locked and address.free_at <= self.net.now and name not in self.requests:
                self.requests[name], address.locked = self.net.now, True


def shortest(log):
    """The shortest time from the end of a request to the begin of the next one at its address."""
    gaps = []
    for name in NAMES:
        requests = sorted(each[1:3] for each in log if each[0] == name)
        gaps += [after[0] - before[1] for before, after in pairwise(requests)]
    return min(gaps)


@pytest.mark.parametrize("restarts", [0.0, 0.005])
@pytest.mark.parametrize("lost", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(8))
def test_one_ring_at_a_time(seed, lost, restarts):
    net = Net(random.Random(seed), lost=lost)
    net.run(60, restarts=restarts)
    assert shortest(net.log) >= DELAY - 1e-6
    net.log.clear()
    net.lost = 0.0
    net.run(40)
    turns = {(name, ring) for name, _, _, ring in net.log}
    assert turns == {(name, ring) for name in NAMES for ring in (1, 2, 3)}


def test_an_address_that_others_do_not_want_costs_no_more_messages():
    net = Net(random.Random(0))
    for ring in (2, 3):
        net.rings[ring].leases = Leases(ring, (1, 2, 3), lambda name: 1, lambda: net.now, net.send, len, DELAY)
        net.rings[ring].addresses = {}
    net.run(5)
    net.sent.clear()
    net.run(60)
    assert net.sent == []
    assert sum(ring == 1 for *_, ring in net.log) > 100


def test_a_lender_that_begins_lends_nothing_before_all_others_have_answered():
    sent = []
    leases = Leases(1, (1, 2, 3), lambda name: 1, lambda: 5.0, lambda *each: sent.append(each), len, DELAY)
    address = Address(waiting=Line(id))
    leases.borrow(NAMES[0], address)
    leases.turn()
    life = next(message.life for _, message in sent if isinstance(message, Hello))
    unlocked = []
    for ring in (2, 3):
        unlocked.append(address.locked and not any(isinstance(message, Grant) for _, message in sent))
        leases.receive(Welcome(sender=ring, sender_life=1, life=life, leases={NAMES[0]: 7} if ring == 2 else {}))
    leases.turn()
    assert unlocked == [True, True]
    assert not any(isinstance(message, Revoke) for _, message in sent)


def test_a_lender_greets_again_a_ring_that_has_begun_again():
    """Its answer was written before that, and arrives after it: it counts for nothing."""
    sent, clock = [], iter(range(5, 100))
    leases = Leases(1, (1, 2), lambda name: 1, lambda: float(next(clock)), lambda *each: sent.append(each), len, DELAY)
    leases.turn()
    life = next(message.life for _, message in sent if isinstance(message, Hello))
    leases.receive(Hello(sender=2, life=9))
    leases.receive(Welcome(sender=2, sender_life=8, life=life, leases={}))
    sent.clear()
    leases.turn()
    leases.turn()
    assert any(isinstance(message, Hello) for _, message in sent)
