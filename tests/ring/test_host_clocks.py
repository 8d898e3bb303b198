"""The clocks of hosts in shared memory, by a clock that is passed in."""

import os
import subprocess
import sys

import pytest

from ttcrawl.ring.host_clocks import AGAIN, ENTRIES, SIZE, HostClocks
from ttcrawl.ring.slots import Slots


@pytest.fixture
def slots():
    made = Slots(1, 1, SIZE)
    yield made
    made.close()


def test_a_host_is_taken_by_one_and_given_back_with_its_next_moment(slots):
    one, other = (HostClocks(slots.rest, slots.rest_file) for _ in range(2))
    assert one.take("a.test", 10.0, 1.0) == 10.0
    assert other.take("a.test", 10.0, 1.0) == 10.0 + AGAIN
    assert other.take("b.test", 10.0, 1.0) == 10.0
    one.give("a.test", 12.5)
    assert other.take("a.test", 11.0, 1.0) == 12.5
    assert other.take("a.test", 12.5, 1.0) == 12.5


def test_a_process_that_dies_gives_back_its_hosts_after_the_delay(slots):
    script = (
        "import sys; from ttcrawl.ring.slots import Slots; from ttcrawl.ring.host_clocks import SIZE, HostClocks;"
        f"s = Slots.__new__(Slots); s.count, s.size, s.more, s.file = 1, {slots.size}, SIZE, {slots.file}; s.map();"
        "assert HostClocks(s.rest, s.file).take('a.test', 10.0, 1.0) == 10.0"
    )
    subprocess.run([sys.executable, "-c", script], pass_fds=[slots.file], check=True, env=os.environ)
    clocks = HostClocks(slots.rest, slots.rest_file)
    assert clocks.take("a.test", 10.0, 1.0) == 11.0
    assert clocks.take("a.test", 11.0, 1.0) == 11.0


def test_hosts_that_are_free_leave_room_for_others(slots):
    clocks = HostClocks(slots.rest, slots.rest_file)
    for number in range(2 * ENTRIES):
        assert clocks.take(f"{number}.test", float(number), 0.0) == number
        clocks.give(f"{number}.test", float(number))
