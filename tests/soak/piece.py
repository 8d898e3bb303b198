"""One piece of the long crawl: it goes on, is disturbed at random moments, and is stopped."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.soak.operate import BEGIN, Operator
from tests.soak.served import Served
from tests.soak.watch import Sample, Watch
from tests.support.faults.killing import until
from tests.support.web.site import Hit

#: The share of a piece in which the crawl is disturbed; the rest shows what it takes and does undisturbed.
DISTURBED = 0.65

#: Kills and stops of a piece, and special events: each of those comes in turn.
DISTURBANCES, SPECIAL = 9, 2

#: Seconds between two samples, two looks at the crawl, and for which the database is away, as shares of a piece.
SAMPLE, LOOK, AWAY = 0.02, 0.0004, 0.08


@dataclass(slots=True)
class Piece:
    """`number`: of the pieces of this soak; it decides what happens."""

    number: int
    seconds: float
    operator: Operator
    say: Callable[[str], None]
    begun: float = 0.0
    quiet: float = 0.0  # when nothing is done any more
    ended: float = 0.0
    hits: list[Hit] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)

    def play(self, served: Served) -> None:
        """From the first request on: a busy machine takes its time to begin."""
        self.operator.start()
        until(served.log, BEGIN)
        watch, self.begun = Watch(), time.time()
        self.quiet, events, next_sample = self.begun, self._plan(), self.begun
        while (now := time.time()) < max(self.begun, self.quiet - DISTURBED * self.seconds) + self.seconds or events:
            served.change()
            self.operator.look()
            if events and events[0][0] <= now:
                _, name, do = events.pop(0)
                self.say(f"{time.strftime('%H:%M:%S')}  {name}")
                do()
                self.quiet = time.time()
            if now >= next_sample:
                next_sample = time.time() + SAMPLE * self.seconds
                self.samples.append(watch.sample(self.operator.leader))
            time.sleep(LOOK * self.seconds)
        self.samples.append(watch.sample(self.operator.leader))
        self.ended = time.time()
        self.operator.stop()
        self.hits = served.log()

    @property
    def undisturbed(self) -> list[Sample]:
        """The samples of the last part, the latest one at least."""
        return [each for each in self.samples if each.at > self.quiet] or self.samples[-1:]

    def _plan(self) -> list[tuple[float, str, Callable[[], None]]]:
        """(Moment, name, what is done), by moment."""
        rng = random.Random(self.number)
        often, special = self.operator.events(), self.operator.special()
        names = [*rng.choices(list(often), k=DISTURBANCES)]
        names += [list(special)[(SPECIAL * self.number + place) % len(special)] for place in range(SPECIAL)]
        planned: list[tuple[float, str, Callable[[], None]]] = []
        for name in names:
            moment = self.begun + self.seconds * rng.uniform(0.03, DISTURBED)
            planned.append((moment, name, (often | special)[name]))
            if name == "database away" and self.operator.server:
                planned.append((moment + AWAY * self.seconds, "database back", self.operator.server.start))
        return sorted(planned, key=lambda each: each[0])
