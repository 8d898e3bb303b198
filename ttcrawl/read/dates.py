"""Convert dates from pages to ISO 8601. Dropped are invalid dates, the beginning of Unix time, which programs write for
a date that they do not have, and dates in the future, which tell when something happens or expires."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from ttcrawl.web.late import late
from ttcrawl.web.mail_date import LONGEST, ZONE, mail_date, offset, offset_text

#: Possible years of a page: the web started in 1990, but its content may be older.
FIRST, LAST = 1900, 2100

#: How far a date may be ahead of the request: clocks differ, and the zone of a date is often unknown (up to UTC+14).
AHEAD = timedelta(days=1)

DAY = 86_400.0  # seconds

#: A day after all dates.
NEVER = "9999-12-31"

#: The beginning of Unix time, as a day or as a moment; also as a moment in a zone.
_UNSET_DAY, _UNSET = "1970-01-01", datetime(1970, 1, 1, tzinfo=UTC)

# The common forms of ISO 8601, and variants: a blank for the T, a zone without colon or by its name; optionally with
# the name of a region (RFC 9557).
_ISO = late(
    r"(\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?"
    rf"(?:[T ](\d{{2}}):?(\d{{2}})(?::?(\d{{2}})(?:[.,]\d+)?)?\s*({ZONE})?(?:\[[^\]]*\])?)?",
    re.ASCII | re.IGNORECASE,
)
_SLASHED = late(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})", re.ASCII)
_WITH_MONTH_NAME = late(
    r"(?:(\d{1,2})\.?\s+)?([A-Z][a-z]{2})[a-z]*\.?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(\d{4})", re.ASCII
)
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


@lru_cache(maxsize=1000)  # the headers of a site's files often have the same date, which takes 25 µs to parse
def iso(text: str) -> str:
    """2026-11-21, 2026-11-21T10:00:00Z ...: as precise as `text`, "" if it is not a date.

    The zone stays as written; a moment without one has none.

    >>> iso("Sat, 21 Nov 2026 10:00:00 GMT"), iso("November 21, 2026"), iso("soon")
    ('2026-11-21T10:00:00Z', '2026-11-21', '')
    """
    text = text.strip()
    if not 4 <= len(text) <= LONGEST:
        return ""
    try:
        moment = _iso(text) or _slashed(text) or _with_month_name(text) or _mailed(text)
        return "" if _is_unset(moment) else moment
    except (ValueError, OverflowError):
        return ""


def latest_day(requested: float) -> str:
    """The last day that is not in the future for what was requested at a moment; 0: unknown.

    >>> latest_day(1_700_000_000), latest_day(0)
    ('2023-11-15', '9999-12-31')
    """
    return _latest_of(requested // DAY) if requested else NEVER


@lru_cache(maxsize=2)  # pages are read in the order in which they were requested
def _latest_of(day: float) -> str:
    """The same for all moments of a day, by its number since the epoch."""
    return str((datetime.fromtimestamp(day * DAY, UTC) + AHEAD).date())


def iso_until(text: str, latest: str) -> str:
    """`iso` of a date that is not after the day `latest`.

    >>> iso_until("2026-11", "2026-11-21"), iso_until("2026-11-22", "2026-11-21")
    ('2026-11', '')
    """
    moment = iso(text)
    return moment if moment[:10] <= latest else ""


def iso_of_header(text: str, latest: str) -> str:
    """The date of Last-Modified: an HTTP date without a zone is in GMT (RFC 9110 section 5.6.7)."""
    moment = iso_until(text, latest)
    return moment + "Z" if len(moment) == len("2026-11-21T10:00:00") else moment


def _iso(text: str) -> str:
    match = _ISO.fullmatch(text)
    if match is None:
        return ""
    year, month, day, hour, minute, second, zone = match.groups()
    _check(int(year), int(month or 1), int(day or 1))
    day_text = "-".join(filter(None, (year, month, day)))
    if hour is None or day is None:
        return day_text
    datetime(2000, 1, 1, int(hour), int(minute), min(int(second or 0), 59))
    return f"{day_text}T{hour}:{minute}:{second or '00'}{_zone(zone or '')}"


def _is_unset(moment: str) -> bool:
    if moment.startswith("1969-12-31T"):
        return datetime.fromisoformat(moment) == _UNSET
    return moment.startswith(_UNSET_DAY)


def _zone(text: str) -> str:
    """Z for a zone with a UTC name, else hours and minutes; "" if unknown."""
    ahead = offset(text)
    if ahead is None:
        return ""
    return "Z" if text[-1].isalpha() and not ahead else offset_text(ahead, ":")


def _slashed(text: str) -> str:
    """Year first; other orders are ambiguous."""
    match = _SLASHED.match(text)
    return str(_check(*map(int, match.groups()))) if match else ""


def _with_month_name(text: str) -> str:
    """21 November 2026; November 21, 2026; November 2026."""
    match = _WITH_MONTH_NAME.fullmatch(text)
    if match is None or match[2] not in _MONTHS:
        return ""
    month, day = _MONTHS.index(match[2]) + 1, match[1] or match[3]
    checked = _check(int(match[4]), month, int(day or 1))
    return str(checked) if day else f"{checked:%Y-%m}"


def _mailed(text: str) -> str:
    """Mail dates: converted to UTC if a zone is named."""
    moment = mail_date(text)
    if moment is None:
        return ""
    _check(moment.year, moment.month, moment.day)
    if moment.tzinfo is None:
        return f"{moment:%Y-%m-%dT%H:%M:%S}"
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%S}Z"


def _check(year: int, month: int, day: int) -> date:
    if not FIRST <= year <= LAST:
        raise ValueError("no year of a page")
    return date(year, month, day)
