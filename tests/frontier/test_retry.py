import errno
import http.client
import ssl

import pytest

from ttcrawl.fetch.reasons import why_incomplete
from ttcrawl.frontier.retry import again_after
from ttcrawl.vocabulary.reason import BODY_RETRIED, RETRIED


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
    assert all(again_after(reason, 1, retries=0, wait=2.0) is None for reason in RETRIED)


@pytest.mark.parametrize(
    "error",
    [
        http.client.IncompleteRead(b""),
        http.client.LineTooLong("chunk size"),
        http.client.HTTPException("a chunk of b'-5' bytes"),
        TimeoutError("timed out"),
        ConnectionResetError(errno.ECONNRESET, "reset"),
        ssl.SSLError(1, "bad record"),
        *(OSError(number, "broken") for number in (errno.EPIPE, errno.ETIMEDOUT, errno.EHOSTUNREACH, errno.EIO)),
    ],
    ids=repr,
)
def test_parse_processes_know_which_bodies_that_broke_off_are_requested_again(error):
    """Those they do not read; what they know is by the same table, of which they have no more."""
    assert BODY_RETRIED <= RETRIED
    reason = why_incomplete(error)
    assert (reason in BODY_RETRIED) == (reason in RETRIED) and (reason in BODY_RETRIED or reason in ("protocol", "tls"))
