"""Which batches leave, when, and in which messages."""

import pytest

from ttcrawl.cluster.outbox import AGAIN, ENOUGH, GATHER, WINDOW, Outbox

A, B = 2, 3


def due(outbox, now, *, at_once=False):
    return list(outbox.due(now, at_once=at_once))


def holding(*sizes, ring=A):
    outbox = Outbox()
    for number, size in enumerate(sizes, 1):
        outbox.add(ring, number, size)
    return outbox


def test_the_first_batches_leave_at_once_and_together():
    outbox = holding(10, 20)
    outbox.add(B, 1, 30)
    assert due(outbox, 0.0) == [(A, [1, 2]), (B, [1])]


def test_later_ones_wait_for_others():
    outbox = holding(10)
    due(outbox, 0.0)
    outbox.acknowledged(A, 1)
    outbox.add(A, 2, 10)
    assert due(outbox, GATHER - 0.1) == []
    outbox.add(A, 3, 10)
    assert due(outbox, GATHER) == [(A, [2, 3])]


@pytest.mark.parametrize(
    ("size", "at_once", "leaves"), [(ENOUGH, False, True), (ENOUGH - 1, False, False), (1, True, True)]
)
def test_enough_bytes_and_a_crawl_at_rest_do_not_wait(size, at_once, leaves):
    outbox = holding(10)
    due(outbox, 0.0)
    outbox.acknowledged(A, 1)
    outbox.add(A, 2, size)
    assert due(outbox, 0.1, at_once=at_once) == ([(A, [2])] if leaves else [])


def test_what_is_not_acknowledged_leaves_again_and_again():
    outbox = holding(10, 20)
    due(outbox, 0.0)
    assert outbox.acknowledged(A, 1) and not outbox.acknowledged(A, 1)
    assert due(outbox, AGAIN - 0.1) == []
    assert due(outbox, AGAIN) == [(A, [2])]
    assert due(outbox, AGAIN + 0.1) == []
    assert due(outbox, 2 * AGAIN) == [(A, [2])]
    assert outbox and outbox.acknowledged(A, 2) and not outbox


def test_a_message_ends_when_it_has_enough():
    assert due(holding(*[ENOUGH // 2] * 5), 0.0) == [(A, [1, 2]), (A, [3, 4]), (A, [5])]


def test_a_ring_that_is_down_gets_no_flood():
    outbox = holding(*[ENOUGH] * 100)
    first = [number for _, numbers in due(outbox, 0.0) for number in numbers]
    assert first == list(range(1, len(first) + 1)) and WINDOW <= len(first) * ENOUGH < WINDOW + ENOUGH
    for moment in range(4, 100):
        again = [number for _, numbers in due(outbox, float(moment)) for number in numbers]
        assert set(again) <= set(first)
    for number in first:
        outbox.acknowledged(A, number)
    assert due(outbox, 100.0)[0] == (A, [len(first) + 1])


def test_an_acknowledgement_of_another_ring_counts_for_nothing():
    outbox = holding(10)
    assert not outbox.acknowledged(B, 1)
    due(outbox, 0.0)
    assert not outbox.acknowledged(B, 1) and outbox.acknowledged(A, 1)


class Size(int):
    """Bytes, which count how often they are added up."""

    looks = 0

    def __radd__(self, other):
        Size.looks += 1
        return int(other) + int(self)


def test_no_turn_looks_at_all_batches_of_a_ring_that_is_down():
    outbox = holding(*[Size(100)] * 20_000)
    due(outbox, 0.0)
    Size.looks = 0
    assert [due(outbox, turn / 10) for turn in range(10)] == [[]] * 10
    assert Size.looks < 10
