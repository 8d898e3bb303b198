"""Counts of links in C++ beside those in Python."""

import json
import random

import pytest

from tests.core.compiled import needs_core
from tests.core.memory import can_run_out, out_of_memory
from ttcrawl.core import native
from ttcrawl.report.target_counts import CONTENT, ELSEWHERE, TargetCounts

pytestmark = needs_core

EXTREMES = [0, 1, -1, (1 << 63) - 1, 1 - (1 << 63)]


def packed(keys):
    return json.dumps(keys, separators=(",", ":"))


@pytest.mark.parametrize("size", [0, 1, 3, 50, 5_000])
def test_both_count_the_same(size):
    rng = random.Random(size)
    some = EXTREMES + [rng.getrandbits(64) - (1 << 63) | 1 for _ in range(size)]
    counts = native.TargetCounts(), TargetCounts()
    for _ in range(20):
        keys = rng.choices(some, k=rng.randrange(2 * size + 5))
        places = bytes(rng.choices((0, CONTENT, ELSEWHERE, 3), k=len(keys)))
        assert [each.add(packed(keys), places) for each in counts] == [True, True]
        assert counts[0].distinct() == counts[1].distinct()
    assert all(counts[0].of(key) == counts[1].of(key) for key in [*some, 7, -7])


@pytest.mark.parametrize(
    "targets",
    [
        *[
            "",
            "[",
            "]",
            "[]",
            "[,]",
            "[1",
            "1]",
            "[1,]",
            "[,1]",
            "[1,2]",
            "[1]]",
            "[[1]",
            "[x]",
            "[1x]",
            "[--1]",
            "[+1]",
        ],
        *["[1.0]", "[1e3]", '["1"]', "[null]", "{}", "1", f"[{1 << 63}]", f"[{-(1 << 63)}]", "[\ud800]", "[1\0]"],
    ],
)
def test_nothing_else_is_counted(targets):
    for each in (native.TargetCounts(), TargetCounts()):
        assert not each.add(targets, bytes([CONTENT]))
        assert each.distinct() == (0, 0, 0)


@pytest.mark.parametrize("arguments", [("[1]",), (b"[1]", b"\1"), ("[1]", "\1"), ("[1]", None)])
def test_wrong_arguments(arguments):
    with pytest.raises(TypeError):
        native.TargetCounts().add(*arguments)
    with pytest.raises(TypeError):
        native.TargetCounts(1)
    with pytest.raises(OverflowError):
        native.TargetCounts().of(1 << 64)


@can_run_out
def test_counts_without_memory_remain_as_they_were():
    printed = out_of_memory(
        "counts = native.TargetCounts()",
        r"counts.add(f'[{number}]', b'\1')",
        "all(counts.of(each) == (1, 0) for each in range(number)), counts.of(number), counts.distinct()[2] == number",
    )
    assert printed == "(True, (0, 0), True)"
