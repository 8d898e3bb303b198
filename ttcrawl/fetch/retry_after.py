"""The Retry-After header (RFC 9110 section 10.2.3): seconds, or a date."""

from __future__ import annotations

from datetime import UTC

from ttcrawl.web.mail_date import mail_date


def retry_after(value: str, now: float) -> float | None:
    """Seconds from `now` (seconds since the epoch) that the server asks us to wait; None: not understood.

    A date without a zone, as asctime writes it, is in GMT (RFC 9110 section 5.6.7).

    >>> retry_after("120", 0.0), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 45.0), retry_after("soon", 0.0)
    (120.0, 15.0, None)
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:12])  # 12 digits suffice for any real delay
    moment = mail_date(value)
    if moment is None:
        return None
    return max(0.0, (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now)
