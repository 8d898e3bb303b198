"""The table of numbers in C++, beside a dict."""

import random

import pytest

from tests.core.compiled import needs_core
from tests.core.memory import can_run_out, out_of_memory
from ttcrawl.core import native

pytestmark = needs_core

EXTREMES = [0, 1, -1, (1 << 63) - 1, -(1 << 63)]


@pytest.mark.parametrize("size", [0, 1, 100, 5_000])
def test_a_table_has_what_a_dict_has(size):
    rng = random.Random(size)
    keys = EXTREMES + [rng.getrandbits(64) - (1 << 63) for _ in range(size)]
    table, reference = native.NumberTable(), {}
    for _ in range(10 * len(keys)):
        key, number = rng.choice(keys), rng.choice((0, 1, 2, 1 << 30, (1 << 32) - 3))
        match rng.randrange(9):
            case 0 | 1 | 2 | 3:
                table[key] = reference[key] = number
            case 4 | 5 | 6:
                assert table.pop(key, None) == reference.pop(key, None)
            case 7:
                assert table.get(key, -7) == reference.get(key, -7)
            case 8:
                assert (key in table) == (key in reference)
        assert len(table) == len(reference)
    assert [table.get(key, -7) for key in keys] == [reference.get(key, -7) for key in keys]
    table.clear()
    assert len(table) == 0 and {table.get(key, -7) for key in keys} == {-7}


def test_removed_keys_make_room():
    table = native.NumberTable()
    for number in range(100_000):
        table[number << 40] = 1
        assert table.pop((number - 150) << 40, None) == (1 if number >= 150 else None)
    assert len(table) == 150


@pytest.mark.parametrize(("key", "number"), [("1", 1), (1, "1"), (1, None), (1.0, 1)])
def test_other_types_are_refused(key, number):
    with pytest.raises(TypeError):
        native.NumberTable()[key] = number


@pytest.mark.parametrize("number", [-1, (1 << 32) - 2, (1 << 32) - 1, 1 << 40])
def test_other_numbers_are_refused(number):
    table = native.NumberTable()
    with pytest.raises(ValueError, match="more than 32 bits"):
        table[1] = number
    assert len(table) == 0


def test_a_key_has_64_bits():
    for key in (1 << 63, -(1 << 63) - 1):
        with pytest.raises(OverflowError):
            native.NumberTable()[key] = 1
        with pytest.raises(OverflowError):
            native.NumberTable().get(key, 0)
        with pytest.raises(OverflowError):
            assert key not in native.NumberTable()
    with pytest.raises(ValueError, match="a key and a number"):
        native.NumberTable().get(1)
    with pytest.raises(ValueError, match="pop removes"):
        del native.NumberTable()[1]


@can_run_out
def test_a_table_without_memory_remains_as_it_was():
    printed = out_of_memory(
        "table = native.NumberTable()",
        "table[number] = 7",
        "table.get(0, None), table.get(number, None), len(table) == number",
    )
    assert printed == "(7, None, True)"
