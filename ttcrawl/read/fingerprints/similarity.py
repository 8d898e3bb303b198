"""The Jaccard similarity of the shingles of two texts, estimated or exact."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

#: Maximum shingles kept per text: those with the smallest hashes (see `shingles`).
SKETCH_SIZE = 4096


def estimated(signature_a: bytes, signature_b: bytes) -> float:
    """The fraction of the permutations with equal minimum, 32 bits each.

    The standard error is sqrt(J(1 - J) / permutations): 0.027 at J = 0.9 and 128 permutations (Broder 1997). 0.0 if one
    signature is empty, or if their permutations differ, as after a change of config.ini.
    """
    import numpy  # imported late: 10 MB that a crawl without duplicate detection does not need

    size = len(signature_a) // 4
    if not size or len(signature_b) != len(signature_a):
        return 0.0
    a, b = (numpy.frombuffer(each, dtype="<u4") for each in (signature_a, signature_b))
    return int(numpy.count_nonzero(a == b)) / size


def exact(shingles_a: bytes, shingles_b: bytes) -> float:
    """The Jaccard similarity of two sets of shingles: distinct 32-bit hashes in ascending order; 0.0 if one is empty.

    A set with KEPT hashes may be truncated. Then the result is the fraction of common hashes among the KEPT smallest of
    the union, an unbiased estimate (Broder 1997; Cohen and Kaplan 2007, "Summarizing data using bottom-k sketches").
    Its standard error is at most sqrt(J(1 - J) / KEPT): 0.005 at J = 0.9.
    """
    import numpy

    a, b = len(shingles_a) // 4, len(shingles_b) // 4
    if not a or not b:
        return 0.0
    both = numpy.frombuffer(shingles_a + shingles_b, dtype="<u4").copy()
    both.sort()
    twice = both[1:] == both[:-1]
    common = int(numpy.count_nonzero(twice))
    union = a + b - common
    if max(a, b) < SKETCH_SIZE or union <= SKETCH_SIZE:
        return common / union
    # the index of the last of the KEPT smallest: KEPT distinct hashes, plus the repeated ones among them
    last = _last(twice)
    return int(numpy.count_nonzero(twice[:last])) / SKETCH_SIZE


def _last(twice: NDArray[bool_]) -> int:
    """The index in sorted hashes where the KEPT-th distinct one ends; `twice`: the next one is equal."""
    import numpy

    distinct = numpy.cumsum(~twice)  # number of distinct hashes that end up to this index
    return int(numpy.searchsorted(distinct, SKETCH_SIZE))
