"""Dates in the formats of mail and HTTP (RFC 5322, RFC 850, asctime), and of JavaScript; Retry-After. Pure.

A date without a zone is naive: the machine's zone does not apply. The caller decides its meaning.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from ttcrawl.web.late import late

#: Zone names -> hours: the names of RFC 5322 section 4.3, and some unambiguous others.
ZONE_HOURS = {
    **dict.fromkeys(("Z", "UT", "UTC", "GMT", "WET"), 0),
    "EST": -5,
    "EDT": -4,
    "CST": -6,
    "CDT": -5,
    "MST": -7,
    "MDT": -6,
    "PST": -8,
    "PDT": -7,
    "CET": 1,
    "MET": 1,
    "WEST": 1,
    "CEST": 2,
    "MEST": 2,
    "EET": 2,
    "EEST": 3,
    "MSK": 3,
    "JST": 9,
    "KST": 9,
}

#: A zone as an expression without groups: a name, or an offset, optionally after UTC and with a colon.
ZONE = rf"(?:(?:UTC?|GMT)?\s?[+\u2212-]\d{{1,2}}(?::?\d{{2}})?|{'|'.join(sorted(ZONE_HOURS, reverse=True))})(?![\w:])"

#: Characters of a date with the name of its zone in words; a longer text is not a date.
LONGEST = 100

#: The largest offset of any zone from UTC.
FURTHEST = timedelta(hours=14)

_OFFSET = late(r"(?:UTC?|GMT)?\s?([+\u2212-])(\d{1,2}):?(\d{2})?", re.ASCII | re.IGNORECASE)
_TIME = late(
    rf"(?<![\d:])(\d{{1,2}})(:\d{{2}})(:\d{{2}})?(?:[.,]\d+)?(?:\s*([ap])\.?m\b\.?)?(?:\s*({ZONE}))?",
    re.ASCII | re.IGNORECASE,
)
_COMMENT = late(r"\s*\([^()]*\)?\s*\Z")


def offset(zone: str) -> timedelta | None:
    """The offset of a zone from UTC; None: unknown.

    >>> [str(offset(each)) for each in ("+05:30", "GMT+0530", "EST", "Z", "+99:99")]
    ['5:30:00', '5:30:00', '-1 day, 19:00:00', '0:00:00', 'None']
    """
    match = _OFFSET.fullmatch(zone)
    if match is None:
        hours = ZONE_HOURS.get(zone.upper())
        return None if hours is None else timedelta(hours=hours)
    ahead = timedelta(hours=int(match[2]), minutes=int(match[3] or 0))
    if ahead > FURTHEST or int(match[3] or 0) > 59:
        return None
    return ahead if match[1] == "+" else -ahead


def offset_text(ahead: timedelta, colon: str = "") -> str:
    """For example +0530 for five and a half hours."""
    minutes = abs(ahead) // timedelta(minutes=1)
    return f"{'-' if ahead < timedelta() else '+'}{minutes // 60:02}{colon}{minutes % 60:02}"


def mail_date(text: str) -> datetime | None:
    """The date in a text; None: not a date. It has a zone if the text names a known one.

    >>> str(mail_date("Sat, 21 Nov 2026 10:00:00 +05:30")), str(mail_date("Sat Nov 21 10:00:00 2026"))
    ('2026-11-21 10:00:00+05:30', '2026-11-21 10:00:00')
    """
    text = _COMMENT.sub("", text) if len(text) <= LONGEST else ""
    time = _TIME.search(text)
    if time is None:
        return None
    hour = int(time[1]) % 12 + 12 * (time[4] in "pP") if time[4] else int(time[1])
    second = min(time[3] or ":00", ":59")  # Python does not support leap seconds
    # email.utils knows fewer zones, and ignores an offset with a colon
    zone = offset_text(ahead) if time[5] and (ahead := offset(time[5])) is not None else ""
    try:
        return parsedate_to_datetime(f"{text[: time.start()]}{hour:02}{time[2]}{second} {zone}{text[time.end() :]}")
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def retry_after(value: str, now: float) -> float | None:
    """Seconds from `now` (since the epoch) that a server asks us to wait with Retry-After (RFC 9110 section 10.2.3).

    None: the value is not understood. A date without a zone, as asctime writes it, is in GMT (RFC 9110 section 5.6.7).

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
