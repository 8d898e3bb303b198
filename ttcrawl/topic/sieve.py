"""Which words of a text may be in a set: all at once, by arrays, without an object for each word."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Indexes: TypeAlias = NDArray[np.int64]
Keys: TypeAlias = NDArray[np.uint64]

BLANK = ord(" ")

#: Slots of a table for each key: one in this number of other keys passes.
SLOTS = 64

#: 2 to the power of 64 by the golden ratio (Knuth, The Art of Computer Programming, volume 3, section 6.4).
_FACTOR = np.uint64(0x9E3779B97F4A7C15)

#: Bytes of a word that are in its key.
_WIDE = 8
_FIRST_BYTES: Keys = np.array([(1 << 8 * count) - 1 for count in range(_WIDE + 1)], np.uint64)


class Sieve:
    """No key of a set is missed; few others pass."""

    def __init__(self, keys: Keys) -> None:
        size = (SLOTS * len(keys)).bit_length()
        self._shift = np.uint64(64 - size)
        self._table = np.zeros(1 << size, np.bool_)
        self._table[self._slots(keys)] = True

    def _slots(self, keys: Keys) -> Indexes:
        return (keys * _FACTOR >> self._shift).view(np.int64)

    def indexes(self, keys: Keys) -> list[int]:
        """The indexes of those keys that may be in the set."""
        found: list[int] = self._table[self._slots(keys)].nonzero()[0].tolist()
        return found


def words_in(data: bytes) -> tuple[Indexes, Keys]:
    """Return where each word begins and ends, a row each, and keys: different ones for nearly all different words."""
    padded = b" %b%b" % (data, b" " * _WIDE)
    blank = np.frombuffer(padded, np.uint8) == BLANK
    bounds = (blank[1:] != blank[:-1]).nonzero()[0].reshape(-1, 2)
    starts, lengths = bounds[:, 0], bounds[:, 1] - bounds[:, 0]
    eights = np.ndarray((len(padded) - _WIDE,), "<u8", padded, offset=1, strides=(1,))
    heads = eights[starts] & _FIRST_BYTES[np.minimum(lengths, _WIDE)]
    return bounds, heads + lengths.view(np.uint64)


def keys_of(words: Collection[bytes]) -> Keys:
    """Return the keys of words."""
    return np.array([int.from_bytes(word[:_WIDE], "little") + len(word) & (1 << 64) - 1 for word in words], np.uint64)


def keys_of_pairs(keys: Keys, following: Keys) -> Keys:
    """Return the keys of two words, one behind the other."""
    return (keys * _FACTOR >> np.uint64(7)) + following
