"""The command that writes what a pane shows."""

import pytest

from ttcrawl.inspect.archived.panes import ARCHIVED, DOCUMENT, SCREENSHOT, TEXT, Pane
from ttcrawl.output.moments import end_of


@pytest.mark.parametrize(
    ("kind", "at", "options"),
    [
        (ARCHIVED, None, ("--body",)),
        (TEXT, None, ("--main",)),
        (DOCUMENT, 12.0, ("--document", "--at", "1970-01-01T00:00:12.000")),
        (TEXT, 12.5, ("--main", "--at", "1970-01-01T00:00:12.500")),
        (SCREENSHOT, 12.5, ("--screenshot",)),
    ],
)
def test_options(kind, at, options):
    assert Pane(url="http://a.test/", at=at, kind=kind, labels={}).options == options


@pytest.mark.parametrize("at", [12.0, 12.5, 1_700_000_000.123456])
def test_the_moment_includes_the_answer(at):
    assert end_of(Pane(url="http://a.test/", at=at, kind=TEXT, labels={}).options[2]) > at
