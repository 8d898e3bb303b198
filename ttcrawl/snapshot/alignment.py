"""The longest common parts of two sequences, in time that grows little faster than their lengths. Pure.

difflib is quadratic, and cubic for crafted texts; a page may have 10 MB. This is the patience method of Bram Cohen:
items that both sequences have once are anchors, the longest rising run of them is common, and the same is done between
two anchors. Where nothing is there once, the k-th occurrence of an item is paired with the k-th one of the other
sequence. Two texts of 1.5 million words take 2 s, crafted ones 12 s.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from difflib import Match

#: Levels of anchors between anchors. Texts need fewer than ten; a crafted one gets the pairs by occurrence sooner.
LEVELS = 32

#: Positions: of an item in the first and in the second sequence.
Pair = tuple[int, int]


def matching(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[Match]:
    """Blocks of equal items, rising in both sequences, as large as they can be; not always as many items as possible.

    The last block is empty and at both ends, as difflib has it.
    """
    blocks: list[Match] = []
    for position, other, size in sorted(_blocks(first, second)):
        if blocks and (blocks[-1].a + blocks[-1].size, blocks[-1].b + blocks[-1].size) == (position, other):
            position, other, size = blocks[-1].a, blocks[-1].b, blocks.pop().size + size
        blocks.append(Match(position, other, size))
    return [*blocks, Match(len(first), len(second), 0)]


def _blocks(first: Sequence[Hashable], second: Sequence[Hashable]) -> Iterator[tuple[int, int, int]]:
    """Blocks in any order; neighbours may be one."""
    ranges = [(0, len(first), 0, len(second), LEVELS)]
    while ranges:
        low, high, other_low, other_high, levels = ranges.pop()
        start, end = low, high
        while low < high and other_low < other_high and first[low] == second[other_low]:
            low, other_low = low + 1, other_low + 1
        while low < high and other_low < other_high and first[high - 1] == second[other_high - 1]:
            high, other_high = high - 1, other_high - 1
        if low > start:
            yield start, other_low - (low - start), low - start
        if end > high:
            yield high, other_high, end - high
        if low == high or other_low == other_high:
            continue
        indexes, others = range(low, high), range(other_low, other_high)
        anchors = _rising(_unique(first, indexes, second, others)) if levels else []
        if not anchors:
            yield from ((*pair, 1) for pair in _rising(_by_occurrence(first, indexes, second, others)))
            continue
        for anchor, other in [*anchors, (high, other_high)]:
            ranges.append((low, anchor, other_low, other, levels - 1))
            low, other_low = anchor, other  # the anchor is the first pair of the next range


def _unique(first: Sequence[Hashable], indexes: range, second: Sequence[Hashable], others: range) -> Iterator[Pair]:
    """The items that are once in each range, in the order of the first one."""
    positions, other_positions = _once(first, indexes), _once(second, others)
    for item, index in positions.items():
        other = other_positions.get(item, -1)
        if index >= 0 and other >= 0:
            yield index, other


def _once(items: Sequence[Hashable], indexes: range) -> dict[Hashable, int]:
    """The position of each item; -1: it has several."""
    positions: dict[Hashable, int] = {}
    for index in indexes:
        positions[items[index]] = -1 if items[index] in positions else index
    return positions


def _by_occurrence(
    first: Sequence[Hashable], indexes: range, second: Sequence[Hashable], others: range
) -> Iterator[Pair]:
    """The k-th occurrence of an item in each range, in the order of the first one."""
    positions: dict[Hashable, list[int]] = {}
    for other in reversed(others):
        positions.setdefault(second[other], []).append(other)
    for index in indexes:
        if left := positions.get(first[index]):
            yield index, left.pop()


def _rising(pairs: Iterator[Pair]) -> list[Pair]:
    """The longest subsequence whose second positions rise; the first ones do (Fredman 1975)."""
    ends: list[int] = []  # the smallest last position of a run of each length
    runs: list[tuple[Pair, object]] = []  # these runs: the last pair, and the run before it
    for pair in pairs:
        length = bisect_left(ends, pair[1])
        run = (pair, runs[length - 1] if length else None)
        ends[length : length + 1] = [pair[1]]
        runs[length : length + 1] = [run]
    rising: list[Pair] = []
    rest: object = runs[-1] if runs else None
    while isinstance(rest, tuple):
        rising.append(rest[0])
        rest = rest[1]
    return rising[::-1]
