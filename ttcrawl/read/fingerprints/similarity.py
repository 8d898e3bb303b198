"""The Jaccard similarity of the shingles of two texts, estimated or exact."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ttcrawl import core

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

#: Maximum shingles kept per text: those with the smallest hashes (see `shingles`).
SKETCH_SIZE = 4096

#: Bytes of the hash of a shingle.
HASH_SIZE = 4

#: Standard errors that an estimate must exceed the required similarity by: then it is reached with a probability of
#: 95 % (one-sided, of a normal distribution).
SURE = 1.645


def estimated(signature_a: bytes, signature_b: bytes) -> float:
    """The fraction of the permutations with equal minimum, 32 bits each.

    The standard error is sqrt(J(1 - J) / permutations): 0.027 at J = 0.9 and 128 permutations (Broder 1997). 0.0 if one
    signature is empty, or if their permutations differ, as after a change of config.ini.
    """
    if core.native is not None:
        return core.native.estimated_similarity(signature_a, signature_b)
    import numpy  # imported late: 10 MB that a crawl without duplicate detection does not need

    size = len(signature_a) // HASH_SIZE
    if not size or len(signature_b) != len(signature_a):
        return 0.0
    a, b = (numpy.frombuffer(each, dtype="<u4") for each in (signature_a, signature_b))
    return int(numpy.count_nonzero(a == b)) / size


def exact(shingles_a: bytes, shingles_b: bytes) -> float:
    """The Jaccard similarity of two sets of shingles: distinct 32-bit hashes in ascending order; 0.0 if one is empty.

    A set with SKETCH_SIZE hashes may be truncated. Then the result is the fraction of common hashes among the
    SKETCH_SIZE smallest of the union, an unbiased estimate (Broder 1997; Cohen and Kaplan 2007, "Summarizing data using
    bottom-k sketches"). Its standard error is at most sqrt(J(1 - J) / SKETCH_SIZE): 0.005 at J = 0.9.
    """
    if core.native is not None:
        return core.native.sketch_similarity(shingles_a, shingles_b, SKETCH_SIZE)
    return counted(shingles_a, shingles_b, SKETCH_SIZE)


def required(shingles_a: bytes, shingles_b: bytes, least: float) -> float:
    """The result of `exact` from which two texts have a similarity of `least` or more.

    An estimate must be higher by its error: by 0.008 at 0.9.
    """
    if max(len(shingles_a), len(shingles_b)) < SKETCH_SIZE * HASH_SIZE:
        return least
    return min(1.0, least + SURE * math.sqrt(least * (1 - least) / SKETCH_SIZE))


def counted(shingles_a: bytes, shingles_b: bytes, sketch_size: int) -> float:
    """The result of `exact` in Python; a set with `sketch_size` hashes may be truncated."""
    import numpy

    a, b = len(shingles_a) // HASH_SIZE, len(shingles_b) // HASH_SIZE
    if not a or not b:
        return 0.0
    both = numpy.frombuffer(shingles_a + shingles_b, dtype="<u4").copy()
    both.sort()
    twice = both[1:] == both[:-1]
    common = int(numpy.count_nonzero(twice))
    union = a + b - common
    if max(a, b) < sketch_size or union <= sketch_size:
        return common / union
    # the index of the last of the smallest: as many distinct hashes, plus the repeated ones among them
    last = _last(twice, sketch_size)
    return int(numpy.count_nonzero(twice[:last])) / sketch_size


def _last(twice: NDArray[bool_], count: int) -> int:
    """The index in sorted hashes where the `count`-th distinct one ends; `twice`: the next one is equal."""
    import numpy

    distinct = numpy.cumsum(~twice)  # number of distinct hashes that end up to this index
    return int(numpy.searchsorted(distinct, count))
