"""The keys that exist, and the ones that several pages have: two sets of bits that grow during a crawl."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ttcrawl.store.bits import new_bits

#: Sizes of the filter, bits: it grows when there is a key for every 8 of them. From 30,000 pages on it has 8 MB, from
#: half a million 32; beyond 33 million keys the share of useless look-ups rises.
SIZES = (1 << 20, 1 << 22, 1 << 26, 1 << 28)

#: Factor by which a filter of the keys of several pages is smaller: there are fewer of them.
CROWDED = 4


class Filters:
    """Sets of keys. A larger one is filled beside the present one, step by step.

    The caller calls `copy` with all keys that existed when `growing` became true, in any order, and `add` with new
    ones; then `grown`.
    """

    def __init__(self, count: int = 0, sizes: Sequence[int] = SIZES) -> None:
        """Create a filter of the smallest of these sizes for `count` keys."""
        self._sizes = sizes
        self._size, self._count = next((size for size in sizes[:-1] if size > 16 * count), sizes[-1]), 0
        self._there, self._crowded = new_bits(self._size), new_bits(self._size // CROWDED)
        self._next: Filters | None = None

    def add(self, keys: Collection[int]) -> None:
        self._there.add(keys)
        self._count += len(keys)
        if self._next is not None:
            self._next.add(keys)

    def there(self, keys: Collection[int]) -> list[int]:
        """Return the keys that may exist."""
        return self._there.perhaps(keys)

    def crowd(self, keys: Collection[int]) -> None:
        """Note that several pages have these keys."""
        self._crowded.add(keys)
        if self._next is not None:
            self._next.crowd(keys)

    def crowded(self, keys: Collection[int]) -> list[int]:
        """Return the keys that several pages may have."""
        return self._crowded.perhaps(keys)

    # -- growing ----------------------------------------------------------------------------------------------------

    @property
    def full(self) -> bool:
        """Whether the filter must grow."""
        return self._next is None and self._count * 8 > self._size and self._size < self._sizes[-1]

    @property
    def growing(self) -> bool:
        return self._next is not None

    def grow(self) -> None:
        self._next = Filters(self._count, self._sizes)

    def copy(self, keys: Collection[int]) -> None:
        """Copy some of the existing keys."""
        assert self._next is not None
        self._next.add(keys)
        self._next.crowd(self._crowded.perhaps(keys))

    def grown(self) -> None:
        """Replace the filter by the larger one, once all keys are copied."""
        assert self._next is not None
        self._size = self._next._size
        self._there = self._next._there
        self._crowded = self._next._crowded
        self._next = None
