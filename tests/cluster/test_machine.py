"""The actor of a ring, without Ray: it keeps the ring's process alive, and carries its letters."""

import os
import signal
import sys
from queue import SimpleQueue

import pytest

from ttcrawl.cluster.machine import LOST, Machine
from ttcrawl.cluster.members import founding
from ttcrawl.cluster.messages import Ended, Letter, Poll, Said
from ttcrawl.cluster.plan import Plan, fresh, handed_over
from ttcrawl.cluster.post import CONDUCTOR
from ttcrawl.cluster.process import Process
from ttcrawl.cluster.route import table
from ttcrawl.config import Config

#: A ring that sends back what it gets, and ends with its connection.
ECHO = """
import os, sys
print("it begins", file=sys.stderr, flush=True)
while data := os.read(int(sys.argv[-1]), 1 << 16):
    os.write(int(sys.argv[-1]), data)
"""

PLAN = Plan(members=founding(table((1,))), seeds=("http://a.test/",), allowed=(), id="one")
POLL, DONE = Letter(to=2, message=Poll(wave=3)), Letter(to=CONDUCTOR, message=Ended(failed=False, why="done"))


@pytest.fixture
def files(tmp_path):
    """What the conductor sends; it is on the same machine."""
    with fresh(tmp_path / "c", PLAN, Config()):
        yield handed_over(tmp_path / "c")


@pytest.fixture
def machine(files, tmp_path, request):
    """A machine whose ring runs the script of the test, else ECHO, and what it posts."""
    script = getattr(request, "param", ECHO)
    posted = SimpleQueue()
    machine = Machine(
        str(tmp_path / "c"),
        1,
        lambda to, letters: [posted.put((to, each)) for each in letters],
        lambda path, ring: Process(path, ring, (sys.executable, "-c", script)),
    )
    yield machine, posted
    machine.hang_up()


def come(posted, wanted):
    """Whether this letter comes, for this receiver."""
    while (receiver_and_letter := posted.get(timeout=20)) != wanted:
        assert isinstance(receiver_and_letter[1].message, Said)
    return True


def until_told(posted, text):
    while text not in posted.get(timeout=20)[1].message.text:
        pass


def test_letters_go_both_ways_until_the_connection_ends(machine, files):
    machine, posted = machine
    name, trouble = machine.begin(files)
    assert not trouble and machine.begin(files) == (name, "")
    machine.send([POLL])
    assert come(posted, (2, POLL))
    machine.hang_up()
    assert machine.ended(name) == ("has ended with status 0", None)


def test_a_process_that_is_killed_begins_again(machine, files):
    machine, posted = machine
    name, _ = machine.begin(files)
    until_told(posted, b"it begins")
    os.kill(int(name.split()[1]), signal.SIGKILL)
    assert machine.ended(name) == ("was killed by SIGKILL", None)
    until_told(posted, b"it begins")
    machine.send([POLL])
    assert come(posted, (2, POLL))


def test_one_that_has_ended_because_the_crawl_has_does_not(machine, files):
    machine, posted = machine
    name, _ = machine.begin(files)
    machine.send([DONE])
    assert come(posted, (CONDUCTOR, DONE))
    os.kill(int(name.split()[1]), signal.SIGTERM)
    assert machine.ended(name) == ("was killed by SIGTERM", DONE.message)
    assert machine.begin(files) == (name, "")


@pytest.mark.parametrize("machine", ["import sys; sys.exit('the disk is full')"], indirect=True)
def test_its_last_words_are_told(machine, files):
    machine, posted = machine
    name, _ = machine.begin(files)
    assert machine.ended(name) == ("has ended with status 1", None)
    until_told(posted, b"the disk is full")


def test_an_actor_that_ray_starts_once_more_goes_on_by_itself(machine, files):
    machine, posted = machine
    machine.go_on()
    machine.send([POLL])
    assert come(posted, (2, POLL))
    assert machine.ended("process 7 of before") == (LOST, None)
