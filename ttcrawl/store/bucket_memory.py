"""The new keys of buckets, and the first page of each, until they are written into the database in order."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ttcrawl import core

if TYPE_CHECKING:
    from ttcrawl.core import native

#: Parts of the keys, by their leading bits: enough for a fast search in one part.
PART_BITS = 14
PARTS = 1 << PART_BITS


def new_memory() -> BucketMemory | native.BucketMemory:
    """Return an empty memory, compiled if possible."""
    return core.native.BucketMemory() if core.native is not None else BucketMemory()


class Part:
    """Keys, and the page of each."""

    __slots__ = ("keys", "pages")

    def __init__(self) -> None:
        self.keys = array("q")
        self.pages = array("I")


class BucketMemory:
    """Keys of 64 bits, signed and random, and their pages: 12 bytes for each."""

    __slots__ = ("_parts",)

    def __init__(self) -> None:
        self._parts = defaultdict[int, Part](Part)

    def add(self, keys: Sequence[int], page: int, /) -> None:
        """Add keys that are not here."""
        for key in keys:
            part = self._parts[part_of(key)]
            part.keys.append(key)
            part.pages.append(page)

    def pages(self, keys: Collection[int], /) -> dict[int, int]:
        """Return key -> page of the keys that are here."""
        found = {}
        for key in keys:
            part = self._parts.get(part_of(key))
            if part is not None and key in part.keys:
                found[key] = part.pages[part.keys.index(key)]
        return found

    def replace(self, keys: Collection[int], page: int, /) -> list[int]:
        """Change the page of keys. Return those that are not here."""
        here = self.pages(keys)
        for key in here:
            part = self._parts[part_of(key)]
            part.pages[part.keys.index(key)] = page
        return [key for key in keys if key not in here]

    def remove(self, keys: Sequence[int], /) -> list[int]:
        """Remove keys. Return those that are not here."""
        here = self.pages(keys)
        for key in here:
            part = self._parts[part_of(key)]
            index = part.keys.index(key)
            del part.keys[index], part.pages[index]
        return [key for key in keys if key not in here]

    def keys(self, part: int, /) -> Sequence[int]:
        """Return the keys of a part."""
        return self._parts[part].keys if part in self._parts else ()

    def take(self, first: int, end: int, /) -> list[tuple[int, int]]:
        """Remove the parts from `first` to before `end`. Return their rows (key, page), in order within a part."""
        rows = []
        for number in range(first, end):
            if (part := self._parts.pop(number, None)) is not None:
                rows += sorted(zip(part.keys, part.pages, strict=True))
        return rows


def part_of(key: int) -> int:
    """Return the number of the part to which a key belongs."""
    return key >> (64 - PART_BITS) & (PARTS - 1)
