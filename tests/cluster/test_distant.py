"""The process of a ring behind an actor that is late, out of reach or lost: its bytes arrive once and in order."""

import time

import pytest

from ttcrawl.cluster.distant import Distant, LateError, LostError, UnreachableError
from ttcrawl.cluster.frames import SHORTEST
from ttcrawl.cluster.members import founding
from ttcrawl.cluster.plan import Plan, fresh
from ttcrawl.cluster.route import table
from ttcrawl.config import Config

SECRET = b"s" * SHORTEST


@pytest.fixture
def directory(tmp_path):
    plan = Plan(members=founding(table((1,))), seeds=("http://a.test/",), allowed=())
    with fresh(tmp_path / "c", plan, Config()):
        yield tmp_path / "c"


class Script:
    """An actor that answers as it is told: `begin` with these, `take` with those."""

    def __init__(self, begin, take):
        self.begin, self.take = list(begin), list(take)
        self.methods, self.killed = [], False

    def submit(self, method, *arguments):
        self.methods.append((method, *arguments[:1]))

        def answer(seconds):
            if method not in ("begin", "take"):
                return None
            rest = getattr(self, method)
            each = rest.pop(0) if len(rest) > 1 else rest[0]
            if isinstance(each, Exception):
                raise each
            return each if method == "begin" else (arguments[0], *each)

        return answer

    def awaited(self):
        return "start it so"

    def kill(self):
        self.killed = True


def ended(ring, seconds=20):
    end = time.monotonic() + seconds
    while ring.ended() is None and time.monotonic() < end:
        time.sleep(0.01)
    return ring.ended()


def lines(ring):
    with open(ring.errors, "rb", closefd=False) as file:
        return file.read() or b""


BEGUN = ("process 7 on there", "")
END = (b"", b"", "has ended with status 0")


def test_a_machine_that_is_awaited_is_named_once(directory):
    actor = Script([LateError(), LateError(), BEGUN], [END])
    ring = Distant(directory, 1, SECRET, actor)
    assert ended(ring) == "has ended with status 0" and ring.name == "process 7 on there" and not ring.waits
    assert lines(ring).count(b"waits for its machine: start it there with start it so\n") == 1
    ring.close(time.monotonic() + 5)
    assert actor.killed


def test_a_call_without_an_answer_is_repeated_with_its_number(directory):
    actor = Script([BEGUN], [(b"", b"one\n", ""), LateError(), UnreachableError(), (b"", b"two\n", ""), END])
    ring = Distant(directory, 1, SECRET, actor)
    assert ended(ring) == "has ended with status 0" and lines(ring) == b"one\ntwo\n"
    assert [number[0] for method, *number in actor.methods if method == "take"] == [1, 2, 2, 2, 3]
    ring.close(time.monotonic() + 5)


@pytest.mark.parametrize("begin", [[LostError("gone")], [BEGUN]], ids=["before it begins", "later"])
def test_an_actor_that_is_lost(directory, begin):
    ring = Distant(directory, 1, SECRET, Script(begin, [LostError("gone")]))
    assert ended(ring) == "was lost with its machine (gone)"
    ring.close(time.monotonic() + 5)


def test_a_ring_that_cannot_begin(directory):
    ring = Distant(directory, 1, SECRET, Script([("", "the disk is full")], [END]))
    assert ended(ring) == "has not begun" and ring.trouble == "the disk is full"
    ring.close(time.monotonic() + 5)
