"""Dates as pages write them -> ISO 8601; nonsense is dropped."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache

#: Years that a page can have been written in; the web is from 1990, what is on it may be older.
FIRST, LAST = 1900, 2100

LONGEST = 64  # characters that are looked at

# The forms of ISO 8601 that are in use, and what is nearly so: a blank for the T, a zone without colon.
_ISO = re.compile(
    r"(\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?"
    r"(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?",
    re.ASCII | re.IGNORECASE,
)
_SLASHED = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})", re.ASCII)
_NAMED = re.compile(
    r"(?:(\d{1,2})\.?\s+)?([A-Z][a-z]{2})[a-z]*\.?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(\d{4})", re.ASCII
)
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


@lru_cache(maxsize=1000)  # the header of every file of a site often says the same, and that takes 25 us to read
def iso(text: str) -> str:
    """2026-11-21, 2026-11-21T10:00:00Z ...: as precise as `text` says it, "" if that is no date.

    The zone stays the one that is written; a moment without one has none.

    >>> iso("Sat, 21 Nov 2026 10:00:00 GMT"), iso("November 21, 2026"), iso("soon")
    ('2026-11-21T10:00:00Z', '2026-11-21', '')
    """
    text = text.strip()
    if not 4 <= len(text) <= LONGEST:
        return ""
    try:
        return _iso(text) or _slashed(text) or _named(text) or _http(text)
    except (ValueError, TypeError, OverflowError, IndexError):
        return ""


def _iso(text: str) -> str:
    found = _ISO.fullmatch(text)
    if found is None:
        return ""
    year, month, day, hour, minute, second, zone = found.groups()
    _check(int(year), int(month or 1), int(day or 1))
    said = "-".join(filter(None, (year, month, day)))
    if hour is None or day is None:
        return said
    datetime(2000, 1, 1, int(hour), int(minute), min(int(second or 0), 59))
    if zone and zone not in "Zz":
        zone = f"{zone[:3]}:{zone[3:].lstrip(':') or '00'}"
    return f"{said}T{hour}:{minute}:{second or '00'}{(zone or '').upper()}"


def _slashed(text: str) -> str:
    """Year first; of the other orders nobody knows which one is meant."""
    found = _SLASHED.match(text)
    return str(_check(*map(int, found.groups()))) if found else ""


def _named(text: str) -> str:
    """21 November 2026; November 21, 2026; November 2026."""
    found = _NAMED.fullmatch(text)
    if found is None or found[2] not in _MONTHS:
        return ""
    month, day = _MONTHS.index(found[2]) + 1, found[1] or found[3]
    written = _check(int(found[4]), month, int(day or 1))
    return str(written) if day else f"{written:%Y-%m}"


def _http(text: str) -> str:
    """As in the header Last-Modified (RFC 9110 section 5.6.7) and in mails."""
    moment = parsedate_to_datetime(text)
    _check(moment.year, moment.month, moment.day)
    utc = moment.astimezone(UTC) if moment.tzinfo is not None else moment
    return f"{utc:%Y-%m-%dT%H:%M:%S}Z"


def _check(year: int, month: int, day: int) -> date:
    if not FIRST <= year <= LAST:
        raise ValueError("no year of a page")
    return date(year, month, day)
