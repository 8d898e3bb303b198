"""Distances of links that were sent in C++, beside a dict."""

import random

import pytest

from tests.core.compiled import needs_core
from ttcrawl.core import native

pytestmark = needs_core

EXTREMES = [0, 1, -1, (1 << 63) - 1, -(1 << 63)]


@pytest.mark.parametrize("size", [0, 1, 100, 5_000])
def test_a_table_has_what_a_dict_has(size):
    rng = random.Random(size)
    keys = EXTREMES + [rng.getrandbits(64) - (1 << 63) for _ in range(size)]
    table, reference = native.Distances(), {}
    for _ in range(10 * len(keys)):
        key, distance = rng.choice(keys), rng.choice((0, 1, 2, 1 << 30, (1 << 31) + 1))
        match rng.randrange(8):
            case 0 | 1 | 2 | 3:
                table[key] = reference[key] = distance
            case 4 | 5 | 6:
                assert table.pop(key, None) == reference.pop(key, None)
            case 7:
                assert table.get(key, -7) == reference.get(key, -7)
        assert len(table) == len(reference)
    assert [table.get(key, -7) for key in keys] == [reference.get(key, -7) for key in keys]
    table.clear()
    assert len(table) == 0 and {table.get(key, -7) for key in keys} == {-7}


def test_removed_keys_make_room():
    table = native.Distances()
    for number in range(100_000):
        table[number << 40] = 1
        assert table.pop((number - 150) << 40, None) == (1 if number >= 150 else None)
    assert len(table) == 150


@pytest.mark.parametrize(("key", "distance"), [("1", 1), (1, "1"), (1, None), (1.0, 1)])
def test_other_types_are_refused(key, distance):
    with pytest.raises(TypeError):
        native.Distances()[key] = distance


@pytest.mark.parametrize("distance", [-1, (1 << 32) - 2, (1 << 32) - 1, 1 << 40])
def test_other_distances_are_refused(distance):
    table = native.Distances()
    with pytest.raises(ValueError, match="a distance has 31 bits"):
        table[1] = distance
    assert len(table) == 0


def test_a_key_has_64_bits():
    for key in (1 << 63, -(1 << 63) - 1):
        with pytest.raises(OverflowError):
            native.Distances()[key] = 1
        with pytest.raises(OverflowError):
            native.Distances().get(key, 0)
    with pytest.raises(ValueError, match="a key and a distance"):
        native.Distances().get(1)
    with pytest.raises(ValueError, match="pop removes"):
        del native.Distances()[1]
