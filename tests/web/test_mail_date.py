"""Dates of mails, of HTTP and of pages: what they mean depends on what they say, never on the machine."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.read.dates import iso, iso_of_header
from ttcrawl.web.cookies.setcookie import date as cookie_date
from ttcrawl.web.mail_date import ZONE_HOURS, mail_date, retry_after
from ttcrawl.web.sitemaps.dates import moment

MACHINES = ("UTC", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati")


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> Iterator[str]:
    """The machine is in this zone."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = request.param
    time.tzset()
    try:
        yield request.param
    finally:
        if before is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = before
        time.tzset()


TEN = 1795255200.0  # 2026-11-21T10:00:00Z
HALF_PAST_FOUR = TEN - 5.5 * 3600
#: The last day that is not in the future.
LATEST = "2026-11-22"
#: The three forms of RFC 9110 section 5.6.7, all of them in GMT.
HTTP = ["Sat, 21 Nov 2026 10:00:00 GMT", "Saturday, 21-Nov-26 10:00:00 GMT", "Sat Nov 21 10:00:00 2026"]


@pytest.mark.parametrize("text", HTTP)
def test_dates_of_http(machine: str, text: str) -> None:
    assert retry_after(text, TEN - 7) == 7
    assert iso_of_header(text, LATEST) == "2026-11-21T10:00:00Z"
    assert moment(text) == TEN
    assert cookie_date(text) == TEN


#: Each is half past four in UTC.
IN_INDIA = [
    "Sat, 21 Nov 2026 10:00:00 +0530",
    "Sat, 21 Nov 2026 10:00:00 +05:30",
    "Sat, 21 Nov 2026 10:00:00+05:30",
    "Sat, 21 Nov 2026 10:00:00 +5:30",
    "Sat, 21 Nov 2026 10:00 +0530",
    "Sat, 21 Nov 2026 10:00:00.000 +0530 (IST)",
    "21 Nov 26 10:00:00 GMT+05:30",
    "21 Nov 2026 10:00:00 UTC +05:30",
    "Sat Nov 21 2026 10:00:00 GMT+0530 (India Standard Time)",  # as JavaScript prints it
    "Sat Nov 21 2026 05:30:00 GMT+0100 (Central European Standard Time)",
    "November 21, 2026 10:00 AM +05:30",
    "Sat Nov 21 10:00:00 +0530 2026",
    "Sat, 20 Nov 2026 23:30:00 EST",
    "Fri Nov 20 23:30:00 EST 2026",
    "Fri, 20 Nov 2026 11:30 pm EST",
    "Sat, 21 Nov 2026 05:30:00 CET",
    "Sat, 21 Nov 2026 12:30 a.m. EDT",
    "2026-11-21T10:00:00+05:30",
    "2026-11-21T10:00:00 +05:30",
    "2026-11-21T10:00:00.123+0530",
    "2026-11-21T10:00+05:30",
    "2026-11-21 10:00:00 GMT+05:30",
    "2026-11-21 10:00:00 UTC+5:30",
    "2026-11-20 23:30:00 EST",
    "2026-11-20T23:30:00\u221205:00",
    "20261121T100000+0530",
    "20261121T043000Z",
    "2026-11-21T04:30:00 UTC",
    "2026-11-21T04:30:00z",
]


@pytest.mark.parametrize("text", IN_INDIA)
def test_the_zone_that_is_written_counts(machine: str, text: str) -> None:
    assert moment(text) == HALF_PAST_FOUR
    found = iso(text)
    assert found[19:] and datetime.fromisoformat(found).timestamp() == HALF_PAST_FOUR
    if text[0].isalpha() or text[2] == " ":
        assert retry_after(text, HALF_PAST_FOUR - 7) == 7


#: A record says no zone where none is known.
NO_ZONE = [
    "Sat, 21 Nov 2026 10:00:00",
    "Sat Nov 21 10:00:00 2026",
    "21 Nov 2026 10:00",
    "November 21, 2026 10:00 am",
    "Sat, 21 Nov 2026 10:00:00 IST",  # of India, Israel or Ireland
    "Sat, 21 Nov 2026 10:00:00 +25:00",
    "2026-11-21T10:00:00",
    "2026-11-21T10:00:00+99:99",
]


@pytest.mark.parametrize("text", NO_ZONE)
def test_what_names_no_zone(machine: str, text: str) -> None:
    assert iso(text) == "2026-11-21T10:00:00"
    assert moment(text) == TEN


@pytest.mark.parametrize("name", sorted(ZONE_HOURS))
def test_named_zones(machine: str, name: str) -> None:
    found = mail_date(f"Sat, 21 Nov 2026 10:00:00 {name}")
    assert found is not None and found.timestamp() == TEN - 3600 * ZONE_HOURS[name]


def test_a_day_has_no_zone(machine: str) -> None:
    assert iso("2026-11-21") == iso("November 21, 2026") == "2026-11-21"
    assert moment("2026-11-21") == datetime(2026, 11, 21, tzinfo=UTC).timestamp()


@given(st.text(max_size=40) | st.text("0123456789:+-/., TZGMUadpmNov()[]'", max_size=40))
def test_anything(text: str) -> None:
    mail_date(text)
    iso_of_header(text, LATEST)
    moment(text)
    retry_after(text, 0.0)
