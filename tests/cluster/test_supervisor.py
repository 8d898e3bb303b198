"""The sums that a conductor shows, rings that it asks again, and rings that it gives up."""

import os
import threading
import time
from contextlib import closing
from dataclasses import replace
from socket import socketpair

import pytest
from msgspec import structs

from ttcrawl.cluster.courier import Courier
from ttcrawl.cluster.members import founding
from ttcrawl.cluster.messages import Ended, Finish, Look, Poll, Status, Stop
from ttcrawl.cluster.plan import Plan
from ttcrawl.cluster.post import CONDUCTOR
from ttcrawl.cluster.process import Process
from ttcrawl.cluster.route import table
from ttcrawl.cluster.supervisor import HOPELESS, Supervisor, together
from ttcrawl.config import Config, Crawl
from ttcrawl.output.counters import Snapshot

IDLE = Status(ring=1, wave=1, idle=True, life="a", activity=7, epoch=0, fetched=3, bytes=100)
ONE = replace(Snapshot(**dict.fromkeys(Snapshot.__slots__, 2)), seconds=3.0, relevant=None, slowest_host="a.test")


def test_all_rings_together():
    other = replace(ONE, seconds=5.0, pages=7)
    both = together([ONE, other])
    assert (both.seconds, both.pages, both.queued, both.relevant) == (5.0, 9, 4, None)
    assert together([ONE]) == ONE
    assert together([replace(ONE, relevant=1), replace(ONE, relevant=4)]).relevant == 5


@pytest.mark.slow
def test_a_ring_that_cannot_start_is_given_up(tmp_path):
    plan = Plan(members=founding(table((1,))), seeds=("http://a.test/",), allowed=(), finished="")
    lines = []

    def launch(ring):
        return Process(tmp_path, ring, ("sh", "-c", "echo it cannot start >&2; exit 1"))

    supervisor = Supervisor(tmp_path, plan, launch, Config(), lambda now: None, lines.append)
    with closing(supervisor):
        ended = supervisor.run()
    assert ended == f"failed: ring 1 has ended with status 1, {HOPELESS} times before it answered"
    assert sum("it was started again" in line for line in lines) == HOPELESS - 1
    assert any("it cannot start" in line for line in lines)


class Forgetful(threading.Thread):
    """A ring to which the first question of each wave does not come."""

    name, waits, trouble = "forgetful", False, ""

    def __init__(self, ring=1, looks=0):
        """`looks`: the first wave in which it tells what it does."""
        super().__init__(daemon=True)
        self._ring, self._looks = ring, looks
        self.courier, self._own = map(Courier, socketpair())
        self.errors, self._written = os.pipe()
        os.set_blocking(self.errors, False)
        self.waves = []
        self.start()

    def run(self):
        why = ""
        while not (why or self._own.closed):
            for message in (letter.message for letter in self._own.receive()):
                if isinstance(message, Poll):
                    self._answer(message.wave)
                elif isinstance(message, Finish | Stop):
                    why = "done" if isinstance(message, Finish) else message.why
            self._own.flush()
            time.sleep(0.01)
        self._own.send(CONDUCTOR, Ended(failed=False, why=why))
        self._own.close()

    def _answer(self, wave):
        if wave in self.waves:
            self._own.send(CONDUCTOR, structs.replace(IDLE, ring=self._ring, wave=wave, idle=wave > self._looks))
            if wave >= self._looks:
                self._own.send(CONDUCTOR, Look(snapshot=ONE))
        self.waves.append(wave)

    def ended(self):
        return None if self.is_alive() else "has ended"

    def kill(self):
        self._own.close()

    def close(self, end):
        self.join(10)
        os.close(self.errors)
        os.close(self._written)


@pytest.mark.slow
def test_a_ring_without_an_answer_is_asked_again_in_the_same_wave(tmp_path):
    plan = Plan(members=founding(table((1,))), seeds=("http://a.test/",), allowed=(), finished="")
    rings = []

    def launch(ring):
        rings.append(Forgetful())
        return rings[-1]

    config = Config(crawl=Crawl(max_time=20))
    supervisor = Supervisor(tmp_path, plan, launch, config, lambda now: None, lambda line: None)
    with closing(supervisor):
        assert supervisor.run() == "done"
    assert len(rings) == 1


@pytest.mark.slow
def test_the_sums_are_shown_once_all_rings_have_told_theirs(tmp_path):
    plan = Plan(members=founding(table((1, 2))), seeds=("http://a.test/",), allowed=(), finished="")
    shown = []
    config = Config(crawl=Crawl(max_time=60))
    launch = {1: lambda: Forgetful(1), 2: lambda: Forgetful(2, looks=4)}
    supervisor = Supervisor(tmp_path, plan, lambda ring: launch[ring](), config, shown.append, lambda line: None)
    with closing(supervisor):
        assert supervisor.run() == "done"
    assert {each.pages for each in shown} == {2 * ONE.pages}
