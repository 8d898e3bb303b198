"""More of the same: the first of a table of slow tests belong to `make test-slow`, the others to `make test-long`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

LONG = (pytest.mark.slow, pytest.mark.long)

#: For `make test-machines` instead.
MACHINES = pytest.mark.machines


def few(count: int, rows: Iterable[Any], marks: Any = LONG) -> list[Any]:
    """Rows for parametrize, each a tuple or one value; those after the first few are marked."""
    rows = list(rows)
    rest = [row if isinstance(row, tuple) else (row,) for row in rows[count:]]
    return rows[:count] + [pytest.param(*row, marks=marks) for row in rest]
