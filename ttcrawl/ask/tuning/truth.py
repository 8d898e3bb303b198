"""The true similarity of two texts, from their words with repetitions; it uses neither shingles nor our hashes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray


def tokens(text: str) -> Iterator[tuple[str, int]]:
    """The first "a" of a text, the second "a", ...: as a set, these are the words with their frequencies."""
    counts: Counter[str] = Counter()
    for word in text.casefold().split():
        counts[word] += 1
        yield word, counts[word]


def each_with_each(texts: Sequence[str]) -> NDArray[float64]:
    """Words in both texts divided by words in either, for all pairs: a square matrix."""
    import numpy
    from scipy.sparse import csr_array

    numbers: dict[tuple[str, int], int] = {}
    rows = [[numbers.setdefault(token, len(numbers)) for token in tokens(text)] for text in texts]
    sizes = numpy.array([len(row) for row in rows])
    flat = numpy.fromiter(chain.from_iterable(rows), dtype=numpy.int32, count=int(sizes.sum()))
    starts = numpy.concatenate(([0], numpy.cumsum(sizes)))
    matrix = csr_array((numpy.ones(len(flat), numpy.int32), flat, starts), shape=(len(rows), max(1, len(numbers))))
    both = (matrix @ matrix.T).toarray()
    union = sizes[:, None] + sizes[None, :] - both
    alike: NDArray[float64] = both / numpy.maximum(union, 1)
    return alike
