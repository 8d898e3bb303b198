"""Memory of slots: free ones keep what the next bodies need, and give back the rest."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing

import pytest

from ttcrawl.ring.messages import HEAD_ROOM
from ttcrawl.ring.slots import Free, Slots

BODY = 31 << 10
HEAD = 400

#: Bytes that free slots may keep in these tests.
WARM = 1 << 20


@pytest.fixture
def slots() -> Iterator[Slots]:
    with closing(Slots(64, HEAD_ROOM + (4 << 20))) as made:
        yield made


def in_memory(slots: Slots) -> int:
    return os.fstat(slots.file).st_blocks * 512


def fill(slots: Slots, free: Free, sizes: list[int]) -> None:
    """Let answers with bodies of these sizes be in flight at once."""
    numbers = [free.take() for _ in sizes]
    for number, size in zip(numbers, sizes, strict=True):
        slot = slots.slot(number)
        slot[:HEAD] = bytes(HEAD)
        slot[HEAD_ROOM : HEAD_ROOM + size] = b"x" * size
    for number, size in zip(numbers, sizes, strict=True):
        free.release(number, HEAD + size)


def test_the_memory_of_usual_bodies_is_used_again(slots: Slots) -> None:
    """Also with a head before the body, whose room alone is larger than most bodies."""
    free = Free(slots, WARM)
    for _ in range(3):
        fill(slots, free, [BODY] * 16)
        assert 16 * BODY <= in_memory(slots) <= 16 * (BODY + (2 << 12))


@pytest.mark.parametrize("sizes", [[4 << 20], [BODY] * 64, [1, 2 << 20, 1]])
def test_free_slots_give_back_what_is_more_than_they_may_keep(slots: Slots, sizes: list[int]) -> None:
    free = Free(slots, WARM)
    for _ in range(3):
        fill(slots, free, sizes)
        assert in_memory(slots) <= WARM + (len(sizes) << 13)


def test_a_large_body_takes_no_memory_from_others(slots: Slots) -> None:
    free = Free(slots, WARM)
    fill(slots, free, [BODY] * 16)
    kept = in_memory(slots)
    fill(slots, free, [4 << 20])
    assert kept - (BODY + (2 << 12)) <= in_memory(slots) <= kept


def test_a_slot_in_use_keeps_its_bytes(slots: Slots) -> None:
    free = Free(slots, WARM)
    number = free.take()
    slots.slot(number)[HEAD_ROOM : HEAD_ROOM + 4] = b"body"
    fill(slots, free, [2 << 20] * 3)
    assert bytes(slots.slot(number)[HEAD_ROOM : HEAD_ROOM + 4]) == b"body"


def test_each_slot_is_taken_once(slots: Slots) -> None:
    free = Free(slots)
    assert sorted(free.take() for _ in range(64)) == list(range(64)) and not free
    free.release(7, 0)
    assert free and free.take() == 7
