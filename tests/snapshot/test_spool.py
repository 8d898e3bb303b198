"""Rows come back from the file as they were."""

from dataclasses import dataclass

import pytest

from ttcrawl.snapshot.spool import spooled


@dataclass(frozen=True)
class Row:
    name: str
    numbers: tuple[int, ...] = ()
    other: float | None = None


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        (str, []),
        (str, ["", "a", "é" * 100_000, ""]),
        (Row, [Row("a"), Row("", (1, 2**62), 0.5)]),
    ],
)
def test_rows_come_back(kind, rows):
    with spooled(iter(rows), kind) as read:
        assert list(read) == rows
