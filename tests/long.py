"""More of the same: the first of a table of slow tests belong to `make test-slow`, the others to `make test-long`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

import pytest

LONG = (pytest.mark.slow, pytest.mark.long)


def few(count: int, rows: Iterable[Any], marks: Any = LONG) -> list[Any]:
    """Rows for parametrize, each a tuple or one value; those after the first few are marked."""
    rest = iter(rows)
    head = list(islice(rest, count))
    return head + [pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=marks) for row in rest]
