"""The bits of seen keys in C++ beside those in Python."""

import random

import pytest

from tests.core.compiled import needs_core
from ttcrawl import core
from ttcrawl.config import Seen as SeenSettings
from ttcrawl.core import native
from ttcrawl.frontier.seen import Seen

pytestmark = needs_core

EXTREMES = [0, 1, -1, 1 << 31, -(1 << 31), 1 << 32, -(1 << 32), (1 << 63) - 1, -(1 << 63)]


@pytest.mark.parametrize(("capacity", "error_rate"), [(1, 0.5), (7, 0.001), (100, 0.05), (10_000, 1e-9)])
def test_both_set_the_same_bits(tmp_path, monkeypatch, capacity, error_rate):
    rng = random.Random(capacity)
    keys = [*EXTREMES, *(rng.getrandbits(64) - (1 << 63) for _ in range(500)), *EXTREMES]
    answers, files = [], []
    for compiled in (core.native, None):
        monkeypatch.setattr(core, "native", compiled)
        seen = Seen(SeenSettings(capacity=capacity, error_rate=error_rate))
        answers.append(seen.maybe_seen(keys[:200]) + seen.maybe_seen([]) + seen.maybe_seen(keys[200:]))
        seen.save(tmp_path / "seen.bloom", last_id=0)
        files.append((tmp_path / "seen.bloom").read_bytes())
    assert answers[0] == answers[1] and files[0] == files[1]


@pytest.mark.parametrize(
    ("filters", "keys", "room", "error"),
    [
        ((), [1], 1, ValueError),
        (((bytearray(1), 9, 1),), [1], 1, ValueError),
        (((bytearray(1), 0, 1),), [1], 1, ValueError),
        (((bytearray(1), 8, 1),), [1], -1, ValueError),
        (((b"\0", 8, 1),), [1], 1, BufferError),
        (((bytearray(1), 8, 1),), [1 << 63], 1, OverflowError),
        (((bytearray(1), 8, 1),), ["a"], 1, TypeError),
        (((bytearray(1), 8, 1),), 1, 1, TypeError),
        (((bytearray(1), 8),), [1], 1, TypeError),
        ((1,), [1], 1, ValueError),
    ],
)
def test_what_is_no_filter_is_an_error(filters, keys, room, error):
    with pytest.raises(error):
        native.maybe_seen(filters, keys, room)
