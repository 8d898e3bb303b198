"""Moments that a user or a program names."""

from datetime import UTC, datetime

import pytest

from ttcrawl.errors import UsageError
from ttcrawl.output.moments import SHOWN_TO, end_of, moment


@pytest.mark.parametrize(
    "moment", [86400, 86400.0, "1970-01-02", "1970-01-02T00:00:00Z", datetime(1970, 1, 2, tzinfo=UTC)]
)
def test_a_moment_includes_the_millisecond_that_it_shows(moment):
    assert end_of(moment) == 86400 + SHOWN_TO


@pytest.mark.parametrize("moment", [float("nan"), float("inf"), float("-inf"), "yesterday", "", None, b"1970-01-02"])
def test_no_moment_is_said_to_be_one(moment):
    with pytest.raises(UsageError, match="is not a moment such as 2026-01-31"):
        end_of(moment)


@pytest.mark.parametrize("value", [None, "soon", b"\0", 1e300, float("nan")])
def test_whatever_a_damaged_table_holds_is_shown(value):
    assert moment(value) == f"{value} s"
