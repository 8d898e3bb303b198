"""Messages gather only while every parse process has work for that time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.ring.gathering import LEAST_AHEAD, LONGEST, MOST_AHEAD, WORK_AHEAD, Gathering


def after(*seconds):
    gathering = Gathering()
    for each in seconds:
        gathering.parsed(each)
    return gathering


def test_quick_pages_are_queued_ahead_and_slow_ones_are_not():
    assert after(*[0.002] * 300).ahead == MOST_AHEAD
    assert after(*[0.3] * 300).ahead == LEAST_AHEAD
    assert after().ahead == LEAST_AHEAD


def test_one_slow_page_among_quick_ones_changes_little():
    assert after(*[0.002] * 300, 20.0).ahead == MOST_AHEAD


def test_the_first_pages_show_how_long_a_page_takes():
    """If the first estimate were believed, parse processes would wait for answers until a hundred pages have passed."""
    assert after().seconds([MOST_AHEAD]) == 0
    assert 0 < after(0.002).seconds([MOST_AHEAD]) < 0.002 * MOST_AHEAD
    assert after(0.001, 0.003).seconds([MOST_AHEAD]) == pytest.approx(after(*[0.002] * 300).seconds([MOST_AHEAD]))


def test_nothing_gathers_for_a_process_with_one_answer_or_none():
    gathering = after(*[0.002] * 300)
    for queues in ([], [0], [1], [8, 1], [0, 8]):
        assert gathering.seconds(queues) == 0


def test_more_gathers_for_each_answer_of_a_long_queue_than_of_a_short_one():
    """Of few answers all may be quick: a process with these must not wait for the next ones."""
    gathering = after(*[0.001] * 300)
    shares = [gathering.seconds([count]) / (count * 0.001) for count in range(2, MOST_AHEAD + 1)]
    assert shares == sorted(shares)
    assert shares[0] == 0 and 0.5 < shares[-1] < 1


@pytest.mark.slow
@given(st.floats(1e-4, 1), st.lists(st.integers(0, 20), min_size=1, max_size=4))
def test_no_queue_runs_dry_meanwhile(time, queues):
    gathering, mean = after(*[time] * 500), min(time, WORK_AHEAD)
    seconds = gathering.seconds(queues)
    assert 0 <= seconds <= LONGEST
    assert seconds == 0 or seconds < min(queues) * mean * 1.01
