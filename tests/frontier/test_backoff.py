"""A host as a whole is left alone: how long, why, once an incident, and when it is forgotten."""

import pytest

from ttcrawl.frontier.backoff import DAY, Backoff, Exchange, after

BASE = 60.0


def ended(at, reason="http 503", retry_after=None, lasted=1.0):
    return Exchange(reason=reason, retry_after=retry_after, started=at - lasted, ended=at)


def told(*exchanges, chance=0.0):
    backoff = Backoff()
    for each in exchanges:
        backoff = after(each, backoff, BASE, chance)
    return backoff.seconds, backoff.until, backoff.origin, backoff.silent


@pytest.mark.parametrize(
    ("exchanges", "expected"),
    [
        ([ended(100, "http 200")], (0, 0, "", 0)),
        ([ended(100, "http 404")], (0, 0, "", 0)),
        ([ended(100, "http 500")], (0, 0, "", 0)),  # the URL's trouble, not the host's
        ([ended(100, "timeout: read")], (0, 0, "", 0)),
        ([ended(100, "proxy")], (0, 0, "", 0)),  # says nothing of the host
        ([ended(100)], (60, 160, "http 503", 0)),
        ([ended(100, "http 429")], (60, 160, "http 429", 0)),
        ([ended(100, "connection refused")], (60, 160, "connection refused", 1)),
        ([ended(100, "timeout: connect"), ended(161, "unreachable")], (120, 281, "unreachable", 2)),
        # three that were under way together are one incident
        ([ended(100), ended(100.5), ended(101, lasted=2)], (60, 160, "http 503", 0)),
        ([ended(100), ended(161), ended(282)], (240, 522, "http 503", 0)),
        # well for as long as it was left alone: forgotten
        ([ended(100), ended(161), ended(281 + 121)], (60, 462, "http 503", 0)),
        ([ended(100), ended(161), ended(281 + 119)], (240, 640, "http 503", 0)),
        (
            [ended(100, "connection refused"), ended(161, "http 200"), ended(162, "connection refused")],
            (120, 282, "connection refused", 1),
        ),
        ([ended(100, retry_after=7.0)], (7, 107, "Retry-After", 0)),
        ([ended(100, retry_after=0.0)], (0, 0, "", 0)),
        ([ended(100, retry_after=10 * DAY)], (DAY, 100 + DAY, "Retry-After", 0)),
        # of the same incident the longest wait that was asked for, never a shorter one
        ([ended(100, retry_after=7.0), ended(100.5, retry_after=30.0)], (30, 130.5, "Retry-After", 0)),
        ([ended(100, retry_after=30.0), ended(100.5, retry_after=7.0)], (30, 130, "Retry-After", 0)),
        # a header on an answer that is none of these says nothing about the host
        ([ended(100, "http 301", retry_after=500.0)], (0, 0, "", 0)),
    ],
)
def test_how_long(exchanges, expected):
    assert told(*exchanges) == expected


def test_it_grows_to_a_day_and_no_further():
    backoff, now, waits = Backoff(), 0.0, []
    for _ in range(14):
        backoff = after(ended(now), backoff, BASE, 0.0)
        waits.append(backoff.seconds)
        now = backoff.until + 1.1
    assert waits[:4] == [60, 120, 240, 480] and waits[-1] == waits[-2] == DAY


def test_jitter_only_lengthens():
    assert told(ended(100), chance=1.0)[0] == pytest.approx(66)
    assert told(ended(100, retry_after=10.0), chance=1.0)[0] == 10
