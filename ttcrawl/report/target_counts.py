"""How often each URL is linked to. The compiled core counts; without it, Python does the same."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from ttcrawl import core

if TYPE_CHECKING:
    from ttcrawl.core import native

#: Where a link stands: inside the content region of its page, or elsewhere; 0: it does not count.
CONTENT, ELSEWHERE = 1, 2

#: Largest key; its negative is the least one.
_LARGEST = 2**63 - 1


def new_target_counts() -> TargetCounts | native.TargetCounts:
    """Return empty counts, compiled if possible."""
    return core.native.TargetCounts() if core.native is not None else TargetCounts()


class TargetCounts:
    """Counts by URL key."""

    def __init__(self) -> None:
        self._content, self._elsewhere = Counter[int](), Counter[int]()

    def add(self, targets: str, positions: bytes, /) -> bool:
        """Count the links of a page. `targets`: their keys as in table `outlinks`; `positions`: where each stands.

        Return False, and count none, if these are not as many keys as positions. The compiled counts also refuse an
        array with white space.
        """
        try:
            keys = json.loads(targets)
        except ValueError:
            return False
        if type(keys) is not list or len(keys) != len(positions):
            return False
        if not all(type(each) is int and abs(each) <= _LARGEST for each in keys):
            return False
        for key, position in zip(keys, positions, strict=True):
            if position == CONTENT:
                self._content[key] += 1
            elif position == ELSEWHERE:
                self._elsewhere[key] += 1
        return True

    def distinct(self) -> tuple[int, int, int]:
        """Return the number of keys linked to inside the content region, elsewhere, and in all."""
        return len(self._content), len(self._elsewhere), len(self._content.keys() | self._elsewhere.keys())

    def of(self, key: int, /) -> tuple[int, int]:
        """Return the number of links to a key inside the content region, and elsewhere."""
        return self._content[key], self._elsewhere[key]
