"""No two visits of a host are closer than its delay, whatever the carrier does, and the pages of each ring have their
turn."""

import random
from dataclasses import dataclass

import pytest

from tests.cluster import conducted
from tests.cluster.conducted import FENCED, RINGS, shortest
from tests.support.cases import some_fast
from ttcrawl.cluster.messages import GiveHost, HostAnswer, HostsTaken, KeeperBegins, Poll, TakeHost
from ttcrawl.cluster.ring_hosts import ASK, NUMBER, UNWANTED, RingHosts

DELAY, VISIT = 0.2, 0.3
HOSTS = ("a.test", "b.test", "c.test")

#: Seconds after which a copy of a message arrives, at most.
LATE = 3.0

#: Seconds in which all requests of a page end.
LONGEST = 1.0


@dataclass
class Net(conducted.Net):
    """Rings whose pages always want all hosts. A message arrives at once, soon or, one of its copies, seconds later."""

    def __post_init__(self):
        self.begin(Ring, LONGEST)

    def send(self, sender, ring, message):
        if self.chance.random() >= self.lost:
            self.under_way.append((self.now, sender, ring, message))
            if self.chance.random() < 0.3:
                late = self.chance.choice([0.0, self.chance.random() * LATE])
                self.under_way.append((self.now + late, sender, ring, message))

    def arriving(self):
        arriving, before, self.under_way = [], self.under_way, []
        for moment, *message in before:
            if moment <= self.now and self.chance.random() < 0.5:
                arriving.append(message)
            else:
                self.under_way.append((moment, *message))
        return arriving

    def happen(self, what, number):
        """Besides, `move`: its host goes to another ring, which knows it later; `fetch`: its fetch process ends."""
        ring = self.rings[number]
        if what not in ("fetch", "move"):
            super().happen(what, number)
        elif number in self.off:
            return
        elif what == "fetch":
            ring.end()
            ring.hosts.lost(1)
        elif ring.owners.count(number) and not self.cut | self.off:
            place, owner = ring.owners.index(number), self.chance.choice(RINGS)
            self._route(number, place, owner)
            for each in RINGS:
                self.run(self.chance.random())
                self._route(each, place, owner)

    def _route(self, ring, place, owner):
        """Routes are on the disk of a ring: it has them again when it begins."""
        owners = self.rings[ring].owners
        self.rings[ring].owners = (*owners[:place], owner, *owners[place + 1 :])


class Ring(conducted.Ring):
    """Its clock is not that of the others. One fetch process has pages that want a host each."""

    owners = RINGS

    def begin(self):
        super().begin()
        self.hosts = RingHosts(self.number, self.owner_of, self.clock, self.send, LONGEST)
        self.hosts.others = set(RINGS) - {self.number}

    def owner_of(self, host):
        return self.owners[HOSTS.index(host)]

    def clock(self):
        return self.net.now + 1000.0 * self.number

    def receive(self, message):
        (self.answer if isinstance(message, Poll) else self.hosts.receive)(message)

    def enter(self, poll, sent):
        self.hosts.enter(poll.present, sent + 1000.0 * self.number)

    def turn(self):
        self.fence()
        self.hosts.turn(self.owners, self.hosts.others)
        for host in HOSTS:
            began = self.visits.get(host)
            if began is None:
                if self.hosts.take(1, host, DELAY) == 0.0:
                    self.visits[host] = self.net.now
            elif self.net.now >= began + VISIT:
                self.leave(host)
                self.hosts.give(1, host, DELAY)


EVENTS = {
    "quiet": (0.0, ("restart",)),
    "restarts": (0.005, ("restart", "fetch")),
    "moves": (0.005, ("move", "restart")),
    "away": (0.002, ("off", "cut")),
    "all": (0.005, ("restart", "fetch", "move", "off", "cut")),
}


