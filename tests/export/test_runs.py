"""Records that are sorted outside of memory are those that were added, in order."""

import random

import pytest

from tests.support.cases import some_fast
from ttcrawl.export.runs import PIECE, RUN, Runs


@pytest.mark.parametrize(
    "count", some_fast([0, 1, PIECE, PIECE + 1, RUN - 1, RUN, 2 * RUN + PIECE + 3], 0, 1, PIECE, PIECE + 1, RUN)
)
def test_every_record_is_there_once(count):
    chance = random.Random(count)
    records = [(chance.randrange(1 + count // 3), number, "a", f"text {number % 7}") for number in range(count)]
    runs = Runs()
    for begin in range(0, count, 1000):
        runs.add(records[begin : begin + 1000])
    assert list(runs) == sorted(records)  # stable: the second number is the order of addition


def test_any_number_and_any_text():
    records = [(1 << 62, -(1 << 62), "", "\x00é\U0001f600 " * 1000), (-1, 0, "a", "")]
    runs = Runs()
    runs.add(records)
    assert list(runs) == records[::-1]
