"""Dates of sitemaps and feeds. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import lru_cache

#: A longer text is no date, characters.
LONGEST = 64

_W3C = re.compile(
    r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2})"
    r"(?:[Tt _]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,12})?)?\s*(?:([+-])(\d{1,2}):?(\d{2})?|[Zz]|UTC|GMT)?)?)?)?",
    re.ASCII,
)
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?", re.ASCII)


@lru_cache(maxsize=4096)
def moment(text: str) -> float | None:
    """Seconds since the epoch of a W3C datetime (NOTE-datetime, what sitemaps.org and RFC 4287 ask for), or of what is
    found in its place: without a T, a colon or a time zone (then UTC), with one digit, as in RFC 822. None: no date.

    >>> [moment(each) for each in ("1970-01-02", "1970-01-01T01:00:00+01:00", "Thu, 01 Jan 1970 00:00:05 GMT", "soon")]
    [86400.0, 0.0, 5.0, None]
    """
    text = text.strip()
    if len(text) > LONGEST:
        return None
    found = _W3C.fullmatch(text) or _COMPACT.fullmatch(text)
    try:
        return _of_numbers(found) if found else _of_mail(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _of_numbers(found: re.Match[str]) -> float:
    year, month, day, hour, minute, second = (int(each or 0) for each in found.groups()[:6])
    sign, hours, minutes = (*found.groups(), None, None, None)[6:9]
    if hour == 24:  # ISO 8601: the end of the day
        day_more, hour = 1, 0
    else:
        day_more = 0
    at = datetime(year, month or 1, day or 1, hour, minute, min(second, 59), tzinfo=UTC) + timedelta(days=day_more)
    if sign:
        off = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
        at = at - off if sign == "+" else at + off
    return at.timestamp()


def _of_mail(text: str) -> float | None:
    if not any(each.isdigit() for each in text):
        return None
    at = parsedate_to_datetime(text)
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
