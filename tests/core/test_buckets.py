"""Bits and new keys of buckets in C++ beside those in Python."""

import random

import pytest

from tests.core.compiled import needs_core
from ttcrawl.core import native
from ttcrawl.store.bits import Bits
from ttcrawl.store.bucket_memory import PARTS, BucketMemory

pytestmark = needs_core

EXTREMES = [0, 1, -1, (1 << 63) - 1, -(1 << 63)]


def some_keys(rng, count):
    return [*EXTREMES, *(rng.getrandbits(64) - (1 << 63) for _ in range(count))]


@pytest.mark.parametrize("size", [1, 2, 8, 1 << 12])
def test_both_have_the_same_bits(size):
    rng = random.Random(size)
    keys, others = some_keys(rng, 300), some_keys(rng, 2000)
    sets = native.Bits(size), Bits(size)
    for each in sets:
        each.add(keys)
        each.add(dict.fromkeys(keys))
    assert sets[0].perhaps(keys) == keys
    assert sets[0].perhaps(others) == sets[1].perhaps(others)


@pytest.mark.parametrize("size", [0, 3, -8])
def test_the_size_is_a_power_of_two(size):
    with pytest.raises(ValueError):
        native.Bits(size)


@pytest.mark.parametrize("spread", [0, 1000])
def test_both_remember_the_same_pages(spread):
    """Whatever is done: with `spread` 0 there are few parts, with many keys each."""
    rng = random.Random(spread)
    keys = [key if spread else key % 1000 for key in some_keys(rng, 400)]
    memories = native.BucketMemory(), BucketMemory()

    def both(method, *arguments):
        compiled, python = (getattr(each, method)(*arguments) for each in memories)
        assert compiled == python
        return python

    for page in range(300):
        some = list(dict.fromkeys(rng.choices(keys, k=5)))
        here = both("pages", some)
        both("add", [key for key in some if key not in here], page)
        both("replace", some[:2], page + 1000)
        both("remove", rng.choices(keys, k=1))
        first = rng.randrange(PARTS)
        if page % 50 == 49:
            both("take", first, min(first + 4000, PARTS))
    assert {key for part in range(PARTS) for key in memories[0].keys(part)} == both("pages", keys).keys()
    rows = both("take", 0, PARTS)
    assert len(rows) > 100
    assert both("take", 0, PARTS) == [] and both("pages", keys) == {}


@pytest.mark.parametrize(
    ("method", "arguments", "error"),
    [
        ("add", ([1 << 63], 1), OverflowError),
        ("add", ([1], "a"), TypeError),
        ("pages", (1,), TypeError),
        ("keys", (PARTS,), RuntimeError),
        ("keys", (-1,), OverflowError),
        ("take", (0, PARTS + 1), RuntimeError),
    ],
)
def test_what_does_not_exist_is_an_error(method, arguments, error):
    with pytest.raises(error):
        getattr(native.BucketMemory(), method)(*arguments)
