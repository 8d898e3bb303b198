import pytest

from tests.support.crawls.memory import kept
from ttcrawl.web.sitemaps.dates import moment
from ttcrawl.web.sitemaps.entry import rank

#: NOTE-datetime's own examples, then what is found in their place, then what is none.
DATES = [
    ("1997", 852076800.0),
    ("1997-07", 867715200.0),
    ("1997-07-16", 869011200.0),
    ("1997-07-16T19:20+01:00", 869077200.0),
    ("1997-07-16T19:20:30+01:00", 869077230.0),
    ("1997-07-16T19:20:30.45+01:00", 869077230.0),
    ("1994-11-05T08:15:30-05:00", 784041330.0),
    ("1994-11-05T13:15:30Z", 784041330.0),
    ("1994-11-05T13:15:30", 784041330.0),
    ("1994-11-05 13:15:30", 784041330.0),
    ("1994-11-05t13:15:30z", 784041330.0),
    ("1994-11-05 13:15:30 UTC", 784041330.0),
    ("1994-11-05T14:15:30+0100", 784041330.0),
    ("1994-11-05T14:15:30+01", 784041330.0),
    ("1994-11-5", 783993600.0),
    ("1994/11/05", 783993600.0),
    ("19941105", 783993600.0),
    ("1994-11-04T24:00:00Z", 783993600.0),
    ("  1994-11-05\n", 783993600.0),
    ("Sat, 05 Nov 1994 08:15:30 -0500", 784041330.0),
    ("Sat, 05 Nov 1994 13:15:30 GMT", 784041330.0),
    ("05 Nov 94 13:15:30", 784041330.0),
    *((text, None) for text in ("", "soon", "0000-00-00", "1994-13-01", "1994-02-30", "now 5", "-1", "9" * 100)),
    *((text, None) for text in ("1994-11-05T25:00Z", "99999-01-01", "05.11.1994", "\u0661\u0669\u0669\u0664")),
]


@pytest.mark.parametrize(("text", "expected"), DATES)
def test_dates(text, expected):
    assert moment(text) == expected


def test_a_text_that_is_too_long_for_a_date_is_not_remembered():
    """A feed may have megabytes in its place."""
    assert kept(lambda: [moment(f"{number}" * 100_000) for number in range(20)]) < 20_000


NOW, DAY = 1e9, 86400.0


def test_priority_to_a_tenth_comes_before_any_date():
    ages = [None, NOW - 1e9, NOW - 365 * DAY, NOW - 30 * DAY, NOW - DAY, NOW, NOW + 1e9]
    for tenth in range(10):
        low = min(rank(tenth / 10, changed, NOW) for changed in ages)
        assert low > max(rank((tenth + 1) / 10, changed, NOW) for changed in ages)


def test_what_changed_later_comes_first_and_what_says_nothing_is_a_link():
    order = [rank(0.5, NOW - days * DAY, NOW) for days in (0, 1, 7, 30, 365, 3650)]
    assert order == sorted(order) and len(set(order)) == 6
    assert rank(0.5, None, NOW) == rank(0.5, NOW - 30 * DAY, NOW) == 0


@pytest.mark.parametrize("priority", [0.0, 1.0, -5.0, 5.0])
@pytest.mark.parametrize("changed", [None, -1e12, 1e12])
def test_bounds(priority, changed):
    assert -512 < rank(priority, changed, NOW) < 511
