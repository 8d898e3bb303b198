"""Slow pages leave one process to the quick ones, and do not wait for a process of their own."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.ring.choice import LEAST_AHEAD, LONGEST, MOST_AHEAD, WORK_AHEAD, Gathering, ParserChoice
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import Request
from ttcrawl.ring.waiting import SLOW, Waiting


class Pool:
    """Parse processes with quick pages, and one with a slow page for each number in `slow`; the clock stands still."""

    def __init__(self, queues: list[int], slow: tuple[int, ...] = ()) -> None:
        self.now, self.waiting = 100.0, Waiting()
        self.flights: dict[int, Flight[None]] = {}
        self.processes: list[Any] = [SimpleNamespace(tokens=deque(), number=number) for number in range(len(queues))]
        self.choice = ParserChoice(self.flights, self.processes, [], self.waiting, lambda: self.now)
        for process, pages in zip(self.processes, queues, strict=True):
            for _ in range(pages):
                self.give(process)
        for number in slow:
            self.give(self.processes[number], slow=True)

    def give(self, process: Any, *, slow: bool = False) -> None:
        token = len(self.flights)
        request = Request(token=token, kind="page", url="http://a.test/", depth=0, not_before=0.0)
        self.flights[token] = Flight(request=request, turn=None, since=self.now, long=slow)
        process.tokens.append(token)
        if slow:
            self.choice.expect_long(token)

    def chosen(self, *, slow: bool) -> int | None:
        process = self.choice.free(slow=slow)
        return None if process is None else process.number


@pytest.mark.parametrize(
    ("queues", "slow", "for_slow", "for_quick"),
    [
        ([2, 2], (), 1, 0),  # behind quick pages: nothing else follows it
        ([0, 3], (), 1, 0),
        ([2, 1], (1,), None, 0),  # one process remains for quick pages
        ([2, 3, 1], (), 2, 2),
        ([2, 3, 0], (2,), 1, 0),
        ([0], (), None, 0),  # of a single process all is for quick pages
    ],
)
def test_who_takes_the_next_page(
    queues: list[int], slow: tuple[int, ...], for_slow: int | None, for_quick: int | None
) -> None:
    pool = Pool(queues, slow)
    assert (pool.chosen(slow=True), pool.chosen(slow=False)) == (for_slow, for_quick)


def test_a_process_with_a_slow_page_is_not_waited_for() -> None:
    """It has one answer; if that counted as a short queue, no messages would gather until it has ended."""
    pool = Pool([5, 0], (1,))
    for _ in range(100):
        pool.choice.parsed(pool.flights[0], 0.002, 0.002)
    assert not pool.choice.hungry()
    assert pool.choice.pause() > 0


def test_another_process_is_started_when_slow_pages_have_waited() -> None:
    pool = Pool([2, 0], (1,))
    assert not pool.choice.needs_more()
    pool.waiting.put("a.test", 100, long=True)
    assert not pool.choice.needs_more()
    pool.now += SLOW / 2
    assert not pool.choice.needs_more()
    pool.choice.landed(0)
    pool.flights[0].since = pool.now + SLOW  # the process for quick pages goes on
    pool.now += SLOW / 2
    assert pool.choice.needs_more()


def test_another_process_is_started_at_once_when_quick_pages_turn_out_slow() -> None:
    pool = Pool([1, 1])
    pool.waiting.put("a.test", 100)
    assert not pool.choice.needs_more()
    pool.now += 1.1 * SLOW
    assert pool.choice.needs_more()


def after(*seconds):
    gathering = Gathering()
    for each in seconds:
        gathering.parsed(each)
    return gathering


def test_quick_pages_are_queued_ahead_and_slow_ones_are_not():
    assert after(*[0.0005] * 300).ahead == MOST_AHEAD
    assert 18 <= after(*[0.002] * 300).ahead <= 20
    assert after(*[0.3] * 300).ahead == LEAST_AHEAD
    assert after().ahead == LEAST_AHEAD


def test_one_slow_page_among_quick_ones_changes_little():
    assert after(*[0.002] * 300, 20.0).ahead > 20 / 2


def test_the_first_pages_show_how_long_a_page_takes():
    """If the first estimate were believed, parse processes would wait for answers until a hundred pages have passed."""
    assert after().seconds([8]) == 0
    assert 0 < after(0.002).seconds([8]) < 0.002 * 8
    assert after(0.001, 0.003).seconds([8]) == pytest.approx(after(*[0.002] * 300).seconds([8]))


def test_nothing_gathers_for_a_process_with_one_answer_or_none():
    gathering = after(*[0.002] * 300)
    for queues in ([], [0], [1], [8, 1], [0, 8]):
        assert gathering.seconds(queues) == 0


def test_more_gathers_for_each_answer_of_a_long_queue_than_of_a_short_one():
    """Of few answers all may be quick: a process with these must not wait for the next ones."""
    gathering = after(*[0.001] * 300)
    shares = [gathering.seconds([count]) / (count * 0.001) for count in range(2, 20)]
    assert shares == sorted(shares)
    assert shares[0] == 0 and 0.5 < shares[-1] < 1


@pytest.mark.slow
@given(st.floats(1e-4, 1), st.lists(st.integers(0, 20), min_size=1, max_size=4))
def test_no_queue_runs_dry_meanwhile(time, queues):
    gathering, mean = after(*[time] * 500), min(time, WORK_AHEAD)
    seconds = gathering.seconds(queues)
    assert 0 <= seconds <= LONGEST
    assert seconds == 0 or seconds < min(queues) * mean * 1.01
