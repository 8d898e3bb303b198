"""Parse the value of a Set-Cookie header (RFC 6265 sections 5.1.1 and 5.2). Pure; accepts any text."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from msgspec import Struct

from ttcrawl.web.late import late

#: Bytes of name and value of a cookie (RFC 6265 section 6.1); a longer one is ignored.
MAX_COOKIE = 4096

#: Bytes of an attribute's value; a longer one is ignored (RFC 6265bis section 5.6).
MAX_ATTRIBUTE = 1024

#: Digits of Max-Age that are read: more seconds than any crawl takes.
MAX_DIGITS = 12

#: What a returned cookie may have: nothing that ends a header, and no more than a byte a character.
SENDABLE = late(r"[\x20-\x7e\x80-\xff]*")
CONTROL = late(r"[\x00-\x08\x0a-\x1f\x7f]")
DELIMITERS = late(r"[\x09\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+")
TIME = late(r"(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)", re.ASCII)
DAY = late(r"(\d{1,2})(?!\d)", re.ASCII)
YEAR = late(r"(\d{2,4})(?!\d)", re.ASCII)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


class SetCookie(Struct, frozen=True, kw_only=True):
    """A cookie set by a server; "" and None: the attribute is absent."""

    name: str
    value: str
    domain: str = ""  # in lower case, without the leading dot
    path: str = ""  # starts with a slash
    secure: bool = False
    expires: float | None = None  # seconds since the epoch; None: until the session ends


def parse(text: str, now: float) -> SetCookie | None:
    """The cookie in a Set-Cookie header's value; None if it is invalid, or must not be sent back.

    Stricter than the RFC: a tab is invalid too. Bytes that are not ASCII (ISO 8859-1) are returned as they came.

    >>> parse("a=b; Path=/x; Max-Age=60", 1000.0)
    SetCookie(name='a', value='b', domain='', path='/x', secure=False, expires=1060.0)
    """
    if CONTROL.search(text):
        return None
    pair, *attributes = text.split(";")
    name, equals, value = pair.partition("=")
    name, value = name.strip(" \t"), value.strip(" \t")
    if not equals or not name or len(name) + len(value) > MAX_COOKIE:
        return None
    if not is_sendable(name, value):
        return None
    values = {}  # the last of each name
    for attribute in attributes:
        key, _, argument = attribute.partition("=")
        key, argument = key.strip(" \t").lower(), argument.strip(" \t")
        if len(argument) <= MAX_ATTRIBUTE and _understood(key, argument):
            values[key] = argument
    path = values.get("path", "")
    return SetCookie(
        name=name,
        value=value,
        domain=values.get("domain", "").removeprefix(".").lower(),
        path=path if path.startswith("/") else "",
        secure="secure" in values,
        expires=_expires(values, now),
    )


def is_sendable(name: str, value: str) -> bool:
    """Whether a cookie can be sent as the bytes that came (ISO 8859-1). Browsers return bytes that are not ASCII
    unchanged (RFC 6265bis section 5.6; web-platform-tests cookies/encoding/charset.html)."""
    return SENDABLE.fullmatch(name + value) is not None


def _understood(key: str, argument: str) -> bool:
    """Whether an attribute is valid; an invalid one leaves earlier ones of the same name in force (section 5.2)."""
    if key == "max-age":
        return re.fullmatch(r"-?\d+", argument, re.ASCII) is not None
    if key == "expires":
        return date(argument) is not None
    return key in ("path", "secure") or (key == "domain" and bool(argument))


def _expires(values: dict[str, str], now: float) -> float | None:
    """Max-Age takes precedence over Expires (section 5.3)."""
    if "max-age" in values:
        digits = values["max-age"]
        seconds = 0 if digits.startswith("-") else int(digits[:MAX_DIGITS])
        return now + seconds if seconds > 0 else 0.0
    return date(values["expires"]) if "expires" in values else None


def date(text: str) -> float | None:
    """A cookie date (section 5.1.1), seconds since the epoch, at least 0; None: invalid.

    >>> date("Wed, 09 Jun 2021 10:18:14 GMT")
    1623233894.0
    """
    day = year = None
    clock, month = "", 0
    for token in DELIMITERS.split(text):
        if not clock and (match := TIME.match(token)):
            clock = match[0]
        elif day is None and (match := DAY.match(token)):
            day = int(match[1])
        elif not month and token[:3].lower() in MONTHS:
            month = MONTHS.index(token[:3].lower()) + 1
        elif year is None and (match := YEAR.match(token)):
            year = int(match[1])
    if not clock or day is None or not month or year is None:
        return None
    if year < 100:
        year += 1900 if year >= 70 else 2000
    hour, minute, second = map(int, clock.split(":"))
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
        return max(0.0, moment.timestamp()) if year >= 1601 else None
    except ValueError:
        return None  # the day or the hour does not exist
