"""Blocks that two sequences have in common: they are right for any input, and made in bounded time."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.snapshot.alignment import matching

FEW = st.lists(st.sampled_from("abcdef"), max_size=60)
MANY = st.lists(st.integers(0, 40), max_size=60)


@pytest.mark.parametrize(
    ("first", "second", "blocks"),
    [
        ("", "", [(0, 0, 0)]),
        ("abc", "abc", [(0, 0, 3), (3, 3, 0)]),
        ("abc", "", [(3, 0, 0)]),
        ("abc", "xyz", [(3, 3, 0)]),
        ("abcd", "abxd", [(0, 0, 2), (3, 3, 1), (4, 4, 0)]),
        ("aaaa", "aaaaa", [(0, 0, 4), (4, 5, 0)]),
        ("the cat", "a cat", [(3, 1, 4), (7, 5, 0)]),
        ("xaby", "zabw", [(1, 1, 2), (4, 4, 0)]),
        ("x a a y", "z a a w", [(1, 1, 5), (7, 7, 0)]),
    ],
)
def test_blocks(first: str, second: str, blocks: list[tuple[int, int, int]]) -> None:
    assert [tuple(each) for each in matching(first, second)] == blocks


@given(st.one_of(st.tuples(FEW, FEW), st.tuples(MANY, MANY)))
def test_blocks_are_equal_and_rise(pair: tuple[list[Hashable], list[Hashable]]) -> None:
    first, second = pair
    *blocks, last = matching(first, second)
    assert last == (len(first), len(second), 0)
    end = other_end = 0
    for position, other, size in blocks:
        assert size > 0 and position >= end and other >= other_end
        assert position > end or other > other_end or not end, "two blocks that are one"
        assert first[position : position + size] == second[other : other + size]
        end, other_end = position + size, other + size


@pytest.mark.slow
def test_a_changed_text_has_as_much_in_common_as_difflib_finds() -> None:
    rng = random.Random(5)
    words = range(1, 5_001)
    text = rng.choices(words, [1 / rank for rank in words], k=2_000)  # by Zipf's law
    shares = []
    for _ in range(20):
        changed = list(text)
        for _ in range(rng.randrange(200)):
            position = rng.randrange(len(changed))
            changed[position : position + rng.randrange(3)] = rng.sample(text, rng.randrange(3))
        ours = sum(block.size for block in matching(text, changed))
        best = sum(block.size for block in SequenceMatcher(None, text, changed, autojunk=False).get_matching_blocks())
        shares.append(ours / best)
    assert min(shares) > 0.97 and sum(shares) / len(shares) > 0.99


class Counted:
    """An item that counts how often items are compared or looked up."""

    operations = 0

    def __init__(self, value: int) -> None:
        self.value = value

    def __hash__(self) -> int:
        Counted.operations += 1
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        Counted.operations += 1
        return isinstance(other, Counted) and self.value == other.value


SIZE = 4_000
RNG = random.Random(1)
CRAFTED: dict[str, tuple[Sequence[int], Sequence[int]]] = {
    "two words": ([RNG.randrange(2) for _ in range(SIZE)], [RNG.randrange(2) for _ in range(SIZE)]),
    "one word": ([0] * SIZE, [0] * (SIZE - 9) + [1] + [0] * 5),
    "reversed": (range(SIZE), range(SIZE)[::-1]),
    "each word is unique only behind the one before": (
        [each for n in range(SIZE // 2) for each in (n + 1, n)],
        [each for n in range(SIZE // 2) for each in (n, n + 2)],
    ),
    "the same, from both ends": (
        [each for n in range(SIZE // 2) for each in (n + 1, -n)],
        [each for n in range(SIZE // 2, 0, -1) for each in (-n, n + 1)],
    ),
}


@pytest.mark.parametrize(("first", "second"), CRAFTED.values(), ids=CRAFTED)
def test_a_crafted_text_costs_a_bounded_number_of_operations(first: Sequence[int], second: Sequence[int]) -> None:
    """Squared, they would be 16 million."""
    before = Counted.operations
    matching([Counted(each) for each in first], [Counted(each) for each in second])
    assert Counted.operations - before < 100 * SIZE
