"""RFC 9110 section 10.2.3, and what servers send instead."""

import pytest

from ttcrawl.web.mail_date import retry_after

NOW = 1_000_000_000.0  # Sun, 09 Sep 2001 01:46:40 GMT


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        ("Sun, 09 Sep 2001 01:47:40 GMT", 60),
        ("Sunday, 09-Sep-01 01:47:40 GMT", 60),  # RFC 850
        ("Sun Sep  9 01:47:40 2001", 60),  # asctime
        ("Sun, 09 Sep 2001 01:00:00 GMT", 0),  # past
        ("9" * 400, 999_999_999_999),
        *((value, None) for value in ("", "soon", "-5", "1.5", "12 s", "\u0661\u0662")),
        ("Sun, 99 Sep 2001 01:47:40 GMT", None),
        ("Sun, 09 Sep 99999999999 01:47:40 GMT", None),
    ],
)
def test_seconds(value, seconds):
    assert retry_after(value, NOW) == seconds
