"""The words of a page as one text with one blank between any two, made without an object for each word."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

BLANK = ord(" ")

#: Bytes of a text up to which an object for each word takes less time than arrays do.
SHORT = 400

#: Between parts: a word that no page has, because folding leaves no dots.
_DOT = b" . "


class Text:
    """Parts of a page. `data`: one behind the other, with a blank at both ends and a dot as a word between them.
    `bounds`: where each part begins and ends in `data`."""

    def __init__(self, parts: Sequence[bytes], *, is_squeezed: bool = False) -> None:
        """`is_squeezed`: one blank stands between any two words already; a blank at the beginning of a part stays."""
        self._parts = parts if is_squeezed else [squeezed(part) for part in parts]
        self.data = b" %b " % _DOT.join(self._parts)
        starts = accumulate([len(part) + len(_DOT) for part in self._parts], initial=1)
        self.bounds = [(start, start + len(part)) for start, part in zip(starts, self._parts, strict=False)]

    def part(self, number: int) -> bytes:
        return self._parts[number]

    def count(self, number: int) -> int:
        """The number of words of a part, at least 1."""
        part = self._parts[number]
        if len(part) < SHORT:
            return part.count(b" ") + 1
        return int(np.count_nonzero(np.frombuffer(part, np.uint8) == BLANK)) + 1


def squeezed(data: bytes) -> bytes:
    """Return words with one blank between any two: of a run of blanks the one before a word stays."""
    if len(data) < SHORT:
        return b" ".join(data.split())
    codes = np.frombuffer(b" %b" % data, np.uint8)
    stays = codes != BLANK
    stays[:-1] |= stays[1:]
    result: bytes = codes[stays].tobytes()
    return result[1:]
