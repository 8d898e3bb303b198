"""At any moment one ring at most may request at an address, whatever the carrier does, and each has its turn."""

import random
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace

from tests.cluster import conducted
from tests.cluster.conducted import FENCED, STATUS, shortest
from tests.support.cases import some_fast
from ttcrawl.cluster.leases import Leases
from ttcrawl.cluster.messages import Grant, Hello, Poll, Revoke, Welcome
from ttcrawl.cluster.presence import FIRST, Presence
from ttcrawl.frontier.host import Address
from ttcrawl.frontier.line import Line

DELAY, REQUEST = 0.2, 0.05
NAMES = ("192.0.2.1", "192.0.2.2")


def lenders(rings):
    """One of the first two rings that are present lends an address, another one the other, if there is one."""
    ordered = sorted(rings)
    return lambda name: ordered[NAMES.index(name) % len(ordered)]


@dataclass
class Net(conducted.Net):
    """Rings that always want both addresses. Half of the messages under way arrive in a step."""

    sent: list = field(default_factory=list)  # of rings to rings

    def __post_init__(self):
        self.begin(Ring, REQUEST)

    def send(self, sender, ring, message):
        if ring and not isinstance(message, Poll):
            self.sent.append(message)
        if self.chance.random() >= self.lost:
            self.under_way += [(sender, ring, message)] * self.chance.choice([1, 1, 2])

    def arriving(self):
        arriving, self.under_way = self.under_way[::2], self.under_way[1::2]
        return arriving


class Ring(conducted.Ring):
    def begin(self):
        super().begin()
        self.leases = Leases(self.number, lenders, lambda: self.net.now, self.send, self.unlock, DELAY)
        self.addresses = {name: Address(delay=DELAY, waiting=Line(id)) for name in NAMES}
        for name, address in self.addresses.items():
            address.waiting.append(Address(waiting=Line(id)))  # a host that is due
            self.leases.borrow(name, address)

    def unlock(self, address):
        address.locked = False

    def receive(self, message):
        (self.answer if isinstance(message, Poll) else self.leases.receive)(message)

    def enter(self, poll, sent):
        self.leases.enter(poll.term, poll.present)

    def turn(self):
        self.fence()
        self.leases.turn()
        for name, address in self.addresses.items():
            if name in self.visits and self.net.now >= self.visits[name] + REQUEST:
                self.leave(name)
                address.ended, address.locked = self.net.now, False
            elif not address.locked and address.free_at <= self.net.now and name not in self.visits:
                self.visits[name], address.locked = self.net.now, True


EVENTS = [(0.0, ("restart",)), (0.005, ("restart",)), (0.005, ("restart", "off", "cut")), (0.002, ("off", "cut"))]


@pytest.mark.parametrize(("events", "kinds"), EVENTS, ids=["quiet", "restarts", "all", "away"])
@pytest.mark.parametrize("lost", [0.0, 0.3])
@pytest.mark.parametrize("seed", some_fast(range(8), 0))
def test_one_ring_at_a_time(seed, lost, events, kinds):
    """Whatever happens. Once all are there, each has its turn again."""
    net = Net(random.Random(seed), lost=lost)
    net.run(60, events=events, kinds=kinds)
    net.cut.clear()
    for number in list(net.off):
        net.happen("off", number)
    net.lost = 0.0
    net.run(10)
    before = len(net.log)
    net.run(30)
    assert shortest(net.log) >= DELAY - 1e-6
    turns = {(name, ring) for name, _, _, ring in net.log[before:]}
    assert turns == {(name, ring) for name in NAMES for ring in (1, 2, 3)}


