"""Three rings whose messages are lost, late and doubled, and a conductor that asks them in waves: what tests of leases
and of hosts have in common."""

from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from msgspec.structs import replace

from ttcrawl.cluster.messages import Poll, Status
from ttcrawl.cluster.presence import Presence

STATUS = Status(ring=0, wave=0, idle=False, life="", activity=0, epoch=0, fetched=0, bytes=0)
RINGS = (1, 2, 3)

#: Seconds of a step; after which a ring ends that the conductor has not heard; between two waves.
STEP, FENCED, WAVE = 0.01, 2.0, 0.2


@dataclass
class Net:
    """A model of it says how messages are sent (`send`), and which of those under way arrive in a step (`arriving`)."""

    chance: Random
    lost: float = 0.0
    now: float = 1000.0
    under_way: list = field(default_factory=list)
    log: list = field(default_factory=list)  # (host or address, begin, end, ring)
    cut: set = field(default_factory=set)  # rings whose messages do not arrive, nor do those for them
    off: set = field(default_factory=set)  # rings without a process
    wave: int = 0

    def begin(self, ring, longest):
        """`ring`: a class; `longest`: seconds in which its requests end."""
        self.presence = Presence(RINGS, FENCED + longest, self.now, fresh=False)
        self.rings = {number: ring(number, self) for number in RINGS}

    def run(self, seconds, *, events=0.0, kinds=("restart",)):
        end, next_wave = self.now + seconds, self.now
        while self.now < end:
            self.now += STEP
            if self.now >= next_wave:
                self.conduct()
                next_wave += WAVE
            self.chance.shuffle(self.under_way)
            for each in self.arriving():
                self.arrive(*each)
            for number in set(RINGS) - self.off:
                self.rings[number].turn()
            if self.chance.random() < events:
                self.happen(self.chance.choice(kinds), self.chance.choice(RINGS))

    def conduct(self):
        self.wave += 1
        for ring in RINGS:
            self.send(0, ring, self.presence.question(ring, Poll(wave=self.wave), self.now))

    def arrive(self, sender, ring, message):
        if {sender, ring} & (self.cut | self.off):
            return
        if ring == 0:
            self.presence.hear(message, self.now)
        else:
            self.rings[ring].receive(message)

    def happen(self, what, number):
        """`restart`: a process begins in place of another; `off`, `cut`: until the same happens again."""
        ring = self.rings[number]
        if what == "cut":
            self.cut ^= {number}
        elif what == "off":
            ring.end()
            if number in self.off:
                ring.begin()
            self.off ^= {number}
        elif what == "restart" and number not in self.off:
            ring.end()
            ring.begin()


class Ring:
    """`enter(poll, sent)`: what it does with an answer of the conductor to what it sent at that moment."""

    def __init__(self, number, net):
        self.number, self.net, self.starts = number, net, 0
        self.visits = {}  # host or address -> begin
        self.begin()

    def begin(self):
        self.starts += 1
        self.statuses, self.answered = {}, self.net.now

    def end(self):
        """Visits of the process end with it."""
        for name in list(self.visits):
            self.leave(name)

    def leave(self, name):
        self.net.log.append((name, self.visits.pop(name), self.net.now, self.number))

    def send(self, ring, message):
        self.net.send(self.number, ring, message)

    def answer(self, poll):
        life = str(self.starts)
        if poll.life == life:
            sent = self.statuses[poll.heard]
            self.answered = max(self.answered, sent)
            self.enter(poll, sent)
        self.statuses.setdefault(poll.wave, self.net.now)
        self.send(0, replace(STATUS, ring=self.number, wave=poll.wave, life=life))

    def fence(self):
        """End the process, and begin another one, if the conductor has not answered for too long."""
        if self.net.now - self.answered > FENCED:
            self.end()
            self.begin()


def shortest(log):
    """The shortest time from the end of a visit to the begin of the next one at its host or address."""
    gaps = []
    for name in {each[0] for each in log}:
        visits = sorted(each[1:3] for each in log if each[0] == name)
        gaps += [after[0] - before[1] for before, after in pairwise(visits)]
    return min(gaps)
