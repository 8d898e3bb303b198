"""How long something took or takes, as people read it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta


def timespan(seconds: float, rounding: Callable[[float], int] = round) -> str:
    """Hours, minutes and whole seconds. Accepts any value that a damaged table may hold.

    >>> timespan(90.4), timespan(100_000), timespan(float("inf"))
    ('0:01:30', '1 day, 3:46:40', 'inf s')
    """
    try:
        return str(timedelta(seconds=rounding(seconds)))
    except (ValueError, OverflowError):
        return f"{seconds:g} s"
