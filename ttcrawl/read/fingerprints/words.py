"""The words of a text as numbers, by numpy and without a Python object per word.

Words are separated by white space, and each ideograph is a word. The number of a word is a polynomial in its code
points modulo 2^64 (Karp and Rabin 1987), computed from the prefix sums at its start and its end. The base is odd, so it
has an inverse, which removes the position of the word. The result is mixed, since the low bits of such a sum depend on
few inputs.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from ttcrawl.web.unspaced import UNSPACED

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Codes: TypeAlias = NDArray[numpy.uint8] | NDArray[numpy.uint32]
    Numbers: TypeAlias = NDArray[numpy.uint64]
    Positions: TypeAlias = NDArray[numpy.int64]

_BASE = 0x9E3779B97F4A7C15  # odd; any odd number without a pattern works
WINDOW = 1 << 14  # code points; the rest of a longer word is ignored
_SPACE, _NEWLINE, _SIGN, _LETTER, _IDEOGRAPH = range(5)
_LAST = 0x40000  # code points from here on count as signs


class Words(Struct, frozen=True):
    """The words of a text in their order, and the indexes where its lines start: ascending, each line has at least one
    word."""

    numbers: Numbers
    lines: Positions


def split(text: str) -> Words:
    """The words of a text, and its lines: a line without a letter continues the previous one.

    The cells of a table are such lines. Alone they would mean little: two large tables of small numbers contain each
    number nearly equally often. A row joined to one line keeps its order.
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
    has_word = numpy.maximum.reduceat(kinds, newlines) >= _LETTER
    lines = numpy.searchsorted(starts, newlines[has_word])
    if len(starts) and (not len(lines) or lines[0]):
        lines = numpy.concatenate(([0], lines))
    return Words(_numbers(codes, starts, ends), lines)


def _numbers(codes: Codes, starts: Positions, ends: Positions) -> Numbers:
    """In windows, so that few powers of the base are needed and the data stays in the processor's cache."""
    import numpy

    if len(codes) <= WINDOW:
        return mixed(_in_window(codes, starts, ends))
    hashes, first = [numpy.empty(0, dtype=numpy.uint64)], 0
    while first < len(starts):
        begin = int(starts[first]) - 1
        until = max(first + 1, int(numpy.searchsorted(ends, begin + WINDOW, side="right")))
        cut = numpy.minimum(ends[first:until] - begin, WINDOW)
        hashes.append(_in_window(codes[begin : begin + WINDOW], starts[first:until] - begin, cut))
        first = until
    return mixed(numpy.concatenate(hashes))


def _in_window(codes: Codes, starts: Positions, ends: Positions) -> Numbers:
    """No word starts at index 0."""
    import numpy

    powers, inverses = _powers()
    sums: Numbers = codes * powers[: len(codes)]
    numpy.cumsum(sums, out=sums)
    hashes: Numbers = sums[ends - 1]
    hashes -= sums[starts - 1]
    hashes *= inverses[starts]
    return hashes


def mixed(numbers: Numbers) -> Numbers:
    """Make each bit depend on all others: the finalizer of MurmurHash3 (fmix64). In place."""
    numbers ^= numbers >> 33
    numbers *= 0xFF51AFD7ED558CCD
    numbers ^= numbers >> 33
    numbers *= 0xC4CEB9FE1A85EC53
    numbers ^= numbers >> 33
    return numbers


@lru_cache(maxsize=1)
def _powers() -> tuple[Numbers, Numbers]:
    """Powers of the base and of its inverse, for one window."""
    import numpy

    def of(base: int) -> Numbers:
        powers = numpy.full(WINDOW, base, dtype=numpy.uint64)
        powers[0] = 1
        return numpy.multiply.accumulate(powers)

    return of(_BASE), of(pow(_BASE, -1, 1 << 64))


@lru_cache(maxsize=1)
def _kinds() -> NDArray[numpy.uint8]:
    """The kind of each code point; all from _LAST on have the kind of _LAST."""
    import numpy

    kinds = numpy.full(_LAST + 1, _SIGN, dtype=numpy.uint8)
    scripts = range(UNSPACED[-1][0])  # _LETTER is _SIGN + 1
    kinds[: len(scripts)] += numpy.frombuffer(bytes(map(str.isalpha, map(chr, scripts))), dtype=numpy.uint8)
    for code in range(0x3001):  # the last space character is U+3000
        if chr(code).isspace():
            kinds[code] = _NEWLINE if chr(code).splitlines() == [""] else _SPACE
    for first, last in UNSPACED:
        kinds[first : last + 1] = _IDEOGRAPH
    return kinds
