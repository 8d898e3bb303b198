"""The shingles of a text: its runs of words, as hashes (Broder 1997)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ttcrawl.read.fingerprints.words import Words, mixed

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from ttcrawl.read.fingerprints.words import Numbers, Places

_BASE, _STEP = 0xD1342543DE82EF95, 0xDA942042E4DD58B5


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
    found = numpy.concatenate((_runs(numbers, lines, size), _short(numbers, lines, size)))
    hashes = (mixed(_counted(found)) >> 32).astype(numpy.uint32)
    hashes.sort()
    return hashes[_first(hashes)]


def _runs(numbers: Numbers, lines: Places, size: int) -> Numbers:
    import numpy

    count = len(numbers) - size + 1
    if count <= 0:
        return numbers[:0]
    found = numbers[:count].copy()
    within = numpy.ones(len(numbers) + size, dtype=bool)  # for runs that start up to `size` words before the text
    for place in range(1, size):
        found += numbers[place : place + count] * numpy.uint64(pow(_BASE, place, 1 << 64))
        within[lines + (size - place)] = False  # these runs cross the start of a line
    return found[within[size : size + count]]


def _short(numbers: Numbers, lines: Places, size: int) -> Numbers:
    import numpy

    lengths = numpy.empty_like(lines)
    numpy.subtract(lines[1:], lines[:-1], out=lengths[:-1])
    lengths[-1] = len(numbers) - lines[-1]
    short = lengths < size
    starts, lengths = lines[short], lengths[short]
    if not len(starts):
        return numbers[:0]
    found = numbers[starts]
    for place in range(1, size - 1):
        longer = lengths > place
        found[longer] += numbers[starts[longer] + place] * numpy.uint64(pow(_BASE, place, 1 << 64))
    return found


def _counted(found: Numbers) -> Numbers:
    """Each number combined with its count of earlier occurrences. In place; changes the order."""
    import numpy

    found.sort()
    first = _first(found)
    again = numpy.flatnonzero(~first)
    if len(again):
        firsts = numpy.flatnonzero(first)
        before = again - firsts[numpy.searchsorted(firsts, again, side="right") - 1]
        found[again] += before.astype(numpy.uint64) * numpy.uint64(_STEP)
    return found


def _first(hashes: NDArray[Any]) -> NDArray[numpy.bool_]:
    """Which sorted numbers differ from their predecessor."""
    import numpy

    first = numpy.ones(len(hashes), dtype=bool)
    numpy.not_equal(hashes[1:], hashes[:-1], out=first[1:])
    return first