@pytest.mark.parametrize("kind", some_fast(EVENTS, "all"))
@pytest.mark.parametrize("lost", some_fast([0.0, 0.3], 0.3))
@pytest.mark.parametrize("seed", some_fast(range(8), 0))
def test_one_page_at_a_time(seed, lost, kind):
    """Whatever happens. Once all are there, each has its turn again."""
    events, kinds = EVENTS[kind]
    net = Net(random.Random(seed), lost=lost)
    net.run(60, events=events, kinds=kinds)
    net.cut.clear()
    for number in list(net.off):
        net.happen("off", number)
    net.lost = 0.0
    net.run(LONGEST + NUMBER + 5)
    before = len(net.log)
    net.run(20)
    assert shortest(net.log) >= DELAY - 1e-6
    visits = [(host, ring) for host, _, _, ring in net.log[before:]]
    assert set(visits) == {(host, ring) for host in HOSTS for ring in RINGS}
    assert min(visits.count(each) for each in set(visits)) > 5


@pytest.mark.parametrize("what", ["off", "cut"])
@pytest.mark.parametrize("away", some_fast(RINGS, 3))
def test_a_ring_that_is_away_keeps_its_hosts_and_no_other(away, what):
    net = Net(random.Random(1))
    net.run(10)
    net.happen(what, away)
    net.run(LONGEST + NUMBER + FENCED + 3)
    before = len(net.log)
    net.run(10)
    there = set(RINGS) - {away}
    visits = {(host, ring) for host, _, _, ring in net.log[before:] if ring in there}
    kept = {host for host, owner in zip(HOSTS, RINGS, strict=True) if owner in there}
    assert visits == {(host, ring) for host in kept for ring in there}
    assert shortest(net.log) >= DELAY - 1e-6


def test_a_keeper_that_begins_does_not_wait_for_a_ring_that_is_surely_absent():
    net = Net(random.Random(1))
    net.run(5)
    net.happen("off", 3)
    net.run(FENCED + LONGEST + 2)
    net.happen("restart", 1)
    before = len(net.log)
    net.run(2)
    assert {ring for host, _, _, ring in net.log[before:] if host == HOSTS[0]} == {1, 2}
    assert shortest(net.log) >= DELAY - 1e-6


class One:
    """Ring 1, which owns a.test, and what it sends to ring 2, which owns b.test."""

    def __init__(self, others=(2,)):
        self.now, self.sent = 100.0, []
        self.hosts = RingHosts(
            1,
            lambda host: 1 if host == "a.test" else 2,
            lambda: self.now,
            lambda ring, message: self.sent.append(message),
            50.0,
        )
        self.hosts.others = set(others)
        self.turn()

    def turn(self, seconds=0.0):
        self.now += seconds
        self.hosts.turn(RINGS, self.hosts.others)

    def last(self, kind):
        """The last message of a kind that was sent."""
        return [each for each in self.sent if isinstance(each, kind)][-1]

    def opened(self):
        """Ring 2 has nothing, and one delay is over."""
        serial = self.last(KeeperBegins).serial
        self.hosts.receive(HostsTaken(sender=2, serial=serial, hosts={}))
        self.turn()
        self.now += DELAY
        self.hosts.enter((1, 2), 0.0)
        return self

    def asked(self):
        """Ask ring 2 for its host, return the number."""
        assert self.hosts.take(1, "b.test", DELAY) > 0
        return self.last(TakeHost).number

    def answer(self, number, wait=0.0):
        self.hosts.receive(HostAnswer(sender=2, host="b.test", number=number, wait=wait))


def test_nothing_is_taken_before_all_have_said_what_they_have():
    one = One()
    serial = one.last(KeeperBegins).serial
    for answer in (None, HostsTaken(sender=2, serial=serial + 1, hosts={})):
        if answer is not None:
            one.hosts.receive(answer)
        assert one.hosts.take(1, "a.test", DELAY) > 0
    one.hosts.receive(HostsTaken(sender=2, serial=serial, hosts={"a.test": 7}))
    one.turn(5.0)
    assert one.hosts.take(1, "a.test", DELAY) > 0  # ring 2 has it
    one.hosts.receive(GiveHost(sender=2, host="a.test", number=6, wait=0.0))
    assert one.hosts.take(1, "a.test", DELAY) > 0  # under another number
    one.hosts.receive(GiveHost(sender=2, host="a.test", number=7, wait=3.0))
    assert one.hosts.take(1, "a.test", DELAY) == pytest.approx(3.0)
    one.now += 3.0
    assert one.hosts.take(1, "a.test", DELAY) == 0.0


