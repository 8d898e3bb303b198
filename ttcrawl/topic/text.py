"""The words of a page as one text with one blank between any two, made without an object for each word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

BLANK = ord(" ")

#: Bytes of a text up to which an object for each word takes less time than arrays do.
SHORT = 400

#: Between parts: a word that no page has, because folding leaves no dots.
_DOT = b" . "


class Text:
    """Parts of a page. `data`: one behind the other, with a blank at both ends and a dot as a word between them.
    `bounds`: where each part begins and ends in `data`; one without words ends before it begins."""

    def __init__(self, parts: Sequence[bytes], *, is_squeezed: bool = False) -> None:
        """`is_squeezed`: one blank stands between any two words already; a blank at the beginning of a part stays."""
        joined = _DOT.join(parts)
        self.data = b" %b " % joined if is_squeezed else squeezed(joined)
        self.bounds = list(self._bounds(len(parts)))

    def _bounds(self, parts: int) -> Iterator[tuple[int, int]]:
        start = 1
        for _ in range(parts - 1):
            end = self.data.index(_DOT, start - 1)
            yield start, end
            start = end + len(_DOT)
        yield start, len(self.data) - 1

    def part(self, number: int) -> bytes:
        start, end = self.bounds[number]
        return self.data[start:end]

    def count(self, number: int) -> int:
        """The number of words of a part, at least 1."""
        start, end = self.bounds[number]
        if end - start < SHORT:
            return self.data.count(b" ", start, end) + 1
        return int(np.count_nonzero(np.frombuffer(self.data, np.uint8)[start:end] == BLANK)) + 1


def squeezed(data: bytes) -> bytes:
    """Return words with one blank between any two, and one at both ends."""
    if len(data) < SHORT:
        return b" %b " % b" ".join(data.split())
    codes = np.frombuffer(b" %b " % data, np.uint8)
    stays = codes != BLANK
    stays[1:] |= stays[:-1]
    stays[0] = True
    result: bytes = codes[stays].tobytes()
    return result
