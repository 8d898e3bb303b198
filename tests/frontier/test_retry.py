import pytest

from ttcrawl.frontier.retry import PASSING, again_after


@pytest.mark.parametrize(
    ("reason", "attempts", "wait"),
    [
        ("reset", 1, 2.0),
        ("reset", 2, 8.0),
        ("reset", 3, None),
        ("http 503", 1, 2.0),
        ("proxy", 1, 2.0),
        ("http 404", 1, None),
        ("http 200", 1, None),
        ("dns", 1, None),
        ("tls", 1, None),
        ("headers too large", 1, None),
        ("parse process died", 1, None),
        ("fetch process died", 5, 2.0),
        ("fetch process died", 6, None),
    ],
)
def test_again_after(reason, attempts, wait):
    assert again_after(reason, attempts, retries=2, wait=2.0) == wait


def test_without_retries_only_our_own_faults_are_mended():
    assert again_after("fetch process died", 3, retries=0, wait=2.0) == 2.0
    assert all(again_after(reason, 1, retries=0, wait=2.0) is None for reason in PASSING)
