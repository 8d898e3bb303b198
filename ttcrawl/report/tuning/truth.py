"""The true similarity of two texts, from their words with repetitions; it uses neither shingles nor our hashes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

#: Words that are in at least OFTEN texts are counted by products of matrices, BLOCK words at a time.
OFTEN, BLOCK = 20, 1000


def tokens(text: str) -> Iterator[tuple[str, int]]:
    """The first "a" of a text, the second "a", ...: as a set, these are the words with their frequencies."""
    counts: Counter[str] = Counter()
    for word in text.casefold().split():
        counts[word] += 1
        yield word, counts[word]


def each_with_each(texts: Sequence[str]) -> NDArray[float64]:
    """Words in both texts divided by words in either, for all pairs: a square matrix."""
    import numpy

    sizes = numpy.zeros(len(texts), numpy.int32)
    rows_of = defaultdict[tuple[str, int], list[int]](list)
    for row, text in enumerate(texts):
        for token in tokens(text):
            rows_of[token].append(row)
            sizes[row] += 1
    both = numpy.zeros((len(texts), len(texts)), numpy.int32)
    for rows in rows_of.values():
        if len(rows) < OFTEN:
            both[numpy.ix_(rows, rows)] += 1
    often = [rows for rows in rows_of.values() if len(rows) >= OFTEN]
    for first in range(0, len(often), BLOCK):
        block = numpy.zeros((len(texts), BLOCK), numpy.float32)
        for column, rows in enumerate(often[first : first + BLOCK]):
            block[rows, column] = 1
        both += (block @ block.T).astype(numpy.int32)
    union = sizes[:, None] + sizes[None, :] - both
    alike: NDArray[float64] = both / numpy.maximum(union, 1)
    return alike
