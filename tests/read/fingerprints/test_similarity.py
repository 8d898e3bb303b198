"""Estimated and counted similarity against sets of Python."""

import math
import random
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.cases import some_fast
from ttcrawl.read.fingerprints.fingerprint import signature
from ttcrawl.read.fingerprints.similarity import SKETCH_SIZE, estimated, exact, required

pytestmark = pytest.mark.usefixtures("reader")

HASHES = st.sets(st.one_of(st.integers(0, 40), st.integers(0, 2**32 - 1)), max_size=80)


def packed(hashes) -> bytes:
    kept = sorted(hashes)[:SKETCH_SIZE]
    return struct.pack(f"<{len(kept)}I", *kept)


def jaccard(a, b) -> float:
    return len(a & b) / len(a | b) if a and b else 0.0


@pytest.mark.slow
@given(a=HASHES, b=HASHES)
def test_exact_is_jaccard(a, b):
    assert exact(packed(a), packed(b)) == jaccard(a, b) == exact(packed(b), packed(a))


def sets(size: int, share: float, seed: int) -> tuple[set[int], set[int]]:
    """Two with `size` in their union, `share` of it in both."""
    chance = random.Random(seed)
    union = chance.sample(range(2**32), size)
    common = round(size * share)
    half = common + (size - common) // 2
    return set(union[:half]), set(union[:common] + union[half:])


def test_exact_up_to_what_is_kept():
    a, b = sets(SKETCH_SIZE + SKETCH_SIZE // 4, 0.5, 1)
    assert max(len(a), len(b)) < SKETCH_SIZE < len(a | b)
    assert exact(packed(a), packed(b)) == jaccard(a, b)


@pytest.mark.parametrize("size", [SKETCH_SIZE, SKETCH_SIZE + 1, 2 * SKETCH_SIZE, 10 * SKETCH_SIZE])
@pytest.mark.parametrize("share", [0.3, 0.9, 1.0])
def test_sketches_of_long_texts(size, share):
    a, b = sets(size, share, size)
    smallest = sorted(a | b)[:SKETCH_SIZE]
    found = exact(packed(a), packed(b))
    if max(len(a), len(b)) >= SKETCH_SIZE:
        assert found == sum(each in a and each in b for each in smallest) / len(smallest)
    bound = 4 * math.sqrt(share * (1 - share) / SKETCH_SIZE)
    assert abs(found - jaccard(a, b)) <= bound


def test_one_sketch_and_one_whole_set():
    """All of a short text is in a long one: what of the long one is not kept must not look as if it were missing."""
    chance = random.Random(5)
    long = set(chance.sample(range(2**32), 2 * SKETCH_SIZE))
    short = set(chance.sample(sorted(long), SKETCH_SIZE - 1))
    true = jaccard(long, short)
    assert abs(exact(packed(long), packed(short)) - true) < 4 * math.sqrt(true * (1 - true) / SKETCH_SIZE)


@pytest.mark.parametrize("size", [100, SKETCH_SIZE - 1, SKETCH_SIZE, 3 * SKETCH_SIZE])
def test_an_estimate_must_be_surely_high_enough(size):
    """An exact similarity need not, and of pairs at the threshold hardly more than 5 % have such an estimate."""
    one = packed(range(size))
    if size < SKETCH_SIZE:
        assert required(one, one, 0.9) == 0.9
        return
    assert required(one, packed({1}), 0.9) == required(packed({1}), one, 0.9) == pytest.approx(0.9077, abs=0.0001)
    assert required(one, one, 1.0) == required(one, one, 0.9999) == 1.0  # equal sketches are always enough


@pytest.mark.slow
def test_pairs_below_the_required_similarity_are_seldom_taken_for_similar():
    taken = 0
    for seed in range(200):
        a, b = (packed(each) for each in sets(3 * SKETCH_SIZE, 0.9, seed))
        taken += exact(a, b) >= required(a, b, 0.9)
    assert taken <= 20  # with a probability of 5 % each, one time in 1,000 it is more


@pytest.mark.parametrize("size", some_fast([40, 300, 3000], 40, 300))
@pytest.mark.parametrize("share", [0.2, 0.5, 0.8, 0.9, 1.0])
def test_the_error_of_the_estimate_is_binomial(size, share):
    permutations, pairs = 128, 60
    errors = []
    for seed in range(pairs):
        a, b = sets(size, share, seed)
        found = estimated(signature(packed(a), permutations), signature(packed(b), permutations))
        errors.append(found - jaccard(a, b))
    deviation = math.sqrt(share * (1 - share) / permutations)
    assert abs(sum(errors) / pairs) <= 4 * deviation / math.sqrt(pairs) + 1e-9
    assert max(map(abs, errors)) <= 5 * deviation + 1e-9
    # of a chi-square with so many degrees of freedom hardly one in 100,000 is 1.9 times as large
    assert sum(error**2 for error in errors) / pairs <= 1.9 * deviation**2 + 1e-9


def test_no_text_is_like_no_other():
    some = packed({1, 2})
    assert exact(b"", b"") == exact(b"", some) == estimated(b"", b"") == 0.0


def test_signatures_of_two_lengths_say_nothing():
    """A run with another number of permutations: its minima are those of other permutations."""
    some = packed(range(100))
    assert estimated(signature(some, 64), signature(some, 128)) == 0.0
