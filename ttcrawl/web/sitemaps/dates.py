"""Dates of sitemaps and feeds. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from ttcrawl.web.late import late
from ttcrawl.web.mail_date import LONGEST, ZONE, mail_date, offset

_W3C = late(
    r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2})"
    rf"(?:[T _]+(\d{{1,2}}):(\d{{2}})(?::(\d{{2}})(?:[.,]\d{{1,12}})?)?\s*({ZONE})?)?)?)?",
    re.ASCII | re.IGNORECASE,
)
_COMPACT = late(rf"(\d{{4}})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?({ZONE})?)?", re.ASCII | re.IGNORECASE)


def moment(text: str) -> float | None:
    """Seconds since the epoch of a W3C datetime (NOTE-datetime, required by sitemaps.org and RFC 4287), or of common
    variants: without a T, a colon or a time zone (then UTC), with one-digit numbers, as in RFC 822. None: not a date.

    >>> [moment(each) for each in ("1970-01-02", "1970-01-01T01:00:00+01:00", "Thu, 01 Jan 1970 00:00:05 GMT", "soon")]
    [86400.0, 0.0, 5.0, None]
    """
    text = text.strip()
    return _moment(text) if len(text) <= LONGEST else None  # what is remembered is short


@lru_cache(maxsize=4096)
def _moment(text: str) -> float | None:
    match = _W3C.fullmatch(text) or _COMPACT.fullmatch(text)
    try:
        return _of_numbers(match) if match else _of_mail(text)
    except (ValueError, OverflowError):
        return None


def _of_numbers(match: re.Match[str]) -> float:
    year, month, day, hour, minute, second = (int(each or 0) for each in match.groups()[:6])
    zone: str = match[7] or "Z"
    if hour == 24:  # ISO 8601: the end of the day
        extra_days, hour = 1, 0
    else:
        extra_days = 0
    date = datetime(year, month or 1, day or 1, hour, minute, min(second, 59), tzinfo=UTC) + timedelta(days=extra_days)
    return (date - (offset(zone) or timedelta())).timestamp()


def _of_mail(text: str) -> float | None:
    date = mail_date(text)
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() if date else None
