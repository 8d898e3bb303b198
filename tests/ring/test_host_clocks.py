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
        f"s = Slots.__new__(Slots); s.count, s.size, s.more = 1, {slots.size}, SIZE;"
        f"s.file, s.rest_file = {slots.file}, {slots.rest_file}; s.map();"
        "assert HostClocks(s.rest, s.rest_file).take('a.test', 10.0, 1.0) == 10.0"
    )
    subprocess.run([sys.executable, "-c", script], pass_fds=[slots.file, slots.rest_file], check=True, env=os.environ)
    clocks = HostClocks(slots.rest, slots.rest_file)
    assert clocks.take("a.test", 10.0, 1.0) == 11.0
    assert clocks.take("a.test", 11.0, 1.0) == 11.0


def test_hosts_that_are_free_leave_room_for_others(slots):
    clocks = HostClocks(slots.rest, slots.rest_file)
    for number in range(2 * ENTRIES):
        assert clocks.take(f"{number}.test", float(number), 0.0) == number
        clocks.give(f"{number}.test", float(number))


def test_crawls_with_clocks_of_their_own_share_a_file(tmp_path):
    """One clock is 100 s ahead: its moments are the same moments."""
    files = [os.open(tmp_path / "clocks", os.O_RDWR | os.O_CREAT) for _ in range(2)]
    one, other = (Slots(1, 1, SIZE, file) for file in files)
    early, late = HostClocks(one.rest, one.rest_file), HostClocks(other.rest, other.rest_file, ahead=100.0)
    assert early.take("a.test", 10.0, 1.0) == 10.0
    assert late.take("a.test", 110.0, 1.0) == pytest.approx(110.0 + AGAIN)
    early.give("a.test", 12.5)
    assert late.take("a.test", 111.0, 1.0) == 112.5
    assert late.take("a.test", 112.5, 1.0) == 112.5
    late.give("a.test", 113.0)
    assert early.take("a.test", 12.5, 1.0) == 13.0
    one.close()
    other.close()
