"""How long something took."""

import math

import pytest

from ttcrawl.output.timespan import timespan


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0:00:00"),
        (59.5, "0:01:00"),
        (-1, "-1 day, 23:59:59"),
        (1e300, "1e+300 s"),
        (math.inf, "inf s"),
        (math.nan, "nan s"),
    ],
)
def test_any_number_of_seconds_is_printed(seconds, text):
    assert timespan(seconds) == text


def test_what_is_left_is_never_nothing():
    assert timespan(0.2, math.ceil) == "0:00:01"
