"""The process of a ring behind an actor that is late, out of reach or lost."""

import time

import pytest

from ttcrawl.cluster.distant import Distant, LateError, LostError, UnreachableError
from ttcrawl.cluster.messages import Ended, Letter, Poll, Said, Status
from ttcrawl.cluster.post import CONDUCTOR

STATUS = Letter(
    to=CONDUCTOR, message=Status(ring=1, wave=1, idle=True, life="a", activity=7, epoch=0, fetched=3, bytes=100)
)
DONE = Ended(failed=False, why="done")


class Script:
    """An actor that answers as it is told: `begin` with these, `ended` with those; the last one again and again."""

    def __init__(self, begin, ended):
        self.answers = {"begin": list(begin), "ended": list(ended)}
        self.methods, self.letters, self.killed = [], [], 0

    def submit(self, method, *arguments):
        self.methods.append(method)

        def answer(seconds):
            rest = self.answers.get(method, [None])
            each = rest.pop(0) if len(rest) > 1 else rest[0]
            if isinstance(each, Exception):
                raise each
            return each

        return answer

    def send(self, letters):
        self.letters += letters

    def awaited(self):
        return "start it so"

    def kill(self):
        self.killed += 1


def distant(begin, ended):
    actor = Script(begin, ended)
    return Distant(actor, dict), actor


def ended(ring, seconds=20):
    end = time.monotonic() + seconds
    while ring.ended() is None and time.monotonic() < end:
        time.sleep(0.01)
    return ring.ended()


def lines(ring):
    return b"".join(each.message.text for each in ring.courier.receive() if isinstance(each.message, Said))


BEGUN = ("process 7 on there", "")
RUNS, END = ("", None), ("has ended with status 0", DONE)


def test_a_machine_that_is_awaited_is_named_once():
    ring, actor = distant([LateError(), LateError(), BEGUN], [END])
    assert ended(ring) == "has ended with status 0" and ring.name == "process 7 on there" and not ring.waits
    assert lines(ring).count(b"waits for its machine: start it there with start it so\n") == 1
    assert actor.methods.count("begin") == 1
    ring.close(time.monotonic() + 5)
    assert not actor.killed  # it stays for those who ask how the ring has ended


def test_the_last_message_comes_before_the_end():
    ring, _ = distant([BEGUN], [RUNS, RUNS, END])
    assert ended(ring)
    assert ring.courier.receive() == [Letter(to=CONDUCTOR, message=DONE)] and ring.courier.closed
    ring.close(time.monotonic() + 5)


def test_a_short_cut_of_the_network_stays_unnoticed():
    """The same process answers after it."""
    ring, actor = distant([BEGUN], [RUNS, UnreachableError(), RUNS, UnreachableError(), END])
    assert ended(ring) == "has ended with status 0"
    assert actor.methods.count("begin") == 3
    ring.close(time.monotonic() + 5)


def test_another_process_after_a_cut_is_another_start():
    ring, _ = distant([BEGUN, ("process 8 on there", "")], [RUNS, UnreachableError(), RUNS])
    assert ended(ring) == "was lost with its machine"
    ring.close(time.monotonic() + 5)


@pytest.mark.parametrize("begin", [[LostError("gone")], [BEGUN]], ids=["before it begins", "later"])
def test_an_actor_that_is_lost(begin):
    ring, _ = distant(begin, [LostError("gone")])
    assert ended(ring) == "was lost with its machine (gone)"
    ring.close(time.monotonic() + 5)


def test_a_ring_that_cannot_begin():
    ring, _ = distant([("", "the disk is full")], [END])
    assert ended(ring) == "has not begun" and ring.trouble == "the disk is full"
    ring.close(time.monotonic() + 5)


def test_letters_and_lines():
    ring, actor = distant([LateError()], [RUNS])
    written = Letter(to=CONDUCTOR, message=Said(text=b"one\ntw"))
    ring.deliver([STATUS, written])
    come = ring.courier.receive()
    assert STATUS in come and written in come
    ring.courier.send(1, Poll(wave=3))
    assert actor.letters == []
    ring.courier.flush()
    assert actor.letters == [Letter(to=1, message=Poll(wave=3))]
    ring.close(0.0)
    ring.deliver([STATUS])  # too late: nothing happens


def test_a_ring_that_waits_is_left_where_it_is():
    """Its actor is not killed: it would begin again when its machine is there."""
    ring, actor = distant([LateError()], [RUNS])
    ring.kill()
    assert ended(ring) == "was killed" and not actor.killed
    ring.close(0.0)
