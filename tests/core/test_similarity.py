"""The similarity of texts in C++ beside the one in Python."""

import random
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.compiled import needs_core
from ttcrawl.core import native
from ttcrawl.read.fingerprints.similarity import counted

pytestmark = needs_core

HASHES = st.sets(st.one_of(st.integers(0, 40), st.integers(0, 2**32 - 1)), max_size=60)


def packed(hashes) -> bytes:
    return struct.pack(f"<{len(hashes)}I", *hashes)


@given(a=HASHES, b=HASHES, size=st.integers(1, 70))
def test_sketches(a, b, size):
    one, other = (packed(sorted(each)[:size]) for each in (a, b))
    assert native.sketch_similarity(one, other, size) == counted(one, other, size)


@pytest.mark.parametrize("size", [4095, 4096, 5000, 20_000])
def test_large_sets(size):
    chance = random.Random(size)
    union = chance.sample(range(2**32), size)
    one, other = (packed(sorted(chance.sample(union, size * 19 // 20))[:4096]) for _ in range(2))
    assert native.sketch_similarity(one, other, 4096) == counted(one, other, 4096) > 0.8


@pytest.mark.parametrize(
    "one, other, expected",
    [
        ([], [], 0),
        ([1], [], 0),
        ([1, 2, 3], [1, 2], 0),
        ([1, 2, 3], [1, 2, 3, 4], 0),
        ([1, 2, 3], [1, 3, 2], 1 / 3),
        ([1, 2**32 - 1, 3], [1, 2**32 - 1, 3], 1),
    ],
)
def test_signatures(one, other, expected):
    assert native.estimated_similarity(packed(one), packed(other)) == expected


@pytest.mark.parametrize("arguments", [("", b"", 1), (b"", None, 1), (b"", b"", 0), (b"", b"")])
def test_what_is_no_sketch(arguments):
    with pytest.raises((TypeError, ValueError)):
        native.sketch_similarity(*arguments)