@pytest.mark.parametrize("what", ["off", "cut"])
@pytest.mark.parametrize("away", [(1,), (2,), (3,), (1, 2), (2, 3)])
@pytest.mark.parametrize("after", [0.0, 10.0], ids=["from the begin", "later"])
def test_the_others_go_on_without_a_ring_that_is_away(after, away, what):
    """It may lend addresses, and hold them."""
    net = Net(random.Random(1))
    net.run(after)
    for ring in away:
        net.happen(what, ring)
    net.run(FENCED + REQUEST + 3)
    before = len(net.log)
    net.run(10)
    turns = {(name, ring) for name, _, _, ring in net.log[before:]}
    assert turns == {(name, ring) for name in NAMES for ring in {1, 2, 3} - set(away)}
    for ring in away:
        net.happen(what, ring)
    net.run(5)
    before = len(net.log)
    net.run(20)
    assert {ring for *_, ring in net.log[before:]} == {1, 2, 3}
    assert shortest(net.log) >= DELAY - 1e-6


@pytest.mark.parametrize(("fresh", "first"), [(True, FIRST), (False, 30.0)], ids=["crawl", "resume"])
def test_a_ring_that_was_never_started_is_awaited_for_a_moment(fresh, first):
    """After another conductor its process may be left."""
    presence = Presence((1, 2), 30.0, 100.0, fresh=fresh)
    status = replace(STATUS, ring=1, life="a")
    presents = []
    for now in (100.0, 100.0 + first, 100.1 + first):
        presence.hear(status, now)
        presents.append(presence.question(1, Poll(wave=1), now).present)
    assert presents == [(1, 2), (1, 2), (1,)]


def test_a_ring_that_joins_counts_from_its_first_answer():
    presence = Presence((1,), 30.0, 100.0, fresh=False)
    presence.hear(replace(STATUS, ring=1, life="a"), 100.0)
    presence.add((1, 2))
    before = presence.question(1, Poll(wave=1), 101.0)
    presence.hear(replace(STATUS, ring=2, life="b"), 102.0)
    after = presence.question(1, Poll(wave=2), 102.0)
    assert (before.present, after.present, after.term - before.term) == ((1,), (1, 2), 1)


def test_an_address_that_others_do_not_want_costs_no_more_messages():
    net = Net(random.Random(0))
    for ring in (2, 3):
        net.rings[ring].addresses = {}
        net.rings[ring].leases = Leases(ring, lenders, lambda: net.now, net.rings[ring].send, len, DELAY)
    net.run(5)
    net.sent.clear()
    net.run(60)
    assert net.sent == []
    assert sum(ring == 1 for *_, ring in net.log) > 100


def test_a_lender_that_begins_lends_nothing_before_all_others_have_answered():
    sent = []
    leases = Leases(1, lambda rings: lambda name: 1, lambda: 5.0, lambda *each: sent.append(each), len, DELAY)
    leases.enter(1, (1, 2, 3))
    address = Address(waiting=Line(id))
    leases.borrow(NAMES[0], address)
    leases.turn()
    life = next(message.life for _, message in sent if isinstance(message, Hello))
    unlocked = []
    for ring in (2, 3):
        unlocked.append(address.locked and not any(isinstance(message, Grant) for _, message in sent))
        held = {NAMES[0]: 7} if ring == 2 else {}
        leases.receive(Welcome(sender=ring, term=1, sender_life=1, life=life, leases=held))
    leases.turn()
    assert unlocked == [True, True]
    assert not any(isinstance(message, Revoke) for _, message in sent)


def test_a_lender_greets_again_a_ring_that_has_begun_again():
    """Its answer was written before that, and arrives after it: it counts for nothing."""
    sent, clock = [], iter(range(5, 100))
    arguments = (lambda: float(next(clock)), lambda *each: sent.append(each), len, DELAY)
    leases = Leases(1, lambda rings: lambda name: 1, *arguments)
    leases.enter(1, (1, 2))
    leases.turn()
    life = next(message.life for _, message in sent if isinstance(message, Hello))
    leases.receive(Hello(sender=2, term=1, life=9))
    leases.receive(Welcome(sender=2, term=1, sender_life=8, life=life, leases={}))
    sent.clear()
    leases.turn()
    leases.turn()
    assert any(isinstance(message, Hello) for _, message in sent)
