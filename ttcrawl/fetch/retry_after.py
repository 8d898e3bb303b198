"""The Retry-After header (RFC 9110 section 10.2.3): seconds, or a date."""

from __future__ import annotations

from email.utils import parsedate_to_datetime


def retry_after(value: str, now: float) -> float | None:
    """Seconds from `now` (since the epoch) that the server asks to be left alone; None: it says nothing we understand.

    >>> retry_after("120", 0.0), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 45.0), retry_after("soon", 0.0)
    (120.0, 15.0, None)
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:12])  # a number of any length is a long time
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None
