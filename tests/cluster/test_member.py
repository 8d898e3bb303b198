"""A ring ends by itself when its conductor has ended, or asks nothing."""

from contextlib import closing
from socket import socketpair

import pytest

from tests.cluster.rings import random_web, seeded
from tests.support.faults.simulation import ModelRing
from ttcrawl.cluster.courier import Courier
from ttcrawl.cluster.member import Member
from ttcrawl.cluster.members import founding
from ttcrawl.cluster.messages import Letter, Poll, Status
from ttcrawl.cluster.presence import FENCE
from ttcrawl.cluster.route import table
from ttcrawl.config import Config
from ttcrawl.engine.environment import Environment
from ttcrawl.engine.loop import Crawl
from ttcrawl.engine.run.interrupts import StopNow
from ttcrawl.engine.run.seeds import seed_links
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.store.sqlite import Store

#: A question that came while the ring was beginning.
EARLY = Poll(wave=0)


@pytest.fixture
def conducted(tmp_path):
    """The crawl of a ring on the clock of a model, and the conductor's end of its connection."""
    chance = seeded(1)
    model = ModelRing(random_web(chance, hosts=2), chance, threads=4, most=10**6)
    conductor, courier = map(Courier, socketpair())
    member = Member(1, founding(table([1], buckets=16)), courier, [Letter(to=1, message=EARLY)])
    with closing(Store(tmp_path / "crawl.db", create=True)) as store:
        store.set(seconds=0.0, started=0, finished="", seeds="")
        given = {"config": Config(), "store": store, "ring": model, "clock": lambda: model.now, "bounds": Bounds()}
        crawl = Crawl(Environment(**given, tick=0.1, peers=member))
        crawl.begin(seed_links(["http://www.site0.test/0"], lambda url: ("", "")))
        yield crawl, conductor, model


def ask(conductor, number):
    conductor.receive()
    conductor.send(1, Poll(wave=number))
    conductor.flush()


def test_it_answers_what_was_asked_while_it_began(conducted):
    crawl, conductor, _ = conducted
    conductor.receive()
    crawl.turn()
    conductor.flush()
    crawl.turn()
    assert [each.message.wave for each in conductor.receive() if isinstance(each.message, Status)] == [EARLY.wave]


@pytest.mark.slow
def test_it_ends_when_nothing_was_asked_for_some_time(conducted):
    crawl, conductor, model = conducted
    begun = model.now
    for number in range(1, 6):
        ask(conductor, number)
        crawl.turn()
    polled = model.now
    with pytest.raises(StopNow):
        while True:
            crawl.turn()
    assert model.now - begun >= FENCE and model.now - polled <= FENCE + 1


def test_it_goes_on_while_it_is_asked_and_answers(conducted):
    crawl, conductor, model = conducted
    begun, waves = model.now, []
    for number in range(1, 1001):
        ask(conductor, number)
        crawl.turn()
        waves += [each.message.wave for each in conductor.receive() if isinstance(each.message, Status)]
    assert model.now - begun > 2 * FENCE
    assert waves == sorted(set(waves)) and len(waves) > 900


def test_it_ends_when_its_answers_are_not_heard(conducted):
    """Questions arrive, so the conductor may think that it has ended, and let others request what it requests."""
    crawl, conductor, model = conducted
    ask(conductor, 1)
    crawl.turn()
    ask(conductor, 2)
    crawl.turn()
    answers = [each.message for each in conductor.receive() if isinstance(each.message, Status)]
    answered, number = model.now, 2
    with pytest.raises(StopNow):
        while True:
            number += 1
            conductor.receive()
            conductor.send(1, Poll(wave=number, life=answers[0].life, heard=answers[0].wave))
            conductor.flush()
            crawl.turn()
    assert FENCE - 1 <= model.now - answered <= FENCE + 1


def test_it_ends_with_its_conductor(conducted):
    crawl, conductor, model = conducted
    begun = model.now
    ask(conductor, 1)
    crawl.turn()
    conductor.close()
    with pytest.raises(StopNow):
        crawl.turn()
    assert model.now - begun < FENCE
