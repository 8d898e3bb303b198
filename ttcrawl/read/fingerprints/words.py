"""A text -> its words as numbers, by numpy and without a Python object a word.

A word is what stands between white space, and each ideograph of its own. Its number is the value of a polynomial in its
code points modulo 2^64 (Karp and Rabin 1987), read off the sums up to its beginning and its end: the base is odd, so
that it has an inverse and the place of the word can be divided out. What comes out is mixed, since the low bits of such
a sum depend on little.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from ttcrawl.read.scripts_without_spaces import RANGES

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Codes: TypeAlias = NDArray[numpy.uint8] | NDArray[numpy.uint32]
    Numbers: TypeAlias = NDArray[numpy.uint64]
    Places: TypeAlias = NDArray[numpy.int64]

_BASE = 0x9E3779B97F4A7C15  # odd; any will do that has no pattern
_WINDOW = 1 << 14  # code points; of a longer word the rest does not count
_SPACE, _NEWLINE, _SIGN, _LETTER, _IDEOGRAPH = range(5)
_LAST = 0x40000  # code points from here on stand for themselves as signs


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text in its order, and where its lines begin: rising, each with at least one word."""

    numbers: Numbers
    lines: Places


def split(text: str) -> Words:
    """The words of a text, and its lines: a line without a letter goes on from the one before.

    The cells of a table are such lines. By themselves they would say little: of two large tables of small numbers each
    has the same numbers nearly as often. As one line a row keeps its order.
    """
    import numpy

    text = f"\n{text}\n"
    if text.isascii():
        codes: Codes = numpy.frombuffer(text.encode("ascii"), dtype=numpy.uint8)
    else:
        codes = numpy.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    kinds = _kinds().take(codes, mode="clip")
    word = kinds > _NEWLINE
    edge = word[1:] != word[:-1]
    if codes.itemsize > 1 and kinds.max() == _IDEOGRAPH:
        single = kinds == _IDEOGRAPH
        edges = numpy.flatnonzero(edge | single[1:] | single[:-1]) + 1
        starts, ends = edges[word[edges]], edges[word[edges - 1]]
    else:
        edges = numpy.flatnonzero(edge) + 1
        starts, ends = edges[::2], edges[1::2]
    newlines = numpy.flatnonzero(kinds == _NEWLINE)
    said = numpy.maximum.reduceat(kinds, newlines) >= _LETTER
    lines = numpy.searchsorted(starts, newlines[said])
    if len(starts) and (not len(lines) or lines[0]):
        lines = numpy.concatenate(([0], lines))
    return Words(_numbers(codes, starts, ends), lines)


def _numbers(codes: Codes, starts: Places, ends: Places) -> Numbers:
    """In windows, so that the powers of the base are few, and what is worked on stays in the cache of the processor."""
    import numpy

    if len(codes) <= _WINDOW:
        return mixed(_in_window(codes, starts, ends))
    found, at = [numpy.empty(0, dtype=numpy.uint64)], 0
    while at < len(starts):
        begin = int(starts[at]) - 1
        until = max(at + 1, int(numpy.searchsorted(ends, begin + _WINDOW, side="right")))
        cut = numpy.minimum(ends[at:until] - begin, _WINDOW)
        found.append(_in_window(codes[begin : begin + _WINDOW], starts[at:until] - begin, cut))
        at = until
    return mixed(numpy.concatenate(found))


def _in_window(codes: Codes, starts: Places, ends: Places) -> Numbers:
    """No word begins at the first place."""
    import numpy

    powers, inverses = _powers()
    sums: Numbers = codes * powers[: len(codes)]
    numpy.cumsum(sums, out=sums)
    found: Numbers = sums[ends - 1]
    found -= sums[starts - 1]
    found *= inverses[starts]
    return found


def mixed(numbers: Numbers) -> Numbers:
    """Each bit depends on all others: the finaliser of MurmurHash3 (fmix64). In place."""
    numbers ^= numbers >> 33
    numbers *= 0xFF51AFD7ED558CCD
    numbers ^= numbers >> 33
    numbers *= 0xC4CEB9FE1A85EC53
    numbers ^= numbers >> 33
    return numbers


@lru_cache(maxsize=1)
def _powers() -> tuple[Numbers, Numbers]:
    """Of the base and of its inverse, for a window."""
    import numpy

    def of(base: int) -> Numbers:
        powers = numpy.full(_WINDOW, base, dtype=numpy.uint64)
        powers[0] = 1
        return numpy.multiply.accumulate(powers)

    return of(_BASE), of(pow(_BASE, -1, 1 << 64))


@lru_cache(maxsize=1)
def _kinds() -> NDArray[numpy.uint8]:
    """What each code point is; those from _LAST on are as _LAST."""
    import numpy

    kinds = numpy.full(_LAST + 1, _SIGN, dtype=numpy.uint8)
    scripts = range(RANGES[-1][0])  # _LETTER is _SIGN + 1
    kinds[: len(scripts)] += numpy.frombuffer(bytes(map(str.isalpha, map(chr, scripts))), dtype=numpy.uint8)
    for code in range(0x3001):  # the last space there is
        if chr(code).isspace():
            kinds[code] = _NEWLINE if chr(code).splitlines() == [""] else _SPACE
    for first, last in RANGES:
        kinds[first : last + 1] = _IDEOGRAPH
    return kinds
