"""A series as one line of block characters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

BLOCKS = "▁▂▃▄▅▆▇█"


def sparkline(x: Sequence[float], y: Sequence[float], width: int) -> str:
    """`width` characters for a series that never falls: y at evenly spaced x, from 0 to the last y.

    `x` rises; between two x the value of the first holds. Empty if there is nothing to draw.

    >>> sparkline([1, 2, 3, 4], [10, 20, 40, 40], 4)
    '▂▄██'
    """
    if len(x) < 2 or width < 1 or y[-1] <= 0:
        return ""
    indexes = (bisect_right(x, x[-1] * step / width) - 1 for step in range(1, width + 1))
    values = (y[index] if index >= 0 else 0 for index in indexes)
    return "".join(BLOCKS[max(0, round(len(BLOCKS) * value / y[-1]) - 1)] for value in values)


def can_print(encoding: str | None) -> bool:
    """Whether a stream with this encoding takes block characters."""
    try:
        BLOCKS.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
