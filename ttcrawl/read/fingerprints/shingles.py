"""The shingles of a text: its runs of words, as hashes (Broder 1997)."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from operator import mul

from ttcrawl import core
from ttcrawl.read.casefold import casefolded
from ttcrawl.read.fingerprints.words import MASK, Words, mixed, split

#: Odd, so it has an inverse.
_BASE, _STEP = 0xD1342543DE82EF95, 0xDA942042E4DD58B5


def text_shingles(text: str, size: int, fewest: int) -> bytes:
    """The shingles of a text, without regard to case; b"" if it has fewer words than `fewest`."""
    if core.native is not None:
        return core.native.shingles(text, size, fewest)
    words = split(casefolded(text))
    return shingles(words, size).tobytes() if len(words) >= fewest else b""


def shingles(words: Words, size: int) -> array[int]:
    """The runs of `size` words of each line as distinct 32-bit hashes in ascending order.

    No run crosses the end of a line, so a list or a table in another order has nearly the same runs. A line with fewer
    words is one shingle. Each repetition of a shingle counts as a different one, so the similarity compares bags: two
    large tables of digits contain all runs of three digits, but with different frequencies.
    """
    before: dict[int, int] = {}
    hashes = set[int]()
    for total in _runs(words, size):
        count = before[total] = before.get(total, -1) + 1
        hashes.add(mixed(total + count * _STEP & MASK) >> 32)
    return array("I", sorted(hashes))


def _runs(words: Words, size: int) -> Iterator[int]:
    """A number of each run: a polynomial in the numbers of its words modulo 2^64, made from that of the run before."""
    powers = [pow(_BASE, offset, 1 << 64) for offset in range(size)]
    inverse, highest = pow(_BASE, -1, 1 << 64), powers[-1]
    for line in words.lines:
        total = sum(map(mul, powers, line)) & MASK
        yield total
        for first, following in zip(line, line[size:], strict=False):
            total = ((total - first) * inverse + following * highest) & MASK
            yield total
