"""A set of 64-bit keys that are random already: a key is surely absent, or perhaps present.

Unlike the filter of `ttcrawl.frontier.seen`, it does not hash keys: hashing takes 3.2 µs to add one and 1.7 µs to look
one up, instead of 0.2 µs. A page has up to 18 keys, and each is looked up and added.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ttcrawl import core

if TYPE_CHECKING:
    from ttcrawl.core import native


def new_bits(size: int) -> Bits | native.Bits:
    """Return an empty set, compiled if possible. `size`: bits, a power of two."""
    return core.native.Bits(size) if core.native is not None else Bits(size)


class Bits:
    """One bit per key (B. H. Bloom 1970, with a single hash): the rate of false positives is the share of set bits."""

    __slots__ = ("_bits", "_mask")

    def __init__(self, size: int) -> None:
        self._bits, self._mask = bytearray((size + 7) >> 3), size - 1

    def add(self, keys: Collection[int], /) -> None:
        bits, mask = self._bits, self._mask
        for key in keys:
            bits[(key & mask) >> 3] |= 1 << (key & 7)

    def perhaps(self, keys: Collection[int], /) -> list[int]:
        """Return the keys that may be in the set."""
        bits, mask = self._bits, self._mask
        return [key for key in keys if bits[(key & mask) >> 3] >> (key & 7) & 1]
