"""Work that goes on while somebody waits for it."""

import threading

import pytest

from ttcrawl.errors import UsageError
from ttcrawl.jobs.threads import MOST, Work


def test_a_page_does_not_wait_for_long_and_shows_the_progress():
    work, goes_on, begun = Work(), threading.Event(), []

    def compute(progress):
        begun.append(1)
        progress("links", 3, 10)
        goes_on.wait()
        return "result"

    item = work.item("key", compute, stamp=1, patience=0.01)
    while not item.step:
        item = work.item("key", compute, again=True, patience=0.01)  # not begun again while it is under way
    assert (item.ready, item.step, item.done, item.of, item.stamp) == (False, "links", 3, 10, 1)
    goes_on.set()
    assert work.item("key", compute, patience=60).result == "result" and begun == [1]
    assert work.item("key", compute, again=True, patience=60).ready and begun == [1, 1]


@pytest.mark.parametrize("error", [UsageError("wrong rule"), OSError(28, "No space left"), KeyError()])
def test_a_failure_is_a_message(error):
    def compute(progress):
        raise error

    item = Work().item("key", compute, patience=60)
    assert item.over.is_set() and not item.ready and item.error


def test_old_results_are_forgotten():
    work, begun = Work(), []
    for key in (*range(MOST + 5), 0, MOST + 4):
        work.item(key, lambda progress, key=key: begun.append(key), patience=60)
    assert begun == [*range(MOST + 5), 0]


def test_a_result_of_another_stamp_is_shown_for_some_time():
    work, begun = Work(), []
    for stamp, lasts in ((1, 0.0), (1, -1.0), (2, 60.0), (2, -1.0), (2, -1.0)):
        work.item("key", lambda progress, stamp=stamp: begun.append(stamp), stamp=stamp, lasts=lasts, patience=60)
    assert begun == [1, 2]
