"""The shingles of a text: its runs of words, as hashes (Broder 1997)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ttcrawl import core
from ttcrawl.read.casefold import casefolded
from ttcrawl.read.fingerprints.words import Words, mixed, split

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from ttcrawl.read.fingerprints.words import Numbers, Positions

_BASE, _STEP = 0xD1342543DE82EF95, 0xDA942042E4DD58B5


def text_shingles(text: str, size: int, fewest: int) -> bytes:
    """The shingles of a text, without regard to case; b"" if it has fewer words than `fewest`."""
    if core.native is not None:
        return core.native.shingles(text, size, fewest)
    words = split(casefolded(text))
    return shingles(words, size).tobytes() if len(words.numbers) >= fewest else b""


def shingles(words: Words, size: int) -> NDArray[numpy.uint32]:
    """The runs of `size` words of each line as distinct 32-bit hashes in ascending order.

    No run crosses the end of a line, so a list or a table in another order has nearly the same runs. A line with fewer
    words is one shingle. Each repetition of a shingle counts as a different one, so the similarity compares bags: two
    large tables of digits contain all runs of three digits, but with different frequencies.
    """
    import numpy

    numbers, lines = words.numbers, words.lines
    if not len(numbers):
        return numpy.empty(0, dtype=numpy.uint32)
    sums = numpy.concatenate((_runs(numbers, lines, size), _short(numbers, lines, size)))
    hashes = (mixed(_counted(sums)) >> 32).astype(numpy.uint32)
    hashes.sort()
    return hashes[_first(hashes)]


def _runs(numbers: Numbers, lines: Positions, size: int) -> Numbers:
    import numpy

    count = len(numbers) - size + 1
    if count <= 0:
        return numbers[:0]
    sums = numbers[:count].copy()
    within = numpy.ones(len(numbers) + size, dtype=bool)  # for runs that start up to `size` words before the text
    for offset in range(1, size):
        sums += numbers[offset : offset + count] * numpy.uint64(pow(_BASE, offset, 1 << 64))
        within[lines + (size - offset)] = False  # these runs cross the start of a line
    return sums[within[size : size + count]]


def _short(numbers: Numbers, lines: Positions, size: int) -> Numbers:
    import numpy

    lengths = numpy.empty_like(lines)
    numpy.subtract(lines[1:], lines[:-1], out=lengths[:-1])
    lengths[-1] = len(numbers) - lines[-1]
    short = lengths < size
    starts, lengths = lines[short], lengths[short]
    if not len(starts):
        return numbers[:0]
    sums = numbers[starts]
    for offset in range(1, size - 1):
        longer = lengths > offset
        sums[longer] += numbers[starts[longer] + offset] * numpy.uint64(pow(_BASE, offset, 1 << 64))
    return sums


def _counted(sums: Numbers) -> Numbers:
    """Each number combined with its count of earlier occurrences. In place; changes the order."""
    import numpy

    sums.sort()
    first = _first(sums)
    again = numpy.flatnonzero(~first)
    if len(again):
        firsts = numpy.flatnonzero(first)
        before = again - firsts[numpy.searchsorted(firsts, again, side="right") - 1]
        sums[again] += before.astype(numpy.uint64) * numpy.uint64(_STEP)
    return sums


def _first(hashes: NDArray[Any]) -> NDArray[numpy.bool_]:
    """Which sorted numbers differ from their predecessor."""
    import numpy

    first = numpy.ones(len(hashes), dtype=bool)
    numpy.not_equal(hashes[1:], hashes[:-1], out=first[1:])
    return first
