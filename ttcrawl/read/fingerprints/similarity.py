"""The Jaccard similarity of the shingles of two texts, estimated or exact."""

from __future__ import annotations

import math
from array import array
from operator import eq

from ttcrawl import core

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
    if not signature_a or len(signature_b) != len(signature_a):
        return 0.0
    return sum(map(eq, _hashes(signature_a), _hashes(signature_b))) * HASH_SIZE / len(signature_a)


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
    a, b = set(_hashes(shingles_a)), set(_hashes(shingles_b))
    if not a or not b:
        return 0.0
    common, union = a & b, a | b
    if max(len(a), len(b)) < sketch_size or len(union) <= sketch_size:
        return len(common) / len(union)
    return len(common.intersection(sorted(union)[:sketch_size])) / sketch_size


def _hashes(packed: bytes) -> array[int]:
    return array("I", packed)