@pytest.mark.parametrize(("seconds", "free"), [(59.0, False), (60.3, True)])
def test_a_ring_that_never_answers_is_waited_for_until_its_requests_have_ended(seconds, free):
    """Also before the keeper's own pages take a host; then one delay passes."""
    one = One()
    one.turn(seconds)
    one.now += DELAY
    assert (one.hosts.take(1, "a.test", DELAY) == 0.0) == free


@pytest.mark.parametrize(("seconds", "free"), [(60.0, False), (60.0 + DELAY + 0.01, True)])
def test_a_host_that_is_not_given_back_is_free_after_the_longest_page_and_a_delay(seconds, free):
    one = One().opened()
    one.hosts.receive(TakeHost(sender=2, host="a.test", number=7, delay=DELAY))
    assert one.last(HostAnswer).wait == 0.0
    one.turn(seconds)
    assert (one.hosts.take(1, "a.test", DELAY) == 0.0) == free


def test_what_a_ring_says_once_more_counts_for_nothing():
    """It was written before the ring took the host."""
    one = One().opened()
    serial = one.last(KeeperBegins).serial
    one.hosts.receive(TakeHost(sender=2, host="a.test", number=7, delay=DELAY))
    one.hosts.receive(HostsTaken(sender=2, serial=serial, hosts={}))
    one.turn(DELAY)
    assert one.hosts.take(1, "a.test", DELAY) > 0


def test_a_ring_that_this_one_would_not_ask_takes_nothing():
    one = One().opened()
    one.hosts.receive(TakeHost(sender=3, host="a.test", number=7, delay=DELAY))
    assert not any(isinstance(each, HostAnswer) for each in one.sent)


def test_an_answer_counts_for_the_present_number_alone():
    """What comes under another one is given back: unused at once, else when it was free."""
    one = One().opened()
    first = one.asked()
    one.turn(1.5)
    assert one.asked() == first
    one.hosts.receive(KeeperBegins(sender=2, serial=1))
    assert one.last(HostsTaken).hosts == {}
    second = one.asked()
    assert second != first
    one.answer(first)
    assert one.last(GiveHost) == GiveHost(sender=1, host="b.test", number=first, wait=0.0)
    assert one.hosts.take(1, "b.test", DELAY) > 0
    one.answer(second)
    assert one.hosts.take(1, "b.test", DELAY) == 0.0
    one.hosts.receive(KeeperBegins(sender=2, serial=2))
    assert one.last(HostsTaken).hosts == {"b.test": second}
    one.sent.clear()
    one.answer(second)
    assert one.sent == []  # it has it
    one.hosts.give(1, "b.test", 4.0)
    one.now += 1.0
    one.answer(second)
    assert one.last(GiveHost).wait == pytest.approx(3.0)
    one.answer(12345)
    assert one.last(GiveHost).wait is None  # of an earlier process


def test_an_answer_that_comes_late_counts_for_nothing():
    one = One().opened()
    number = one.asked()
    for _ in range(int(NUMBER / UNWANTED) * 2):
        one.turn(UNWANTED / 1.5)
        one.asked()
    one.answer(number)
    assert one.hosts.take(1, "b.test", DELAY) > 0


def test_a_host_that_no_page_waits_for_any_more_is_given_back():
    one = One().opened()
    number = one.asked()
    one.answer(number)
    one.turn(UNWANTED + 0.1)
    assert one.last(GiveHost) == GiveHost(sender=1, host="b.test", number=number, wait=0.0)


def test_a_ring_asks_again_soon_and_when_the_host_is_free():
    one = One().opened()
    number = one.asked()
    times = []
    one.answer(number, wait=0.1)
    for _ in range(10):
        one.sent.clear()
        one.now += 0.05
        one.hosts.take(1, "b.test", DELAY)
        times += [round(one.now, 2)] * len(one.sent)
    begin = one.now - 0.5
    assert times[0] == pytest.approx(begin + 0.1, abs=0.051)
    assert times[1] - times[0] == pytest.approx(ASK, abs=0.051)


def test_a_process_asks_no_other_ring_before_it_is_counted_in():
    one = One()
    one.sent.clear()
    for present, asks in (((), False), ((2,), False), ((1, 2), True)):
        one.hosts.enter(present, 0.0)
        one.hosts.take(1, "b.test", DELAY)
        assert any(isinstance(each, TakeHost) for each in one.sent) == asks
