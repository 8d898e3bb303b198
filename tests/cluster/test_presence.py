"""Who is counted out, and when: never while a process of that ring may still request something."""

import random
from dataclasses import dataclass, field

import pytest

from ttcrawl.cluster.messages import Poll, Status
from ttcrawl.cluster.presence import FENCE, FIRST, Disks, Fence, Presence, no_engine

#: Seconds of a request at most, and from the end of a ring's last request to its absence.
REQUEST = 15.0
LAST = FENCE + REQUEST


def status(ring, wave=1, life="a", term=0):
    return Status(ring=ring, wave=wave, idle=False, life=life, activity=0, epoch=0, fetched=0, bytes=0, term=term)


def seen(moments, ring, later=0.0):
    """Answers of the engine, without the disk of a ring or with it: (seconds, whether it is there)."""
    disks = Disks()
    disks.absence(ring, 0.0)
    for moment, there in moments:
        disks.answered([ring] if there else [], moment, moment)
    return disks.absence(ring, max((moment for moment, _ in moments), default=0.0) + later)


@pytest.mark.parametrize(
    "moments, absence",
    [
        pytest.param([], 0, id="no answer"),
        pytest.param([(1, True), (2, True)], 0, id="there"),
        pytest.param([(1, False)], 0, id="one answer tells no time"),
        pytest.param([(1, False), (2, False), (4, False)], 3, id="gone"),
        pytest.param([(1, False), (2, True), (3, False), (4, False)], 1, id="another machine has come and gone"),
        pytest.param([(1, False), (2, False), (60, False), (61, False)], 1, id="a break: one may have come and gone"),
    ],
)
def test_how_long_a_disk_is_gone(moments, absence):
    assert seen(moments, 1) == absence


def test_an_answer_grows_old():
    """A machine may have come since."""
    assert seen([(1, False), (2, False), (3, False)], 1, later=5) == 0


@pytest.mark.parametrize(
    "fresh, absence, heard, absent",
    [
        pytest.param(True, no_engine, False, FIRST, id="never begun"),
        pytest.param(True, lambda ring, now: 0.0, False, FIRST, id="never begun, on an engine"),
        pytest.param(False, no_engine, False, LAST, id="of another conductor"),
        pytest.param(False, lambda ring, now: 0.0, False, None, id="of another conductor, its machine lives"),
        pytest.param(True, no_engine, True, LAST, id="heard once"),
        pytest.param(True, lambda ring, now: LAST, True, None, id="its machine has gone just now"),
        pytest.param(True, lambda ring, now: LAST + 1, True, LAST, id="its machine has gone long ago"),
    ],
)
def test_when_a_ring_is_counted_out(fresh, absence, heard, absent):
    """`absent`: seconds after which it is; None: never."""
    presence = Presence((1, 2), LAST, 0.0, fresh=fresh, absence=absence)
    if heard:
        presence.hear(status(1), 0.0)
    for moment in range(1, 200):
        presence.hear(status(2), moment)
        assert (1 in presence.present) is (absent is None or moment <= absent), moment


def test_terms_rise_above_those_of_a_conductor_whose_clock_was_ahead():
    presence = Presence((1,), LAST, 0.0, fresh=False, term=5)
    presence.hear(status(1, term=9), 1.0)
    assert presence.question(1, Poll(wave=2), 1.0).term == 10


@dataclass
class Ring:
    """A process of a ring on a machine."""

    life: str
    machine: int
    fence: Fence
    sent: dict[int, float] = field(default_factory=dict)  # wave -> when its status was
    borrows: bool = False


