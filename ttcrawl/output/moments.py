"""Moments as a user writes them, and as output shows them: to the millisecond."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from ttcrawl.errors import UsageError

#: Moments are shown in whole milliseconds, cut off: what is shown as T happened before T plus this, in seconds.
SHOWN_TO = 0.001

EXAMPLES = "a moment such as 2026-01-31 or 2026-01-31T12:00:00"


def seconds(text: str) -> float:
    """Seconds since the epoch of an ISO 8601 date (its beginning) or moment, UTC unless it says otherwise.

    Raises ValueError, OverflowError.
    """
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def end_of(moment: str | datetime | float) -> float:
    """Seconds since the epoch: what happened before, happened at this moment or earlier. Raises UsageError."""
    try:
        if isinstance(moment, float | int):
            if not math.isfinite(moment):
                raise ValueError
            return float(moment) + SHOWN_TO
        return seconds(moment.isoformat() if isinstance(moment, datetime) else moment) + SHOWN_TO
    except (ValueError, OverflowError, TypeError):
        raise UsageError(f"{moment!r} is not {EXAMPLES}") from None


def moment(seconds: float) -> str:
    """UTC, to the millisecond. Accepts any value that a damaged table may hold."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
    except (ValueError, OverflowError, OSError, TypeError):
        return f"{seconds} s"