class World:
    """A ring, its machines one after the other, a conductor, an engine, and three cables between them, cut by chance.

    A process ends by its fence alone. The engine gives a machine up that it does not reach; a new one begins when the
    process before has ended, as the lock on the disk has it.
    """

    def __init__(self, seed, renews=True, absence=None):
        self.chance, self.now, self.renews, self.engine_tells = random.Random(seed), 0.0, renews, absence
        self.cut = dict.fromkeys(("conductor ring", "ring engine", "conductor engine"), 0.0)  # until when
        self.machine, self.lives, self.silent, self.letters = 1, True, 0.0, []
        self.ring, self.over, self.wave = Ring("1", 1, Fence(0.0)), float("-inf"), 0
        self.conducts(fresh=True)
        self.alone, self.absences, self.renewed = 0.0, 0, float("-inf")

    def conducts(self, *, fresh):
        self.disks, self.wave = Disks(), self.wave + 1_000
        absence = self.engine_tells or self.disks.absence
        self.presence = Presence((1,), LAST, self.now, fresh=fresh, absence=absence, term=self.wave)

    def reach(self, cable):
        return self.now >= self.cut[cable]

    def step(self):
        self.now += 1.0
        for cable in self.cut:
            if self.chance.random() < 0.01:
                self.cut[cable] = self.now + self.chance.choice((3, 20, 100, 300))
        self.engine()
        self.conduct()
        self.crawl()

    def engine(self):
        self.silent = 0.0 if self.reach("ring engine") else self.silent + 1
        self.lives = self.lives and self.silent < 6
        if not self.lives and self.ring is None and self.silent == 0 and self.chance.random() < 0.05:
            self.machine, self.lives = self.machine + 1, True
            self.ring = Ring(str(self.machine), self.machine, Fence(self.now))

    def conduct(self):
        if self.presence is None:
            if self.chance.random() < 0.01:
                self.conducts(fresh=False)
            return
        if self.chance.random() < 0.005:
            self.presence = None
            return
        if self.reach("conductor engine"):
            self.disks.answered([1] if self.lives else [], self.now, self.now)
        arrived = [each for each in self.letters if each[0] <= self.now]
        self.letters = [each for each in self.letters if each[0] > self.now]
        for _, letter in arrived:
            self.presence.hear(letter, self.now)
        self.wave += 1
        question = self.presence.question(1, Poll(wave=self.wave), self.now)
        if self.ring is not None and self.reach("conductor ring"):
            self.ask(question)

    def ask(self, question):
        ring = self.ring
        sent = ring.sent.get(question.heard) if question.life == ring.life else None
        ring.fence.asked(sent, self.now)
        ring.borrows = ring.borrows or sent is not None
        ring.sent[question.wave] = self.now
        if self.chance.random() < 0.9:
            answer = status(1, question.wave, ring.life)
            self.letters.append((self.now + self.chance.choice((0, 1, 5)), answer))

    def crawl(self):
        if self.ring is None:
            return
        named = self.lives and self.ring.machine == self.machine and self.reach("ring engine")
        if self.renews and named and self.chance.random() < 0.3:
            self.ring.fence.renew(self.now)
        self.alone = self.alone + 1 if self.presence is None else 0.0
        if self.ring.fence.is_over(self.now):
            self.over = self.now if self.ring.borrows else self.over
            self.ring = None

    def is_safe(self):
        if self.presence is None or 1 in self.presence.present:
            return True
        self.absences += 1
        borrows = self.ring is not None and self.ring.borrows
        return not borrows and self.now - self.over >= REQUEST


def run(**options):
    """Worlds in which a ring was counted out too early, and what was seen in all: absences, time without conductor."""
    unsafe, absences, alone = 0, 0, 0.0
    for seed in range(60):
        world = World(seed, **options)
        safe = True
        for _ in range(2_000):
            world.step()
            safe = world.is_safe() and safe
            alone = max(alone, world.alone)
        unsafe += not safe
        absences += world.absences > 0
    return unsafe, absences, alone


def test_no_ring_is_counted_out_that_goes_on():
    unsafe, absences, alone = run()
    assert unsafe == 0
    assert absences > 20, "the worlds are too kind"
    assert alone > 5 * FENCE, "rings go on without a conductor"


def test_the_worlds_notice_a_conductor_that_does_not_ask_the_engine():
    assert run(absence=no_engine)[0] > 0


def test_without_an_engine_the_conductor_alone_decides():
    unsafe, absences, _ = run(renews=False, absence=no_engine)
    assert unsafe == 0 and absences > 20
